// trellis: lib_6_3 library
// trellis.od: lib_6_3 library -Od
// Matrices in a payload, which DXIL loads as vectors of up to sixteen components: products, rows, an index at run time.

RaytracingAccelerationStructure Scene : register(t0);
RWStructuredBuffer<float4> Out : register(u0);

struct Payload
{
    float4x4 turn;
    float2x3 small;
    float3x4 rows;
    int3x3 counts;
};

[shader("raygeneration")]
void Generate()
{
    uint at = DispatchRaysIndex().x;
    Payload payload = (Payload)0;
    for (uint k = 0; k < 4; k++)
        payload.turn[k] = float4(k, 1, at, 2);
    payload.counts[1][at % 3] = 5;
    RayDesc ray;
    ray.Origin = float3(at * 0.5 + 0.125, 0.25, -1);
    ray.Direction = float3(0, 0, 1);
    ray.TMin = 0;
    ray.TMax = 10;
    for (uint round = 0; round < 2; round++)
    {
        TraceRay(Scene, RAY_FLAG_NONE, 0xFF, 0, 1, 0, ray, payload);
        if (payload.counts[2][round] == 3)
            payload.turn = transpose(payload.turn);
    }
    Out[at * 3] = mul(payload.turn, float4(1, 2, 3, 4));
    Out[at * 3 + 1] = float4(payload.small[1], payload.counts[0][0]);
    Out[at * 3 + 2] = payload.rows[at % 3] + payload.counts[1][2];
}

[shader("miss")]
void Missed(inout Payload payload)
{
    payload.small[1][2] += 2;
    payload.rows[0] = float4(1, 2, 3, 4);
    payload.counts[2][0] = 3;
    if (payload.counts[1][1] > 3)
        payload.counts *= 2;
}

[shader("closesthit")]
void Hit(inout Payload payload, BuiltInTriangleIntersectionAttributes attributes)
{
    uint at = DispatchRaysIndex().x;
    payload.turn = mul(payload.turn, payload.turn) * 0.25;
    payload.small[at & 1] = float3(attributes.barycentrics, 1);
    payload.rows[1] = ObjectToWorld3x4()[0];
    payload.rows += 0.5;
    payload.counts[at % 3][at & 1] = at;
}
