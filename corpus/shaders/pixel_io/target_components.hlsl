// trellis: ps_6_0 main
// Render targets of one to four components and of float, int and unsigned type.

struct Output { float a : SV_Target0; int2 b : SV_Target1; uint3 c : SV_Target2; float2 d : SV_Target4; };

Output main(float4 pos : SV_Position)
{
    Output o = { pos.x, (int2)pos.xy, (uint3)pos.xyz, pos.zw };
    return o;
}
