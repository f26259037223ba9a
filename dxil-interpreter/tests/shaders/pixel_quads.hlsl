// trellis: ps_6_6 main
// Quads have helper lanes where the triangle covers no pixel, and after `discard`: derivatives read them, writes and
// wave operations do not count them.
RWStructuredBuffer<uint> Count : register(u0);

float4 main(float4 at : SV_Position, float x : X) : SV_Target {
    if (at.x < 1)
        discard;
    InterlockedAdd(Count[0], 1);
    return float4(ddx(x), ddy(x), IsHelperLane(), WaveActiveCountBits(true));
}
