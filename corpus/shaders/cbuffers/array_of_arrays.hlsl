// trellis: cs_6_0 main
// Arrays of arrays, of matrices and of structs in a constant buffer, by dynamic index.

struct Cell { float2 a; float b[3]; };
cbuffer Params : register(b0)
{
    float grid[3][2];
    float3x3 frames[4];
    row_major float2x3 rows[2];
    Cell cells[2][2];
};
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<float> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint v = In[id];
    Out[id] = grid[v % 3][v & 1] + frames[v & 3][v % 3][1] + rows[v & 1][1][v % 3] + cells[v & 1][v >> 1 & 1].b[v % 3];
}
