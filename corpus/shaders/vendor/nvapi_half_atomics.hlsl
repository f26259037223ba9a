// trellis: cs_6_0 main
// NVAPI: an addition of two halves, which has no translation.

struct Element {
    uint operation, resource, sampler_;
    uint4 dst1, src3, src4, src5, src0, src1, src2, dst0;
    uint mark, results;
    float padding[27];
};

RWStructuredBuffer<Element> Extension : register(u7, space3);
RWByteAddressBuffer B : register(u0);
RWStructuredBuffer<uint> Out : register(u1);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint mark = Extension.IncrementCounter();
    Extension[mark].mark = 1;
    B.Store(mark, 0);
    uint at = Extension.IncrementCounter();
    Extension[at].src0.x = 4 * id;
    Extension[at].src1.x = 0x3C003C00;
    Extension[at].src2.x = 3;
    Extension[at].operation = 12;
    Out[id] = Extension[at].dst0.x;
}
