// trellis: lib_6_3 library
// NVAPI: the cluster that a ray has met.

struct Element {
    uint operation, resource, sampler_;
    uint4 dst1, src3, src4, src5, src0, src1, src2, dst0;
    uint mark, results;
    float padding[27];
};

struct Payload {
    uint cluster;
};

RWStructuredBuffer<Element> Extension : register(u7, space3);

[shader("anyhit")]
void Any(inout Payload payload, BuiltInTriangleIntersectionAttributes attributes)
{
    uint at = Extension.IncrementCounter();
    Extension[at].operation = 93;
    payload.cluster = Extension.IncrementCounter();
}
