// trellis: vs_6_0 main
// Eight clip and cull distances in two rows of each.

struct Output { float4 position : SV_Position; float4 clip : SV_ClipDistance0; float clip1 : SV_ClipDistance1; float3 cull : SV_CullDistance0; };

Output main(float4 p : POSITION)
{
    Output o = { p, p, p.w - p.x, p.xyz };
    return o;
}
