// trellis: ps_6_0 main
// Minimum-precision floats and integers in a pixel shader's inputs, arithmetic and outputs.

cbuffer Params : register(b0) { min16float4 scale; min16int shift; min16uint mask; };

min16float4 main(min16float4 c : COLOR, nointerpolation min16int i : I, nointerpolation min16uint u : U) : SV_Target
{
    min16float4 r = c * scale + (min16float)0.25;
    r.x += (min16float)(i >> shift);
    r.y += (min16float)(u & mask);
    return sqrt(abs(r));
}
