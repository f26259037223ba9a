// trellis.zi: ps_6_0 main -Zi -Qembed_debug
// trellis.zi_od: ps_6_0 main -Zi -Od -Qembed_debug
// trellis.zs: ps_6_0 main -Zs
// trellis.zsb: ps_6_0 main -Zi -Qembed_debug -Zsb
// Debug information: an ILDB part with locations, variables and types, the source, and a debug name.

struct Light { float3 position; float3 color; };
StructuredBuffer<Light> Lights : register(t0);
cbuffer Params : register(b0) { uint count; float scale; };

float3 shade(Light light, float3 p)
{
    float3 delta = light.position - p;
    float falloff = saturate(1 - dot(delta, delta) * scale);
    return light.color * falloff;
}

float4 main(float3 p : POSITION0) : SV_Target
{
    float3 sum = 0;
    for (uint i = 0; i < count; i++)
    {
        float3 one = shade(Lights[i], p);
        if (all(one == 0))
            continue;
        sum += one;
    }
    return float4(sum, 1);
}
