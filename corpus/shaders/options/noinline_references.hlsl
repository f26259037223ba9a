// trellis: cs_6_0 main
// trellis.od: cs_6_0 main -Od
// Functions that are not to be inlined and change local arrays of their callers: the module keeps calls with pointers.

StructuredBuffer<float> In : register(t0);
RWStructuredBuffer<float> Out : register(u0);

[noinline]
void modify(inout float a[8], uint i, out float q)
{
    if (a[i & 7] > 3)
    {
        q = 0;
        return;
    }
    a[i & 7] += 2;
    q = a[(i + 1) & 7];
}

[noinline]
float twice(inout float a[8], uint i)
{
    float x, y;
    modify(a, i, x);
    modify(a, i + 3, y);
    return x * y;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    float a[8];
    for (uint i = 0; i < 8; i++)
        a[i] = In[id * 8 + i];
    float q;
    modify(a, id, q);
    Out[id] = q + twice(a, id) + a[id & 7];
}
