// trellis: vs_6_0 main
// Semantic indices with gaps, in odd order and with the same name in two structs.

struct A { float2 t3 : TEXCOORD3; float4 c1 : COLOR1; };
struct B { float2 t0 : TEXCOORD0; float4 p : SV_Position; float t7 : TEXCOORD7; };

void main(A a, float3 p : POSITION2, out A outA, out B outB)
{
    outA.t3 = a.t3 * 2;
    outA.c1 = a.c1;
    outB.t0 = a.t3.yx;
    outB.p = float4(p, 1);
    outB.t7 = p.x;
}
