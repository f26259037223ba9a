// trellis: lib_6_3 library -enable-16bit-types
// trellis.od: lib_6_3 library -enable-16bit-types -Od
// Native 16-bit members among 32- and 64-bit ones in payload, callable data and hit attributes.

RaytracingAccelerationStructure Scene : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

struct Payload
{
    half shade;
    uint16_t3 counts;
    float t;
    half2 pair[2];
    uint word;
    double wide;
};

struct Halves
{
    half4 values;
};

struct Attributes
{
    half a;
    uint b;
    int16_t c;
};

[shader("raygeneration")]
void Generate()
{
    uint at = DispatchRaysIndex().x;
    Payload payload = (Payload)0;
    payload.word = at * 100;
    payload.shade = (half)at;
    RayDesc ray;
    ray.Origin = float3(at + 0.5, 0.5, -1);
    ray.Direction = float3(0, 0, 1);
    ray.TMin = 0;
    ray.TMax = 10;
    TraceRay(Scene, RAY_FLAG_NONE, 0xFF, 0, 1, 0, ray, payload);
    Halves halves;
    halves.values = half4(payload.shade, 1, 2, 3);
    CallShader(0, halves);
    uint to = at * 6;
    Out[to] = (uint)(payload.shade * 4) + payload.counts.x * 1000;
    Out[to + 1] = payload.counts.y + (uint)payload.counts.z * 0x10000u;
    Out[to + 2] = (uint)(payload.t * 64);
    Out[to + 3] = (uint)(payload.pair[at & 1].x * 10) + (uint)(payload.pair[1].y * 1000);
    Out[to + 4] = payload.word + (uint)(payload.wide * 2);
    Out[to + 5] = (uint)(halves.values.x + halves.values.y * 16 + halves.values.z * 256);
}

[shader("miss")]
void Missed(inout Payload payload)
{
    payload.shade += (half)0.5;
    payload.counts = uint16_t3(1, 2, 3);
}

[shader("intersection")]
void Box()
{
    Attributes attributes = { (half)1.5, PrimitiveIndex() + 40, (int16_t)-3 };
    ReportHit(2.5, 1, attributes);
}

[shader("closesthit")]
void Hit(inout Payload payload, Attributes attributes)
{
    payload.shade *= attributes.a;
    payload.counts.y = (uint16_t)attributes.b;
    payload.counts.z = (uint16_t)(attributes.c + 10);
    payload.t = RayTCurrent();
    payload.pair[DispatchRaysIndex().x & 1] = half2(3, (half)0.5);
    payload.word++;
    payload.wide = RayTCurrent() * 3.0;
}

[shader("callable")]
void Mix(inout Halves halves)
{
    halves.values = halves.values.yzwx + (half)1;
}
