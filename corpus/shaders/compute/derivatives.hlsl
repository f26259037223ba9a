// trellis: cs_6_6 main
// Derivatives and implicit-LOD sampling in a compute shader, in quads of a two-dimensional group (shader model 6.6).

Texture2D<float4> Tex : register(t0);
SamplerState Smp : register(s0);
SamplerComparisonState Cmp : register(s1);
RWTexture2D<float4> Out : register(u0);

[numthreads(8, 8, 1)]
void main(uint2 id : SV_DispatchThreadID)
{
    float2 uv = id * 0.1;
    float4 c = Tex.Sample(Smp, uv) + Tex.SampleBias(Smp, uv, 1);
    c.xy += ddx(uv * uv) + ddy_fine(uv * uv);
    c.z += Tex.CalculateLevelOfDetail(Smp, uv);
    Out[id] = c;
}
