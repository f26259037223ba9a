// trellis: lib_6_3 library
// trellis.sm66: lib_6_6 library
// trellis.od: lib_6_3 library -Od
// Resources of every kind from a library's shaders: arrays, not uniform indices, samplers, constants, counters.

RaytracingAccelerationStructure Scenes[2] : register(t0);
Texture2D<float4> Textures[3] : register(t2);
Buffer<uint> Typed : register(t20);
ByteAddressBuffer Raw : register(t21);
SamplerState Nearest : register(s0);
RWStructuredBuffer<float4> Out : register(u0);
RWTexture2D<float4> Image : register(u1);
RWStructuredBuffer<uint> Counted : register(u2);

cbuffer Params : register(b0)
{
    float4 Scale;
    uint Count;
};

struct Material
{
    float4 color;
};
ConstantBuffer<Material> Materials[2] : register(b1);

struct Payload
{
    float4 color;
};

[shader("raygeneration")]
void Generate()
{
    uint2 at = DispatchRaysIndex().xy;
    uint2 size = DispatchRaysDimensions().xy;
    RayDesc ray;
    ray.Origin = float3(at + 0.25, -1);
    ray.Direction = float3(0, 0, 1);
    ray.TMin = 0;
    ray.TMax = 10;
    Payload payload;
    payload.color = Scale;
    TraceRay(Scenes[NonUniformResourceIndex(at.x & 1)], RAY_FLAG_NONE, 0xFF, 0, 1, 0, ray, payload);
    uint place = at.y * size.x + at.x;
    payload.color.w += Typed[place % Count] + Raw.Load(4 * (place & 1));
    Out[place] = payload.color;
    Image[at] = payload.color * 0.5;
    if (place == 3)
        Counted[Counted.IncrementCounter()] = 5;
}

[shader("miss")]
void Missed(inout Payload payload)
{
    uint2 at = DispatchRaysIndex().xy;
    payload.color += Materials[at.y & 1].color;
}

[shader("closesthit")]
void Hit(inout Payload payload, BuiltInTriangleIntersectionAttributes attributes)
{
    uint which = DispatchRaysIndex().x % 3;
    payload.color += Textures[NonUniformResourceIndex(which)].SampleLevel(Nearest, float2(0.25, 0.75), 0);
    payload.color.x += Textures[1].Load(int3(1, 0, 0)).y;
}
