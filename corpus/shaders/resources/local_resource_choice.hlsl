// trellis: cs_6_0 main
// Resources chosen by a condition and passed to functions: the compiler turns them into indices or branches.

Buffer<float4> Tables[4] : register(t0);
RWStructuredBuffer<float4> Out : register(u0);
cbuffer Params : register(b0) { uint which; };

float4 fetch(Buffer<float4> table, uint i) { return table[i] * table[i + 1]; }

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    Buffer<float4> table = Tables[0];
    if (which > 5)
        table = Tables[which & 3];
    Out[id] = fetch(table, id);
}
