// trellis: cs_6_0 main
// static const arrays of int, float and vectors with a dynamic index: constant tables in the module.

static const uint primes[8] = { 2, 3, 5, 7, 11, 13, 17, 19 };
static const float weights[5] = { 0.0625, 0.25, 0.375, 0.25, 0.0625 };
static const float3 axes[3] = { float3(1, 0, 0), float3(0, 1, 0), float3(0, 0, 1) };
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<float4> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint v = In[id];
    Out[id] = float4(axes[v % 3], weights[v % 5]) * primes[v & 7];
}
