// Computed indices of structures whose products with the size exceed 32 bits: reads give 0, and writes and
// atomic operations do nothing.

struct Three { uint a, b, c; };
struct Six { float4 a; uint2 b; };

StructuredBuffer<uint> Indices : register(t0);
StructuredBuffer<uint> Words : register(t1);
StructuredBuffer<Three> Threes : register(t2);
StructuredBuffer<uint4> Fours : register(t3);
StructuredBuffer<Six> Sixes : register(t4);
RWStructuredBuffer<uint4> Out : register(u0);
RWStructuredBuffer<Three> Written : register(u1);

[numthreads(8, 1, 1)]
void main(uint id : SV_GroupIndex)
{
    uint at = Indices[id];
    Out[id] = uint4(Words[at], Threes[at].b, Fours[at].z, Sixes[at].b.y);
    Written[at].c = 9;
    InterlockedAdd(Written[at].a, 1);
}
