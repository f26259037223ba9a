// trellis: lib_6_3 library
// NVAPI: hit objects of hits that the shader makes, and the clusters that they are in.

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

struct Nothing {
    int none;
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

// The attributes and the ray are those of the calls that get the second result.
uint Finish(RayDesc ray, Attributes attributes)
{
    uint object = Extension.IncrementCounter();
    uint shader = Extension.IncrementCounter();
    CallShader(shader, attributes);
    Nothing nothing;
    TraceRay(Scene, 0, 0, 0, 0, shader, ray, nothing);
    return object;
}

uint Made(uint4 hit, uint contribution, uint multiplier, RayDesc ray, Attributes attributes)
{
    uint at = Begin(68);
    Extension[at].results = 2;
    Extension[at].src0 = hit;
    Extension[at].src1.x = contribution;
    Extension[at].src1.y = multiplier;
    return Finish(ray, attributes);
}

uint MadeWithIndex(uint index, uint4 hit, RayDesc ray, Attributes attributes)
{
    uint at = Begin(69);
    Extension[at].results = 2;
    Extension[at].src0 = hit;
    Extension[at].src1.x = index;
    return Finish(ray, attributes);
}

void Invoke(uint object, inout Payload payload)
{
    uint at = Begin(72);
    Extension[at].src0.x = object;
    uint shader = Extension.IncrementCounter();
    RayDesc none = (RayDesc)0;
    TraceRay(Scene, 0, 0, 0, 0, shader, none, payload);
}

uint Cluster(uint object)
{
    uint at = Begin(96);
    Extension[at].src0.x = object;
    return Extension.IncrementCounter();
}

[shader("raygeneration")]
void Generate()
{
    uint2 at = DispatchRaysIndex().xy;
    RayDesc ray = { float3(at, -1), 0.5, float3(0, 0, 1), 10 };
    Attributes attributes = { float2(0.25, 0.5) };
    Payload payload = { float4(1, 0, 0, 0) };
    uint object = Made(uint4(at.x, 1, 2, 254), 3, 4, ray, attributes);
    uint cluster = Cluster(object);
    Invoke(object, payload);
    attributes.at.x = at.y;
    uint second = MadeWithIndex(5, uint4(6, 7, at.y, 255), ray, attributes);
    Invoke(second, payload);
    Target[at] = payload.color + cluster;
}
