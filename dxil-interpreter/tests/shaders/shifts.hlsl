// trellis: cs_6_0 main
// Shift amounts count modulo 32, or 64 for 64-bit numbers; the signed right shift copies the sign.
StructuredBuffer<uint2> In : register(t0);
RWStructuredBuffer<uint4> Out : register(u0);
RWStructuredBuffer<uint64_t> Wide : register(u1);

[numthreads(3, 1, 1)]
void main(uint i : SV_DispatchThreadID) {
    uint2 v = In[i];
    Out[i] = uint4(v.x << v.y, v.x >> v.y, (int)v.x >> (int)v.y, 0);
    Wide[i] = ((uint64_t)v.x << 32) >> (uint64_t)v.y;
}
