// trellis: lib_6_3 library
// trellis.od: lib_6_3 library -Od
// A ray generation shader that traces in two nested loops, with breaks, continues and an early return.

RaytracingAccelerationStructure Scene : register(t0);
StructuredBuffer<uint> In : register(t1);
RWStructuredBuffer<uint> Out : register(u0);

struct Payload
{
    uint hit;
};

uint Probe(float x, float y)
{
    RayDesc ray;
    ray.Origin = float3(x + 0.25, y + 0.25, -1);
    ray.Direction = float3(0, 0, 1);
    ray.TMin = 0;
    ray.TMax = 10;
    Payload payload = { 0 };
    TraceRay(Scene, RAY_FLAG_FORCE_OPAQUE, 0xFF, 0, 1, 0, ray, payload);
    return payload.hit;
}

[shader("raygeneration")]
void Generate()
{
    uint at = DispatchRaysIndex().x;
    uint sum = 0;
    for (uint y = 0; y < 4; y++)
    {
        uint row = In[at * 4 + y];
        if (row == 0)
            continue;
        for (uint x = 0; x < row; x++)
        {
            uint hit = Probe(x, y);
            sum += hit << (4 * x);
            if (hit == 3)
            {
                Out[at] = sum | 0x80000000;
                return;
            }
            if (hit == 2)
                break;
            if (sum > 0x4000)
                sum -= Probe(y, x);
        }
        if (row == 9)
            break;
    }
    Out[at] = sum;
}

[shader("miss")]
void Missed(inout Payload payload)
{
    payload.hit = 1;
}

[shader("closesthit")]
void Hit(inout Payload payload, BuiltInTriangleIntersectionAttributes attributes)
{
    payload.hit = InstanceID();
}
