// trellis: cs_6_6 main
// Quads are four lanes in a row; derivatives are differences in them.
RWStructuredBuffer<uint4> Out : register(u0);
RWStructuredBuffer<float4> Slopes : register(u1);

[numthreads(8, 1, 1)]
void main(uint i : SV_GroupIndex) {
    Out[i] = uint4(QuadReadAcrossX(i), QuadReadAcrossY(i), QuadReadAcrossDiagonal(i), QuadReadLaneAt(i, 2));
    float square = i * i;
    Slopes[i] = float4(ddx_coarse(square), ddy_coarse(square), ddx_fine(square), ddy_fine(square));
}
