// trellis: lib_6_3 library
// trellis.od: lib_6_3 library -Od
// A payload with structs, arrays, booleans, a matrix and 64-bit numbers, indexed at run time.

RaytracingAccelerationStructure Scene : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

struct Inner
{
    float2 values[2];
    uint count;
};

struct Payload
{
    bool found;
    Inner inner[3];
    float2x2 turn;
    double wide;
    uint64_t number;
    uint3 last;
};

[shader("raygeneration")]
void Generate()
{
    uint at = DispatchRaysIndex().x;
    Payload payload = (Payload)0;
    payload.number = 0x100000000ul + at;
    payload.wide = 0.5 * at;
    payload.inner[at % 3].values[at & 1] = float2(at, 1);
    RayDesc ray;
    ray.Origin = float3(at * 0.5, 0.25, -1);
    ray.Direction = float3(0, 0, 1);
    ray.TMin = 0;
    ray.TMax = 10;
    TraceRay(Scene, RAY_FLAG_NONE, 0xFF, 0, 1, 0, ray, payload);
    uint sum = 0;
    for (uint k = 0; k < 3; k++)
        sum = sum * 7 + payload.inner[k].count + (uint)(payload.inner[k].values[0].x + payload.inner[k].values[1].y * 3);
    uint to = at * 6;
    Out[to] = payload.found ? 1 : 0;
    Out[to + 1] = sum;
    Out[to + 2] = (uint)(payload.number >> 32) + (uint)payload.number;
    Out[to + 3] = (uint)(payload.wide * 8);
    Out[to + 4] = (uint)(payload.turn[0][1] * 10 + payload.turn[1][0]);
    Out[to + 5] = payload.last.x + payload.last.y * payload.last.z;
}

[shader("miss")]
void Missed(inout Payload payload)
{
    payload.last = uint3(1, 2, 3);
}

[shader("closesthit")]
void Hit(inout Payload payload, BuiltInTriangleIntersectionAttributes attributes)
{
    uint at = DispatchRaysIndex().x;
    payload.found = true;
    payload.inner[at % 3].count++;
    payload.inner[(at + 1) % 3].values[(at >> 1) & 1] += 2;
    payload.number *= 3;
    payload.wide += 1.25;
    payload.turn = float2x2(1, 2, 3, 4);
}
