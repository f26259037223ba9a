// trellis: ps_6_2 main -enable-16bit-types
// Attributes of each vertex of 16-bit types.

float4 main(float3 b : SV_Barycentrics, nointerpolation half2 h : H, nointerpolation int16_t2 i : I, nointerpolation float2 f[2] : F) : SV_Target
{
    return float4(GetAttributeAtVertex(h, 1) * (half)b.x, GetAttributeAtVertex(i, 2)) + GetAttributeAtVertex(f[1], 0).xyxy;
}
