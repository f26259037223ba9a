// trellis: cs_6_0 main
// Unsigned division by zero gives all ones, as quotient and as remainder; signed division rounds toward zero.
StructuredBuffer<int2> In : register(t0);
RWStructuredBuffer<int4> Out : register(u0);

[numthreads(4, 1, 1)]
void main(uint i : SV_DispatchThreadID) {
    int2 v = In[i];
    uint2 u = (uint2)v;
    Out[i] = int4(u.x / u.y, u.x % u.y, v.y == 0 ? 0 : v.x / v.y, v.y == 0 ? 0 : v.x % v.y);
}
