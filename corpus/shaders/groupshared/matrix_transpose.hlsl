// trellis: cs_6_0 main
// A tile of a texture transposed through padded groupshared memory.

Texture2D<float4> In : register(t0);
RWTexture2D<float4> Out : register(u0);
groupshared float4 tile[16][17];

[numthreads(16, 16, 1)]
void main(uint3 local : SV_GroupThreadID, uint3 group : SV_GroupID)
{
    tile[local.y][local.x] = In[group.xy * 16 + local.xy];
    GroupMemoryBarrierWithGroupSync();
    Out[group.yx * 16 + local.xy] = tile[local.x][local.y];
}
