// trellis: lib_6_3 library
// trellis.od: lib_6_3 library -Od
// A closest-hit shader that switches over the kind of the hit and returns early; culling by ray flags.

RaytracingAccelerationStructure Scene : register(t0);
RWStructuredBuffer<uint2> Out : register(u0);

struct Payload
{
    uint code;
    uint rounds;
};

[shader("raygeneration")]
void Generate()
{
    uint at = DispatchRaysIndex().x;
    RayDesc ray;
    ray.Origin = float3((at & 3) + 0.25, 0.25, -1);
    ray.Direction = float3(0, 0, 1);
    ray.TMin = 0;
    ray.TMax = 10;
    Payload payload = { 0, 0 };
    uint flags = at < 4 ? RAY_FLAG_NONE : at < 8 ? RAY_FLAG_CULL_BACK_FACING_TRIANGLES : RAY_FLAG_CULL_FRONT_FACING_TRIANGLES;
    TraceRay(Scene, flags, at == 11 ? 2 : 0xFF, 0, 1, 0, ray, payload);
    Out[at] = uint2(payload.code, payload.rounds);
}

[shader("miss")]
void Missed(inout Payload payload)
{
    payload.code = RayFlags() + 1;
}

[shader("closesthit")]
void Hit(inout Payload payload, BuiltInTriangleIntersectionAttributes attributes)
{
    if (InstanceID() == 9)
        return;
    uint code = 1000;
    for (uint k = 0; k < 8; k++)
    {
        payload.rounds++;
        switch (HitKind())
        {
        case HIT_KIND_TRIANGLE_FRONT_FACE:
            if (k == InstanceID())
            {
                payload.code = code + 1;
                return;
            }
            code += 10;
            break;
        case HIT_KIND_TRIANGLE_BACK_FACE:
            code += 100;
            if (k == 2)
                k += 4;
            continue;
        default:
            code = 7;
        }
        code++;
    }
    payload.code = code;
}
