// trellis: cs_6_0 main
// A local array of structs and a two-dimensional local array, written and read by dynamic index.

struct Entry { float2 a; uint b; };
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<float4> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    Entry entries[4];
    int grid[3][5];
    [loop]
    for (uint i = 0; i < 15; i++)
    {
        entries[i & 3].a = float2(i, In[i]);
        entries[i & 3].b = In[id + i];
        grid[i / 5][i % 5] = (int)In[id + i + 1];
    }
    uint v = In[id];
    Entry e = entries[v & 3];
    Out[id] = float4(e.a, e.b, grid[v % 3][v % 5]);
}
