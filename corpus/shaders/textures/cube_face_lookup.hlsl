// trellis: cs_6_0 main
// A cube map's direction for each face by a switch, sampled at a level, written to an array.

TextureCube<float4> Cube : register(t0);
SamplerState Smp : register(s0);
RWTexture2DArray<float4> Out : register(u0);

[numthreads(8, 8, 1)]
void main(uint3 id : SV_DispatchThreadID)
{
    float2 p = id.xy / 64.0 - 1;
    float3 d;
    switch (id.z)
    {
    case 0: d = float3(1, p.y, -p.x); break;
    case 1: d = float3(-1, p.y, p.x); break;
    case 2: d = float3(p.x, 1, -p.y); break;
    case 3: d = float3(p.x, -1, p.y); break;
    case 4: d = float3(p, 1); break;
    default: d = float3(-p.x, p.y, -1); break;
    }
    Out[id] = Cube.SampleLevel(Smp, d, 2);
}
