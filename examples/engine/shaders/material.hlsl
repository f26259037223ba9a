// trellis: cs_6_0 main
// Makes a material's texture: color, and roughness in alpha. Each one repeats without seams.

cbuffer Constants : register(b0)
{
    uint kind;
    uint size; // of a side, in texels
};

RWTexture2D<float4> Output : register(u0);

float random(uint2 p)
{
    uint h = (p.x * 0x9E3779B1u) ^ (p.y * 0x85EBCA77u);
    h = (h ^ (h >> 15)) * 0x2C1B3C6Du;
    h = (h ^ (h >> 12)) * 0x297A2D39u;
    return (h ^ (h >> 15)) / 4294967295.0;
}

// Noise that repeats after `period` cells.
float noise(float2 p, uint period)
{
    float2 cell = floor(p), f = p - cell;
    f = f * f * (3 - 2 * f);
    uint2 a = (uint2)((int2)cell) % period, b = (a + 1) % period;
    return lerp(lerp(random(a), random(uint2(b.x, a.y)), f.x),
                lerp(random(uint2(a.x, b.y)), random(b), f.x), f.y);
}

float fractal(float2 uv, uint period)
{
    float sum = 0, weight = 0.5;
    for (int octave = 0; octave < 6; ++octave)
    {
        sum += weight * noise(uv * period, period);
        period *= 2;
        weight *= 0.5;
    }
    return sum;
}

float4 tiles(float2 uv)
{
    float2 at = uv * 4, cell = floor(at), f = abs(frac(at) - 0.5);
    bool dark = (uint)(cell.x + cell.y) % 2 == 1;
    float grain = fractal(uv, 8), vein = pow(1 - abs(2 * fractal(uv + 0.1 * grain, 4) - 1), 12);
    float3 color = dark ? float3(0.23, 0.21, 0.21) + 0.06 * grain + 0.16 * vein
                        : float3(0.56, 0.51, 0.45) * (0.80 + 0.3 * grain) - 0.18 * vein;
    color *= 0.88 + 0.24 * random((uint2)cell + 7);
    float gap = smoothstep(0.484, 0.492, max(f.x, f.y));
    return lerp(float4(color, 0.42 + 0.25 * grain), float4(0.05, 0.045, 0.04, 0.9), gap);
}

float4 marble(float2 uv)
{
    float warp = fractal(uv, 4);
    float vein = pow(1 - abs(2 * frac(3 * uv.x + 2 * uv.y + 1.3 * warp) - 1), 9);
    float3 color = lerp(float3(0.93, 0.91, 0.88), float3(0.16, 0.13, 0.16), 0.75 * vein);
    return float4(color * (0.85 + 0.3 * warp), 0.16 + 0.2 * vein);
}

float4 gold(float2 uv)
{
    float band = smoothstep(0.28, 0.31, abs(frac(8 * uv.x + 2 * uv.y) - 0.5));
    float scratches = noise(uv * float2(16, 512), 512);
    float3 color = lerp(float3(1.0, 0.66, 0.22), float3(0.04, 0.20, 0.26), band);
    return float4(color, lerp(0.22 + 0.12 * scratches, 0.42, band));
}

float4 steel(float2 uv)
{
    float rings = 0.5 + 0.5 * cos(6.28318 * 16 * uv.y);
    float grain = fractal(uv, 16);
    return float4((0.72 + 0.2 * grain).xxx, 0.20 + 0.18 * rings + 0.1 * grain);
}

[RootSignature("RootConstants(num32BitConstants=2, b0), DescriptorTable(UAV(u0))")]
[numthreads(8, 8, 1)]
void main(uint2 id : SV_DispatchThreadID)
{
    float2 uv = (id + 0.5) / size;
    float4 texel;
    switch (kind)
    {
    case 0: texel = tiles(uv); break;
    case 1: texel = marble(uv); break;
    case 2: texel = gold(uv); break;
    default: texel = steel(uv); break;
    }
    Output[id] = texel;
}
