// trellis: lib_6_3 library
// One half of a pipeline of two libraries: the ray generation shader. (The other is split_hits.)

RaytracingAccelerationStructure Scene : register(t0);
RWStructuredBuffer<float4> Out : register(u0);

struct Payload
{
    float3 color;
    uint kind;
    float weights[3];
};

[shader("raygeneration")]
void Generate()
{
    uint at = DispatchRaysIndex().x;
    RayDesc ray;
    ray.Origin = float3(at + 0.25, 0.25, -1);
    ray.Direction = float3(0, 0, 1);
    ray.TMin = 0;
    ray.TMax = 10;
    Payload payload;
    payload.color = 0;
    payload.kind = at;
    for (uint k = 0; k < 3; k++)
        payload.weights[k] = at + k;
    TraceRay(Scene, RAY_FLAG_NONE, 0xFF, 0, 1, 0, ray, payload);
    Out[at * 2] = float4(payload.color, payload.kind);
    Out[at * 2 + 1] = float4(payload.weights[0], payload.weights[1], payload.weights[2], 1);
}
