// trellis: cs_6_0 main
// Samples: filters, mip levels, addresses outside the texture, offsets, comparisons, gathers, cubes.
Texture2D<float> T : register(t0);
TextureCube<float> C : register(t1);
SamplerState Point : register(s0);
SamplerState Linear : register(s1);
SamplerState Wrap : register(s2);
SamplerState Border : register(s3);
SamplerState Mirror : register(s4);
SamplerComparisonState Compare : register(s5);
RWStructuredBuffer<float> Out : register(u0);

[numthreads(1, 1, 1)]
void main() {
    // Texel (2, 1).
    Out[0] = T.SampleLevel(Point, float2(0.625, 0.375), 0);
    // The mean of (1, 1), (2, 1), (1, 2) and (2, 2); then of that and the mean of the next level.
    Out[1] = T.SampleLevel(Linear, float2(0.5, 0.5), 0);
    Out[2] = T.SampleLevel(Linear, float2(0.5, 0.5), 0.5);
    Out[3] = T.SampleLevel(Point, float2(0.25, 0.25), 0.75);
    Out[4] = T.SampleLevel(Wrap, float2(0, 0.125), 0);
    Out[5] = T.SampleLevel(Border, float2(-0.1, 0.125), 0);
    Out[6] = T.SampleLevel(Linear, float2(1, 0.125), 0);
    Out[7] = T.SampleLevel(Mirror, float2(-0.375, 0.125), 0);
    // The last row first, from left to right; then the first from right to left.
    float4 gathered = T.Gather(Point, float2(0.5, 0.5));
    Out[8] = gathered.x;
    Out[9] = gathered.y;
    Out[10] = gathered.z;
    Out[11] = gathered.w;
    // Two of the four texels are at least 15.
    Out[12] = T.SampleCmpLevelZero(Compare, float2(0.5, 0.5), 15);
    Out[13] = T.SampleLevel(Point, float2(0.125, 0.125), 0, int2(2, 1));
    // Two texels to the neighbour: level 1.
    Out[14] = T.SampleGrad(Point, float2(0.125, 0.125), float2(0.5, 0), 0);
    // Face -Z, texel (1, 1).
    Out[15] = C.SampleLevel(Point, float3(-0.5, -0.5, -1), 0);
}
