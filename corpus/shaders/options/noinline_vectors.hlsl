// trellis: cs_6_0 main -Vd
// A chain of functions that are not to be inlined, with vectors: some calls can stay, those with references cannot. (DXC's validator refuses vectors.)

Texture2D<float4> Tex : register(t0);
SamplerState Smp : register(s0);
RWStructuredBuffer<float4> Out : register(u0);

[noinline]
float4 fetch(float2 uv)
{
    return Tex.SampleLevel(Smp, uv, 0);
}

[noinline]
void brighten(inout float4 color, float2 uv)
{
    [loop]
    for (uint i = 0; i < 4; i++)
    {
        if (color.w > 1)
            break;
        color += fetch(uv * i);
    }
}

[noinline]
void both(inout float4 a, inout float4 b, float2 uv)
{
    brighten(a, uv);
    brighten(b, uv.yx);
}

[numthreads(8, 8, 1)]
void main(uint2 id : SV_DispatchThreadID)
{
    float4 a = 0, b = 0.5;
    both(a, b, id / 8.0);
    Out[id.y * 64 + id.x] = a * b;
}
