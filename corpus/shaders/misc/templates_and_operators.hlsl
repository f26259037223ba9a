// trellis: cs_6_0 main -HV 2021
// HLSL 2021: templates, operator overloads, bit fields.

struct Fraction
{
    uint n, d;
    Fraction operator+(Fraction o) { Fraction r = { n * o.d + o.n * d, d * o.d }; return r; }
};
struct Packed { uint a : 5; uint b : 11; int c : 16; };

template <typename T> T twice(T v) { return v + v; }

StructuredBuffer<Fraction> In : register(t0);
RWStructuredBuffer<Fraction> Out : register(u0);
RWStructuredBuffer<Packed> Bits : register(u1);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    Fraction f = In[id] + In[id + 1];
    Packed p = Bits[id];
    p.b = twice(p.a);
    p.c -= (int)f.n;
    Bits[id] = p;
    f.n = twice(f.n);
    Out[id] = f;
}
