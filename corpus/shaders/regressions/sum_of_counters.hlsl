// trellis: cs_6_0 main
// The compiler knows the sum of 0 to n - 1, and computes it in integers of 33 bits.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint n = In[id], sum = 0, squares = 0;
    for (uint i = 0; i < n; i++)
        sum += i;
    Out[id] = sum;
    for (uint j = 0; j < n; j++)
        squares += j * j;
    Out[id + 64] = squares;
}
