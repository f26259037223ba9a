// trellis: ps_6_2 main -enable-16bit-types
// 16-bit inputs and outputs: half and integers.

struct Output { half4 a : SV_Target0; int16_t2 b : SV_Target1; uint16_t c : SV_Target2; };

Output main(half4 c : COLOR, nointerpolation int16_t2 i : I, nointerpolation uint16_t u : U)
{
    Output o = { c * (half)2, i + (int16_t)1, u ^ (uint16_t)3 };
    return o;
}
