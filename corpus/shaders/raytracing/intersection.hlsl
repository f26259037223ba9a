// trellis: lib_6_3 library
// trellis.od: lib_6_3 library -Od
// Spheres: an intersection shader that reports both of its hits in a loop, with attributes of its own.

RaytracingAccelerationStructure Scene : register(t0);
StructuredBuffer<float4> Spheres : register(t1);
RWStructuredBuffer<float4> Out : register(u0);

struct Payload
{
    float t;
    float3 normal;
};

struct Attributes
{
    float3 normal;
    uint inside;
};

[shader("raygeneration")]
void Generate()
{
    uint at = DispatchRaysIndex().x;
    RayDesc ray;
    ray.Origin = float3(at * 0.5 - 1, 0, -4 + (at & 1) * 4);
    ray.Direction = float3(0, 0, 2);
    ray.TMin = 0.0625;
    ray.TMax = 100;
    Payload payload = { -1, float3(0, 0, 0) };
    TraceRay(Scene, RAY_FLAG_NONE, 0xFF, 0, 1, 0, ray, payload);
    Out[at] = float4(payload.normal, payload.t);
}

[shader("miss")]
void Missed(inout Payload payload)
{
    payload.t = RayTCurrent();
}

[shader("intersection")]
void Sphere()
{
    float4 sphere = Spheres[PrimitiveIndex()];
    float3 from = ObjectRayOrigin() - sphere.xyz;
    float3 direction = ObjectRayDirection();
    float a = dot(direction, direction);
    float b = dot(from, direction);
    float c = dot(from, from) - sphere.w * sphere.w;
    float under = b * b - a * c;
    if (under < 0)
        return;
    for (uint k = 0; k < 2; k++)
    {
        float t = (-b + (k == 0 ? -sqrt(under) : sqrt(under))) / a;
        Attributes attributes;
        attributes.normal = (from + t * direction) / sphere.w;
        attributes.inside = k;
        if (t >= RayTMin() && ReportHit(t, 5 + k, attributes))
            return;
    }
}

[shader("closesthit")]
void Hit(inout Payload payload, Attributes attributes)
{
    payload.t = RayTCurrent();
    payload.normal = attributes.inside ? -attributes.normal : attributes.normal;
    payload.normal.y = HitKind();
}
