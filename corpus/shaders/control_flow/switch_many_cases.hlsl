// trellis: cs_6_0 main
// A switch of 128 cases, some of which fall through.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

#define CASE(k) case (k): acc += In[(k)]; Out[id * 128 + (k)] = acc; break;
#define FALL(k) case (k): acc ^= In[(k)]; Out[id * 128 + (k)] = acc;
#define CASE4(k) CASE(k) FALL((k) + 1) CASE((k) + 2) CASE((k) + 3)
#define CASE16(k) CASE4(k) CASE4((k) + 4) CASE4((k) + 8) CASE4((k) + 12)
#define CASE64(k) CASE16(k) CASE16((k) + 16) CASE16((k) + 32) CASE16((k) + 48)

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint acc = id;
    [branch]
    switch (In[id])
    {
        CASE64(0)
        CASE64(64)
    }
    Out[id * 128] ^= acc;
}
