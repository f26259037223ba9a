// trellis: ps_6_7 main
// trellis.cs: cs_6_7 compute
// QuadAny and QuadAll (shader model 6.7).

RWStructuredBuffer<uint> Out : register(u1);

float4 main(float4 c : COLOR) : SV_Target
{
    return float4(QuadAny(c.x > 0.5), QuadAll(c.y > 0.5), 0, 1);
}

[numthreads(8, 8, 1)]
void compute(uint lane : SV_GroupIndex)
{
    Out[lane] = QuadAny((Out[lane + 64] & 1) != 0) + QuadAll((Out[lane + 64] & 2) != 0) * 2;
}
