// trellis: cs_6_0 main
// Positions of bits count from bit 0 in HLSL, also those of the highest bit; all ones where there is none.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint4> Out : register(u0);
RWStructuredBuffer<uint> Signed : register(u1);

[numthreads(4, 1, 1)]
void main(uint i : SV_DispatchThreadID) {
    uint v = In[i];
    Out[i] = uint4(firstbitlow(v), firstbithigh(v), countbits(v), reversebits(v));
    Signed[i] = firstbithigh((int)v);
}
