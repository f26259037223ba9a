// trellis: cs_6_0 main
// Resources of different classes at the same register and space, which Direct3D keeps apart.

cbuffer C : register(b0) { uint factor; };
StructuredBuffer<uint> T : register(t0);
RWStructuredBuffer<uint> U : register(u0);
Texture2D<float4> Tex : register(t0, space1);
SamplerState S : register(s0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    U[id] = T[id] * factor + (uint)Tex.SampleLevel(S, id * 0.1, 0).x;
}
