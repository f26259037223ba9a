// trellis: cs_6_0 main
// Wave operations before, in, and behind an if: the lanes must come together again.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);


[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint v = In[id];
    uint before = WaveActiveCountBits(true), inside = 0;
    [branch]
    if (v & 1)
        inside = WaveActiveCountBits(true);
    else
    {
        [branch]
        if (v & 2)
            inside = WaveActiveCountBits(true) * 100;
        inside += WaveActiveCountBits(true) * 10000;
    }
    uint behind = WaveActiveCountBits(true);
    Out[id * 3] = before;
    Out[id * 3 + 1] = inside;
    Out[id * 3 + 2] = behind;
}
