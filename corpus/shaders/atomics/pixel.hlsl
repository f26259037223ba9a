// trellis: ps_6_0 main
// Atomics in a pixel shader, after a discard, that helper lanes must not do.

RWStructuredBuffer<uint> Counts : register(u1);
RWTexture2D<uint> Overdraw : register(u2);

float4 main(float4 pos : SV_Position, float alpha : ALPHA) : SV_Target
{
    if (alpha < 0.1)
        discard;
    uint order;
    InterlockedAdd(Overdraw[(uint2)pos.xy], 1, order);
    InterlockedMax(Counts[0], order);
    return order * alpha + ddx(alpha);
}
