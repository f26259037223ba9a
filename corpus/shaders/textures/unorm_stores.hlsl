// trellis: cs_6_0 main
// Writable textures with normalized element types, and a typed load of four components.

RWTexture2D<unorm float4> Color : register(u0);
RWTexture2D<snorm float2> Normal : register(u1);
RWTexture2DArray<unorm float> Mask : register(u2);

[numthreads(8, 8, 1)]
void main(uint3 id : SV_DispatchThreadID)
{
    float4 c = Color[id.xy];
    Normal[id.xy] = c.xy * 2 - 1;
    Mask[id] = c.w;
    Color[id.xy] = float4(c.zyx, Mask[id.zyx]);
}
