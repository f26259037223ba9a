// trellis: vs_6_2 main -enable-16bit-types
// trellis.min: vs_6_0 main -Dhalf4=min16float4 -Dint16_t2=min16int2 -Duint16_t=min16uint
// 16-bit inputs and outputs, native and of minimum precision.

struct Output { float4 position : SV_Position; half4 h : H; nointerpolation int16_t2 i : I; nointerpolation uint16_t u : U; };

Output main(half4 h : H, int16_t2 i : I, uint16_t u : U)
{
    Output o;
    o.position = (float4)h;
    o.h = h * h;
    o.i = i + i;
    o.u = u;
    return o;
}
