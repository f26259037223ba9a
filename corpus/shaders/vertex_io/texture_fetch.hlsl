// trellis: vs_6_0 main
// A vertex shader that loads and samples textures, and writes a UAV.

Texture2D<float> Height : register(t0);
SamplerState Smp : register(s0);
RWStructuredBuffer<uint> Seen : register(u0);

float4 main(float2 p : POSITION, uint id : SV_VertexID) : SV_Position
{
    float h = Height.SampleLevel(Smp, p, 0) + Height.Load(int3(p, 0));
    Seen[id] = 1;
    return float4(p, h, 1);
}
