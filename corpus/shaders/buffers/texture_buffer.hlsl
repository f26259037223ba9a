// trellis: ps_6_0 main
// A tbuffer: a constant buffer's packing, read as a typed buffer.

tbuffer Params : register(t3)
{
    float4 a;
    uint b;
    float3 c[4];
    int2 d;
};

float4 main(nointerpolation uint i : INDEX) : SV_Target
{
    return a + b + c[i & 3].xyzx + d.y;
}
