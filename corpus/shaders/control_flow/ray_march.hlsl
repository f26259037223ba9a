// trellis: ps_6_0 main
// A screen-space ray march: coarse steps, a hit test, a binary refinement loop, and three ways out.

Texture2D<float> Depth : register(t0);
SamplerState Smp : register(s0);
cbuffer Params : register(b0) { uint steps; uint refine; float thickness; float2 direction; };

float4 main(float2 uv : TEXCOORD0, float z : DEPTHCOORD) : SV_Target
{
    float2 at = uv;
    float2 delta = direction;
    float ray = z;
    [loop]
    for (uint i = 0; i < steps; i++)
    {
        at += delta;
        ray += 0.01;
        [branch]
        if (any(at < 0) || any(at > 1))
            return float4(0, 0, 0, 1);
        float d = Depth.SampleLevel(Smp, at, 0);
        [branch]
        if (d < ray)
        {
            [branch]
            if (ray - d > thickness)
                continue;
            [loop]
            for (uint j = 0; j < refine; j++)
            {
                delta *= 0.5;
                d = Depth.SampleLevel(Smp, at, 0);
                [branch]
                if (abs(d - ray) < 0.0001)
                    return float4(at, d, i);
                at += d < ray ? -delta : delta;
            }
            return float4(at, ray, 0);
        }
    }
    return float4(at, 0, -1);
}
