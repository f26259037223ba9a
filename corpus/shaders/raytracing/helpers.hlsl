// trellis: lib_6_3 library
// trellis.sm66: lib_6_6 library
// Functions that are not inlined: with payloads by reference, and with a resource; one that ends the any-hit shader.

RaytracingAccelerationStructure Scene : register(t0);
RWStructuredBuffer<float4> Out : register(u0);
StructuredBuffer<float> In : register(t1);

struct Payload
{
    float3 color;
    uint steps;
};

[noinline]
float Weigh(float a, uint b)
{
    return a * 2 + In[b & 3];
}

[noinline]
void Trace(float3 from, inout Payload payload)
{
    RayDesc ray;
    ray.Origin = from;
    ray.Direction = float3(0, 0, 1);
    ray.TMin = 0;
    ray.TMax = 10;
    TraceRay(Scene, RAY_FLAG_NONE, 0xFF, 0, 1, 0, ray, payload);
    payload.steps += 10;
}

[noinline]
void Write(RWStructuredBuffer<float4> to, uint at, Payload payload)
{
    to[at] = float4(payload.color, payload.steps);
}

void Judge(uint primitive)
{
    if (primitive == 1)
        IgnoreHit();
    if (primitive == 2)
        AcceptHitAndEndSearch();
}

[shader("raygeneration")]
void Generate()
{
    uint at = DispatchRaysIndex().x;
    Payload payload = { float3(0, 0, 0), 0 };
    Trace(float3(at + 0.25, 0.25, -1), payload);
    if (payload.steps < 15)
        Trace(float3(at + 1.25, 0.25, -1), payload);
    Write(Out, at, payload);
}

[shader("miss")]
void Missed(inout Payload payload)
{
    payload.color.y += Weigh(payload.color.x, payload.steps);
}

[shader("anyhit")]
void Any(inout Payload payload, BuiltInTriangleIntersectionAttributes attributes)
{
    payload.color.z += 1u << PrimitiveIndex();
    Judge(PrimitiveIndex());
    payload.color.z += 100;
}

[shader("closesthit")]
void Hit(inout Payload payload, BuiltInTriangleIntersectionAttributes attributes)
{
    payload.color.x += Weigh(attributes.barycentrics.x, PrimitiveIndex());
    payload.steps += 5;
}
