// trellis: cs_6_0 main -Od
// A break that is always taken stays a conditional branch without optimization: lanes that leave by it meet no lane of a later turn before they left.

RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID, uint lane : SV_GroupIndex)
{
    [loop]
    for (uint i = 0; i < 2; i++)
    {
        if ((i + lane) & 1)
            continue;
        Out[id] = WaveActiveBallot(true).x + 256 * WaveActiveBitOr(i);
        if (asint(0u) <= asint(0u))
            break;
    }
}
