// trellis: cs_6_0 main -O1
// A limit below 8 becomes an integer of three bits that grows from turn to turn.

RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID, uint lane : SV_GroupIndex)
{
    uint at = 0;
    for (uint i = 0; i < 4; i++)
    {
        [loop]
        for (uint j = 0; j < (i + lane) % 8; j++)
        {
            Out[id * 64 + min(at, 63)] = j;
            at++;
        }
    }
}
