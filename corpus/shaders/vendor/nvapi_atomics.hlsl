// trellis: cs_6_0 main
// NVAPI: atomics on floats and on 64 bits, in raw buffers.

struct Element {
    uint operation, resource, sampler_;
    uint4 dst1, src3, src4, src5, src0, src1, src2, dst0;
    uint mark, results;
    float padding[27];
};

RWStructuredBuffer<Element> Extension : register(u7, space3);
RWByteAddressBuffer B : register(u0);
RWStructuredBuffer<uint2> Out : register(u1);

void NameBuffer()
{
    uint at = Extension.IncrementCounter();
    Extension[at].mark = 1;
    B.Store(at, 0);
}

float AddToBuffer(uint address, float value)
{
    NameBuffer();
    uint at = Extension.IncrementCounter();
    Extension[at].src0.x = address;
    Extension[at].src1.x = asuint(value);
    Extension[at].src2.x = 3;
    Extension[at].operation = 13;
    return asfloat(Extension[at].dst0.x);
}

uint2 OnBuffer(uint operation, uint address, uint2 value)
{
    NameBuffer();
    uint at = Extension.IncrementCounter();
    Extension[at].src0.x = address;
    Extension[at].src1.xy = value;
    Extension[at].src2.x = operation;
    Extension[at].operation = 20;
    return Extension[at].dst0.xy;
}

uint2 Exchanged(uint address, uint2 compare, uint2 value)
{
    NameBuffer();
    uint at = Extension.IncrementCounter();
    Extension[at].src0.x = address;
    Extension[at].src1.xy = compare;
    Extension[at].src1.zw = value;
    Extension[at].src2.x = 9;
    Extension[at].operation = 20;
    return Extension[at].dst0.xy;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint2 v = uint2(id * 3, id);
    Out[id] = OnBuffer(6, 512 + 8 * id, v) + Exchanged(1024 + 8 * id, uint2(5, 0), v);
    OnBuffer(3, 264, uint2(id, 1));
    AddToBuffer(0, 0.5);
    Out[id + 64] = uint2(asuint(AddToBuffer(4 + 4 * id, id)), 0);
}
