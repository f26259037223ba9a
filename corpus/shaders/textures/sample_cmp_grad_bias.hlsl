// trellis: ps_6_8 main
// Comparison samples with gradients and with a bias, and the level of detail of comparison samplers
// (shader model 6.8).

Texture2D<float> T : register(t0);
TextureCube<float> C : register(t1);
Texture2DArray<float> A : register(t2);
SamplerComparisonState S : register(s0);

float4 main(float3 at : AT, float depth : DEPTH) : SV_Target
{
    float2 dx = ddx(at.xy) * 2, dy = ddy(at.xy);
    float4 sum = 0;
    sum.x += T.SampleCmpGrad(S, at.xy, depth, dx, dy);
    sum.y += C.SampleCmpGrad(S, at, depth, ddx(at), ddy(at), 1.0);
    sum.z += A.SampleCmpGrad(S, at, depth, dx, dy, int2(1, -1), 0.5);
    sum.w += T.SampleCmpBias(S, at.xy, depth, 1.5);
    sum.x += C.SampleCmpBias(S, at, depth, 0.5, 2.0);
    sum.y += A.SampleCmpBias(S, at, depth, 0.5, int2(1, 2));
    sum.z += T.CalculateLevelOfDetail(S, at.xy);
    sum.w += T.CalculateLevelOfDetailUnclamped(S, at.xy);
    uint status;
    sum.x += T.SampleCmpGrad(S, at.xy, depth, dx, dy, int2(1, 1), 0.5, status);
    sum.y += CheckAccessFullyMapped(status) ? 1 : 0;
    sum.z += T.SampleCmpBias(S, at.xy, depth, 2.5, int2(1, 1), 0.5, status);
    sum.w += CheckAccessFullyMapped(status) ? 1 : 0;
    return sum;
}
