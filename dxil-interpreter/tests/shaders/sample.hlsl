// trellis: cs_6_0 main
// A sample, which the model does not have.
Texture2D<float4> T : register(t0);
SamplerState S : register(s0);
RWStructuredBuffer<float4> Out : register(u0);

[numthreads(1, 1, 1)]
void main(uint i : SV_GroupIndex) {
    Out[i] = T.SampleLevel(S, float2(0.5, 0.5), 0);
}
