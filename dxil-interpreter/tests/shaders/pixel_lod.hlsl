// trellis: ps_6_0 main
// The level of detail of an implicit sample comes from the quad.
Texture2D<float> Levels : register(t0);
SamplerState Point : register(s0);

float2 main(float2 uv : UV) : SV_Target {
    return float2(Levels.Sample(Point, uv), Levels.CalculateLevelOfDetail(Point, uv));
}
