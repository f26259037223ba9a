namespace Sea
{
    static const float Amplitude = 0.25;
    struct Wave { float2 direction; float phase; };
}

cbuffer Camera : register(b0) { float4x4 View; };
StructuredBuffer<Sea::Wave> Waves : register(t0);

float2 slope(float2 at, uint index)
{
    Sea::Wave wave = Waves[index];
    float angle = dot(at, wave.direction) + wave.phase;
    return wave.direction * cos(angle) * Sea::Amplitude;
}
