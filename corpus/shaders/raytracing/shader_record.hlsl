// trellis: lib_6_3 library
// Constants of a local root signature: each record of the shader table has its own.

RaytracingAccelerationStructure Scene : register(t0);
RWStructuredBuffer<float4> Out : register(u0);

struct Surface
{
    float3 color;
    uint steps;
    float2 pair;
    uint last;
};
[[vk::shader_record_ext]]
ConstantBuffer<Surface> Own : register(b0, space7);

struct Payload
{
    float4 color;
};

[shader("raygeneration")]
void Generate()
{
    uint at = DispatchRaysIndex().x;
    RayDesc ray;
    ray.Origin = float3(at * 0.5 + 0.125, 0.25, -1);
    ray.Direction = float3(0, 0, 1);
    ray.TMin = 0;
    ray.TMax = 10;
    Payload payload;
    payload.color = Own.color.x;
    TraceRay(Scene, RAY_FLAG_NONE, 0xFF, 0, 1, Own.steps, ray, payload);
    Out[at] = payload.color;
}

[shader("miss")]
void Missed(inout Payload payload)
{
    payload.color += float4(Own.color, Own.pair.y);
}

[shader("closesthit")]
void Hit(inout Payload payload, BuiltInTriangleIntersectionAttributes attributes)
{
    for (uint k = 0; k < Own.steps; k++)
        payload.color.xyz += Own.color;
    payload.color.w = Own.pair.x + Own.last;
}
