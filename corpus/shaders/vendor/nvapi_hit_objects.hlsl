// trellis: lib_6_3 library
// NVAPI: hit objects that are traced, made, read, reordered by and invoked.

struct Element {
    uint operation, resource, sampler_;
    uint4 dst1, src3, src4, src5, src0, src1, src2, dst0;
    uint mark, results;
    float padding[27];
};

struct Payload {
    float4 color;
};

struct Attributes {
    float2 at;
};

RWStructuredBuffer<Element> Extension : register(u7, space3);
RaytracingAccelerationStructure Scene : register(t0);
RWTexture2D<float4> Target : register(u0);

uint Begin(uint operation)
{
    uint at = Extension.IncrementCounter();
    Extension[at].operation = operation;
    return at;
}

uint Get(uint operation, uint object)
{
    uint at = Begin(operation);
    Extension[at].src0.x = object;
    return Extension.IncrementCounter();
}

uint Traced(RayDesc ray, inout Payload payload)
{
    uint at = Begin(67);
    Extension[at].results = 2;
    Extension[at].src0.x = 1;
    uint object = Extension.IncrementCounter();
    uint shader = Extension.IncrementCounter();
    TraceRay(Scene, RAY_FLAG_NONE, 0xFF, 0, 1, shader, ray, payload);
    return object;
}

uint Miss(RayDesc ray)
{
    uint at = Begin(70);
    Extension[at].src0.x = 2;
    Extension[at].src0.y = asuint(ray.TMin);
    Extension[at].src0.z = asuint(ray.TMax);
    Extension[at].src1.xyz = asuint(ray.Origin);
    Extension[at].src2.xyz = asuint(ray.Direction);
    return Extension.IncrementCounter();
}

void Reorder(uint has, uint object, uint hint, uint bits)
{
    uint at = Begin(71);
    Extension[at].src0 = uint4(has, object, hint, bits);
    Extension.IncrementCounter();
}

void Invoke(uint object, inout Payload payload)
{
    uint at = Begin(72);
    Extension[at].src0.x = object;
    uint shader = Extension.IncrementCounter();
    RayDesc none = (RayDesc)0;
    TraceRay(Scene, 0, 0, 0, 0, shader, none, payload);
}

float2 AttributesOf(uint object)
{
    uint at = Begin(80);
    Extension[at].src0.x = object;
    uint shader = Extension.IncrementCounter();
    Attributes attributes;
    CallShader(shader, attributes);
    return attributes.at;
}

[shader("raygeneration")]
void Generate()
{
    uint2 at = DispatchRaysIndex().xy;
    RayDesc ray = { float3(at, -1), 0.5, float3(0, 0, 1), 10 };
    Payload payload = { float4(1, 0, 0, 0) };
    uint object = Traced(ray, payload);
    Reorder(1, object, at.x & 3, 2);
    uint numbers = Get(74, object) + Get(75, object) + Get(76, object) + Get(77, object) +
                   Get(78, object) + Get(81, object);
    float4 sum = float4(AttributesOf(object), numbers, Get(73, object) + Get(83, object) + Get(84, object));
    uint of_ray = Begin(79);
    Extension[of_ray].src0.x = object;
    float nearest = asfloat(Extension.IncrementCounter()), farthest = asfloat(Extension.IncrementCounter());
    float x = asfloat(Extension.IncrementCounter()), y = asfloat(Extension.IncrementCounter());
    float z = asfloat(Extension.IncrementCounter()), dx = asfloat(Extension.IncrementCounter());
    float dy = asfloat(Extension.IncrementCounter()), dz = asfloat(Extension.IncrementCounter());
    sum += float4(nearest + farthest, x + dx, y + dy, z + dz);
    uint constant = Begin(82);
    Extension[constant].src0.xy = uint2(object, 8);
    sum.w += Extension.IncrementCounter();
    Invoke(object, payload);
    uint missed = Miss(ray);
    Reorder(0, 0, at.y, 4);
    Invoke(missed, payload);
    Begin(85);
    uint nothing = Extension.IncrementCounter();
    Invoke(nothing, payload);
    Target[at] = payload.color + sum;
}
