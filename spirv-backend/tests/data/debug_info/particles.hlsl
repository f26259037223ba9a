// Compiled by DXC 1.7:
//   dxc -T cs_6_0 -E main -Zi -Qembed_debug particles.hlsl -Fo particles.dxil
//   dxc -T cs_6_0 -E main -Zi -Qembed_debug -Od particles.hlsl -Fo particles.od.dxil

struct Particle { float3 position; float mass; int2 cell; };
RWStructuredBuffer<Particle> Particles : register(u0);
cbuffer Params : register(b0) { float3x4 Transform; uint Count; };
groupshared float Shared[64];

float square(float x)
{
    float y = x * x;
    return y;
}

float total(float3 v, uint n)
{
    float sum = 0;
    for (uint i = 0; i < n; ++i)
    {
        float s = square(v.x + i);
        if (s > 10)
            sum += s;
        else
            sum -= v.y;
    }
    return sum;
}

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID, uint lane : SV_GroupIndex)
{
    Particle p = Particles[id.x];
    float weights[4] = { 1, 2, 3, 4 };
    weights[id.x & 3] += p.mass;
    Shared[lane] = total(p.position, Count);
    GroupMemoryBarrierWithGroupSync();
    p.mass = Shared[lane ^ 1] + weights[id.y & 3];
    p.position = mul(Transform, float4(p.position, 1));
    Particles[id.x] = p;
}
