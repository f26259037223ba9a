// trellis: cs_6_0 main
// NVAPI: shuffles, votes, lanes, matches.

struct Element {
    uint operation, resource, sampler_;
    uint4 dst1, src3, src4, src5, src0, src1, src2, dst0;
    uint mark, results;
    float padding[27];
};

RWStructuredBuffer<Element> Extension : register(u7, space3);
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

uint Shuffle(uint operation, uint value, uint by, uint mask)
{
    uint at = Extension.IncrementCounter();
    Extension[at].src0.x = value;
    Extension[at].src0.y = by;
    Extension[at].src0.z = mask;
    Extension[at].operation = operation;
    return Extension.IncrementCounter();
}

uint WithValue(uint operation, uint value)
{
    uint at = Extension.IncrementCounter();
    Extension[at].src0.x = value;
    Extension[at].operation = operation;
    return Extension.IncrementCounter();
}

uint Match(uint2 value)
{
    uint at = Extension.IncrementCounter();
    Extension[at].src0.xy = value;
    Extension[at].src1.x = 2;
    Extension[at].operation = 21;
    return Extension.IncrementCounter();
}

uint2 Checked(uint value, uint lane, uint mask)
{
    uint at = Extension.IncrementCounter();
    Extension[at].src0.x = value;
    Extension[at].src0.y = lane;
    Extension[at].src0.z = mask;
    Extension[at].operation = 33;
    Extension[at].results = 2;
    uint valid = Extension.IncrementCounter();
    return uint2(Extension.IncrementCounter(), valid);
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint v = In[id], base = id * 13;
    // Segments of four lanes: the upper bits of the lane's number are kept.
    uint four = (32 - 4) << 8;
    Out[base + 0] = Shuffle(1, v, 2, four | 0x1F);
    Out[base + 1] = Shuffle(2, v, 1, four);
    Out[base + 2] = Shuffle(3, v, 3, four | 0x1F);
    Out[base + 3] = Shuffle(4, v, 1, four | 0x1F);
    Out[base + 4] = WithValue(5, v);
    Out[base + 5] = WithValue(5, v & 1);
    Out[base + 6] = WithValue(6, v & 1);
    Out[base + 7] = WithValue(7, v & 1);
    uint at = Extension.IncrementCounter();
    Extension[at].operation = 8;
    Out[base + 8] = Extension.IncrementCounter();
    Out[base + 9] = WithValue(19, 4);
    Out[base + 10] = Match(uint2(v & 1, id & 2));
    uint2 checked_ = Checked(v, 1, four | 0x1F);
    Out[base + 11] = checked_.x;
    Out[base + 12] = checked_.y;
}
