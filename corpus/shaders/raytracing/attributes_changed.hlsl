// trellis: lib_6_3 library
// trellis.od: lib_6_3 library -Od
// Any-hit and closest-hit shaders that change their parameter of hit attributes: others do not see it.

RaytracingAccelerationStructure Scene : register(t0);
RWStructuredBuffer<float4> Out : register(u0);

struct Payload
{
    float4 seen;
};

[shader("raygeneration")]
void Generate()
{
    uint at = DispatchRaysIndex().x;
    RayDesc ray;
    ray.Origin = float3(at * 0.25 + 0.125, 0.25, -1);
    ray.Direction = float3(0, 0, 1);
    ray.TMin = 0;
    ray.TMax = 10;
    Payload payload = { float4(0, 0, 0, 0) };
    TraceRay(Scene, RAY_FLAG_NONE, 0xFF, 0, 1, 0, ray, payload);
    Out[at] = payload.seen;
}

[shader("miss")]
void Missed(inout Payload payload)
{
    payload.seen = 9;
}

[shader("anyhit")]
void Any(inout Payload payload, BuiltInTriangleIntersectionAttributes attributes)
{
    for (uint k = 0; k < 4; k++)
    {
        if (attributes.barycentrics[k & 1] > 1)
            break;
        attributes.barycentrics[k & 1] += 0.5;
    }
    payload.seen.zw += attributes.barycentrics;
}

[shader("closesthit")]
void Hit(inout Payload payload, BuiltInTriangleIntersectionAttributes attributes)
{
    attributes.barycentrics.x *= 4;
    payload.seen.xy = attributes.barycentrics;
}
