// trellis: ps_6_0 main
// All eight render targets.

struct Output { float4 t[8] : SV_Target; };

Output main(float4 c : COLOR)
{
    Output o;
    [unroll]
    for (uint i = 0; i < 8; i++)
        o.t[i] = c * i;
    return o;
}
