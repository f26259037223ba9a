// trellis: cs_6_2 main -enable-16bit-types
// 16-bit and 64-bit types in groupshared memory.

StructuredBuffer<half4> In : register(t0);
RWStructuredBuffer<half4> Out : register(u0);
groupshared half4 colors[64];
groupshared uint16_t bits[64];
groupshared double wide[64];

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID, uint lane : SV_GroupIndex)
{
    colors[lane] = In[id];
    bits[lane] = (uint16_t)id;
    wide[lane] = (double)id * 0.5;
    GroupMemoryBarrierWithGroupSync();
    Out[id] = colors[63 - lane] + (half)bits[lane ^ 1] + (half)(float)wide[lane ^ 2];
}
