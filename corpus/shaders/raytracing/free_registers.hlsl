// trellis: lib_6_3 library
// Resources without a register, which an application's linker would give one: bindings that the
// others do not have.
RaytracingAccelerationStructure Scene : register(t0);
StructuredBuffer<uint> In;
RWStructuredBuffer<uint4> Out : register(u0);
RWStructuredBuffer<uint> Counted;
cbuffer Constants
{
    uint Scale;
};

struct Payload
{
    uint hit;
};

[shader("raygeneration")]
void Generate()
{
    uint at = DispatchRaysIndex().x;
    RayDesc ray;
    ray.Origin = float3(at + 0.25, 0.25, -1);
    ray.Direction = float3(0, 0, 1);
    ray.TMin = 0;
    ray.TMax = 100;
    Payload payload = { Scale };
    TraceRay(Scene, RAY_FLAG_NONE, 0xFF, 0, 1, 0, ray, payload);
    Out[at] = uint4(payload.hit, In[at], Counted.IncrementCounter(), 7);
}

[shader("miss")]
void Missed(inout Payload payload)
{
    payload.hit *= 3;
}
