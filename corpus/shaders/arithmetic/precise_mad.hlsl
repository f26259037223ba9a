// trellis: cs_6_2 main -enable-16bit-types
// mad of precise values: the product is rounded before the sum, in each type.

struct Values
{
    float a, b, c;
    half ha, hb, hc;
    double da, db, dc;
};

struct Results
{
    float exact;
    half h;
    double d;
};

StructuredBuffer<Values> values : register(t0);
RWStructuredBuffer<Results> results : register(u0);

[numthreads(4, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    Values v = values[id];
    precise float exact = mad(v.a, v.b, v.c);
    precise half h = mad(v.ha, v.hb, v.hc);
    precise double d = mad(v.da, v.db, v.dc);
    Results r;
    r.exact = exact;
    r.h = h;
    r.d = d;
    results[id] = r;
}
