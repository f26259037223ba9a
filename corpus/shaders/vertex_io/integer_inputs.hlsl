// trellis: vs_6_0 main
// Integer inputs and outputs: signed, unsigned, boolean.

struct Output { float4 position : SV_Position; nointerpolation int4 i : I; nointerpolation uint2 u : U; nointerpolation bool b : B; };

Output main(int4 i : I, uint2 u : U, bool b : B, float3 p : POSITION)
{
    Output o = { float4(p, 1), i * 2, u.yx, !b };
    return o;
}
