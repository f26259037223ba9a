// trellis: cs_6_0 main
// Groupshared scalars, vectors, matrices, structs and two-dimensional arrays.

struct Cell { float2 a; uint b[3]; };
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<float4> Out : register(u0);
groupshared uint total;
groupshared float4 colors[32];
groupshared float2x3 transform;
groupshared Cell cells[64];
groupshared int grid[8][8];

[numthreads(8, 8, 1)]
void main(uint3 id : SV_GroupThreadID, uint lane : SV_GroupIndex, uint3 group : SV_GroupID)
{
    uint v = In[group.x * 64 + lane];
    if (lane == 0)
    {
        total = v;
        transform = float2x3(1, 2, 3, 4, 5, v);
    }
    if (lane < 32)
        colors[lane] = v;
    cells[lane].a.x = lane;
    cells[lane].a.y = v;
    cells[lane].b[v % 3] = lane;
    cells[lane].b[(v + 1) % 3] = v;
    cells[lane].b[(v + 2) % 3] = 7;
    grid[id.y][id.x] = (int)v;
    GroupMemoryBarrierWithGroupSync();
    float4 c = colors[31 - (lane & 31)] + total + transform[lane & 1][v % 3];
    c.xy += cells[(lane + 1) & 63].a;
    c.z += cells[lane ^ 5].b[lane % 3];
    c.w += grid[id.x][7 - id.y];
    Out[group.x * 64 + lane] = c;
}
