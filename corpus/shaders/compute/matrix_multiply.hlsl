// trellis: cs_6_0 main
// A tiled matrix product through groupshared memory.

StructuredBuffer<float> A : register(t0);
StructuredBuffer<float> B : register(t1);
RWStructuredBuffer<float> C : register(u0);
cbuffer Params : register(b0) { uint size; };
groupshared float tileA[8][8];
groupshared float tileB[8][8];

[numthreads(8, 8, 1)]
void main(uint3 id : SV_DispatchThreadID, uint3 t : SV_GroupThreadID)
{
    float sum = 0;
    [loop]
    for (uint k = 0; k < size; k += 8)
    {
        tileA[t.y][t.x] = A[id.y * size + k + t.x];
        tileB[t.y][t.x] = B[(k + t.y) * size + id.x];
        GroupMemoryBarrierWithGroupSync();
        [unroll]
        for (uint i = 0; i < 8; i++)
            sum += tileA[t.y][i] * tileB[i][t.x];
        GroupMemoryBarrierWithGroupSync();
    }
    C[id.y * size + id.x] = sum;
}
