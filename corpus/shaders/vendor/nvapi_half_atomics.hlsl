// trellis: cs_6_0 main
// NVAPI: atomics on two halves in buffers and textures, and on four halves in textures.

struct Element {
    uint operation, resource, sampler_;
    uint4 dst1, src3, src4, src5, src0, src1, src2, dst0;
    uint mark, results;
    float padding[27];
};

RWStructuredBuffer<Element> Extension : register(u7, space3);
RWByteAddressBuffer B : register(u0);
RWStructuredBuffer<uint> Out : register(u1);
RWTexture1D<float2> Pairs : register(u2);
RWTexture2D<float4> Fours : register(u3);
RWTexture3D<float2> Array[2] : register(u4);

uint OnPair(uint operation, uint3 address, uint value)
{
    uint at = Extension.IncrementCounter();
    Extension[at].src0.xyz = address;
    Extension[at].src1.x = value;
    Extension[at].src2.x = operation;
    Extension[at].operation = 12;
    return Extension[at].dst0.x;
}

uint OnBuffer(uint operation, uint address, uint value)
{
    uint mark = Extension.IncrementCounter();
    Extension[mark].mark = 1;
    B.Store(mark, 0);
    return OnPair(operation, uint3(address, 0, 0), value);
}

uint OnPairs(uint operation, uint address, uint value)
{
    uint mark = Extension.IncrementCounter();
    Extension[mark].mark = 1;
    Pairs[mark] = 0;
    return OnPair(operation, uint3(address, 0, 0), value);
}

// Both pairs of a texel, after one store that names the texture.
uint2 OnFours(uint operation, uint2 address, uint2 value)
{
    uint mark = Extension.IncrementCounter();
    Extension[mark].mark = 1;
    Fours[uint2(mark, mark)] = 0;
    address.x *= 2;
    uint low = OnPair(operation, uint3(address, 0), value.x);
    address.x++;
    return uint2(low, OnPair(operation, uint3(address, 0), value.y));
}

uint OnArray(uint operation, uint3 address, uint value)
{
    uint mark = Extension.IncrementCounter();
    Extension[mark].mark = 1;
    Array[1][uint3(mark, mark, mark)] = 0;
    return OnPair(operation, address, value);
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint v = f32tof16(id) | f32tof16(0.5 * id) << 16;
    uint sum = OnBuffer(3, 4 * id, v) ^ OnBuffer(7, 256, v) ^ OnBuffer(6, 260, v);
    sum ^= OnPairs(3, id, v) ^ OnPairs(7, 64, v) ^ OnPairs(6, 65, v);
    uint2 fours = OnFours(3, uint2(id, 0), v) ^ OnFours(7, uint2(id, 1), v) ^ OnFours(6, uint2(id, 2), v);
    Out[id] = sum ^ fours.x ^ fours.y ^ OnArray(3, id, v);
}
