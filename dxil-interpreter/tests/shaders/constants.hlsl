// trellis: cs_6_0 main
// A constant buffer's rows of 16 bytes: an array takes a row an element, a vector does not straddle rows.
cbuffer Constants : register(b0) { float a; float3 b; uint c[2]; double d; };
RWStructuredBuffer<float4> Out : register(u0);

[numthreads(1, 1, 1)]
void main(uint i : SV_GroupID) {
    Out[0] = float4(a, b);
    Out[1] = float4(c[i], c[i + 1], d, 0);
}
