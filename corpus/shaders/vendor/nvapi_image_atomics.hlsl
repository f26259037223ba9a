// trellis: cs_6_0 main
// NVAPI: atomics on floats and on 64 bits in textures, and the clock.

struct Element {
    uint operation, resource, sampler_;
    uint4 dst1, src3, src4, src5, src0, src1, src2, dst0;
    uint mark, results;
    float padding[27];
};

RWStructuredBuffer<Element> Extension : register(u7, space3);
RWTexture2D<float> F : register(u0);
RWTexture2D<uint2> T : register(u1);
RWStructuredBuffer<uint2> Out : register(u2);

float AddToTexture(uint2 address, float value)
{
    uint mark = Extension.IncrementCounter();
    Extension[mark].mark = 1;
    F[uint2(mark, mark)] = 0;
    uint at = Extension.IncrementCounter();
    Extension[at].src0.xy = address;
    Extension[at].src1.x = asuint(value);
    Extension[at].src2.x = 3;
    Extension[at].operation = 13;
    return asfloat(Extension[at].dst0.x);
}

uint2 OnTexture(uint operation, uint2 address, uint2 value)
{
    uint mark = Extension.IncrementCounter();
    Extension[mark].mark = 1;
    T[uint2(mark, mark)] = 0;
    uint at = Extension.IncrementCounter();
    Extension[at].src0.xy = address;
    Extension[at].src1.xy = value;
    Extension[at].src2.x = operation;
    Extension[at].operation = 20;
    return Extension[at].dst0.xy;
}

uint Special(uint which)
{
    uint at = Extension.IncrementCounter();
    Extension[at].operation = 19;
    Extension[at].src0.x = which;
    return Extension.IncrementCounter();
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint2 v = uint2(id * 3, id);
    uint2 row = uint2(id & 7, id >> 3);
    Out[id] = uint2(asuint(AddToTexture(row, 0.25 * id)), Special(10) > 0xFFFFFFF0 ? Special(9) : 7);
    Out[id + 64] = OnTexture(1, row, v);
}
