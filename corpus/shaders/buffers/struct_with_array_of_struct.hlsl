// trellis: cs_6_0 main
// A dynamic index two levels deep into a structured buffer's element.

struct Leaf { float2 a; float b; };
struct Branch { Leaf leaves[4]; uint count; };
struct Tree { Branch branches[3]; float4x3 m[2]; };
RWStructuredBuffer<Tree> Trees : register(u0);
RWStructuredBuffer<float> Out : register(u1);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint b = id % 3, l = id & 3;
    float v = Trees[id].branches[b].leaves[l].b;
    Trees[id].branches[b].leaves[l].a.y = v * 2;
    Trees[id].branches[b].count++;
    Out[id] = v + Trees[id].m[id & 1][l][b];
}
