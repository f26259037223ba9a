// trellis: ps_6_6 main
// trellis.sm60: ps_6_0 main
// IsHelperLane before and behind a discard: an operation since shader model 6.6, made of others before.

RWStructuredBuffer<uint> Out : register(u1);

float4 main(float4 pos : SV_Position, float alpha : ALPHA) : SV_Target
{
    bool before = IsHelperLane();
    if (alpha < 0.5)
        discard;
    bool after = IsHelperLane();
    uint old;
    InterlockedAdd(Out[0], WaveActiveCountBits(after), old);
    return float4(before, after, ddx(alpha), old);
}
