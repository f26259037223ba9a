// trellis: cs_6_0 main
// Boolean logic on values: not, and, or, exclusive or, comparison, vectors of conditions, and use as numbers.

StructuredBuffer<uint4> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint4 v = In[id];
    bool4 b = v > In[id + 1];
    bool a = b.x ^ b.y, c = !b.z, d = a == c;
    Out[id * 4] = a + c * 2 + d * 4;
    Out[id * 4 + 1] = any(b) + all(b) * 2 + any(and(b, v < 5)) * 4 + all(or(b, v > 7)) * 8;
    Out[id * 4 + 2] = select(b, v, v.wzyx).y;
    Out[id * 4 + 3] = -(int)a ^ (d ? 0xff : 0xf0);
}
