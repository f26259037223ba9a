// trellis: cs_6_0 main -Vd
// trellis.od: cs_6_0 main -Od -Vd
// Functions that are not to be inlined and take and return structs: DXC's validator refuses them, so it is off.

StructuredBuffer<float> In : register(t0);
RWStructuredBuffer<float4> Out : register(u0);

struct Part
{
    float a;
    float b[2];
    uint c;
};

[noinline]
Part make(float x, uint c)
{
    Part p;
    p.a = x;
    p.b[0] = x * 2;
    p.b[1] = In[c];
    p.c = c;
    return p;
}

[noinline]
float use(Part p, inout uint n)
{
    n += p.c;
    return p.a + p.b[n & 1];
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    Part p = make(In[id], id + 1);
    p.b[id & 1] = 4;
    uint n = id;
    float u = use(p, n);
    Out[id] = float4(u, n, p.b[0], p.a);
}
