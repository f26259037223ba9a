// trellis: cs_6_2 main -enable-16bit-types
// Structured buffers of structs with 16-bit, 64-bit and boolean fields.

struct Small { half a; uint16_t b; half3 c; int16_t2 d; bool e; };
struct Large { uint64_t a; double2 b; int64_t3 c; half d; };
StructuredBuffer<Small> InS : register(t0);
StructuredBuffer<Large> InL : register(t1);
RWStructuredBuffer<Small> OutS : register(u0);
RWStructuredBuffer<Large> OutL : register(u1);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    Small s = InS[id];
    s.a += s.c.y;
    s.b ^= (uint16_t)s.d.x;
    s.e = !s.e;
    OutS[id] = s;
    Large l = InL[id];
    l.a += (uint64_t)l.c.z;
    l.b.y = l.b.x * 2;
    l.d = (half)l.b.x;
    OutL[id] = l;
}
