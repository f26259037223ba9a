// trellis: cs_6_0 main
// Loads from a texture's mip levels and stores to a writable texture, whole.

Texture2D<float4> In : register(t0);
RWTexture2D<float4> Out : register(u0);

[numthreads(8, 8, 1)]
void main(uint2 id : SV_DispatchThreadID)
{
    float4 a = In.Load(int3(id, 0));
    float4 b = In.Load(int3(id, 1), int2(1, -1));
    float4 c = In[id + 1];
    float4 d = In.mips[2][id];
    Out[id] = a + b + c + d;
}
