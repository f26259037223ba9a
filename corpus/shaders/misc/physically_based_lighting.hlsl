// trellis: ps_6_0 main
// A usual forward-lighting pixel shader: textures, a light loop, Fresnel, shadow comparison.

struct Light { float3 position; float range; float3 color; int shadow; };
cbuffer Frame : register(b0) { float3 eye; uint lightCount; float4x4 shadowMatrix[4]; };
StructuredBuffer<Light> Lights : register(t0);
Texture2D<float4> Albedo : register(t1);
Texture2D<float3> NormalMap : register(t2);
Texture2DArray<float> Shadows : register(t3);
SamplerState Smp : register(s0);
SamplerComparisonState ShadowSmp : register(s1);

struct Input { float4 pos : SV_Position; float3 world : WORLD; float3 n : NORMAL; float4 t : TANGENT; float2 uv : TEXCOORD0; };

float distribution(float nh, float a) { float d = nh * nh * (a * a - 1) + 1; return a * a / (3.14159 * d * d); }

float4 main(Input i) : SV_Target
{
    float4 albedo = Albedo.Sample(Smp, i.uv);
    if (albedo.a < 0.5)
        discard;
    float3 m = NormalMap.Sample(Smp, i.uv) * 2 - 1;
    float3 n = normalize(i.n), t = normalize(i.t.xyz);
    n = normalize(m.x * t + m.y * cross(n, t) * i.t.w + m.z * n);
    float3 v = normalize(eye - i.world), sum = albedo.rgb * 0.03;
    [loop]
    for (uint k = 0; k < lightCount; k++)
    {
        Light light = Lights[k];
        float3 l = light.position - i.world;
        float dist = length(l);
        if (dist > light.range)
            continue;
        l /= dist;
        float visible = 1;
        if (light.shadow >= 0)
        {
            float4 s = mul(shadowMatrix[light.shadow & 3], float4(i.world, 1));
            visible = Shadows.SampleCmpLevelZero(ShadowSmp, float3(s.xy / s.w, light.shadow), s.z / s.w);
            if (visible == 0)
                continue;
        }
        float3 h = normalize(v + l);
        float f = pow(1 - saturate(dot(h, v)), 5);
        sum += light.color * saturate(dot(n, l)) * visible * (albedo.rgb + distribution(saturate(dot(n, h)), 0.3) * f);
    }
    return float4(sum, albedo.a);
}
