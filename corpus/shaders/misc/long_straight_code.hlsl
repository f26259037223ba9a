// trellis: cs_6_0 main
// A long block without any branch: an integer hash of many rounds.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

#define ROUND(k) a += b; b = (b << (k + 3)) | (b >> (29 - k)); b ^= a; c += d * (k + 1); d ^= c >> (k + 1); a ^= d;
#define ROUND8 ROUND(0) ROUND(1) ROUND(2) ROUND(3) ROUND(4) ROUND(5) ROUND(6) ROUND(7)

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint a = In[id], b = In[id + 1], c = In[id + 2], d = In[id + 3];
    ROUND8 ROUND8 ROUND8 ROUND8 ROUND8 ROUND8 ROUND8 ROUND8
    Out[id] = a ^ b ^ c ^ d;
}
