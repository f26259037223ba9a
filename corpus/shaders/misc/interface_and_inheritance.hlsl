// trellis: cs_6_0 main
// Structs that inherit and have methods.

struct Shape { float size; float area() { return size * size; } };
struct Circle : Shape { float pi; float round() { return pi * area(); } };
StructuredBuffer<float> In : register(t0);
RWStructuredBuffer<float> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    Circle c;
    c.size = In[id];
    c.pi = 3.14;
    Out[id] = c.round() + c.area();
}
