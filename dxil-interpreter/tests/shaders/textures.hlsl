// trellis: cs_6_0 main
// Texel loads with mip levels, offsets and layers, stores, sizes; beyond the edge a load gives 0 and a store does nothing.
Texture2D<float4> T : register(t0);
Texture2DArray<uint> A : register(t1);
RWTexture3D<uint> W : register(u0);
RWStructuredBuffer<float> Out : register(u1);

[numthreads(1, 1, 1)]
void main() {
    Out[0] = T.Load(int3(1, 0, 0)).x;
    Out[1] = T.Load(int3(0, 0, 1)).x;
    Out[2] = T.Load(int3(0, 0, 0), int2(1, 1)).x;
    Out[3] = T.Load(int3(-1, 0, 0)).x;
    Out[4] = T.Load(int3(0, 0, 0)).w;
    Out[5] = A.Load(int4(1, 0, 2, 0));
    uint width, height, layers, levels;
    T.GetDimensions(1, width, height, levels);
    Out[6] = width * 100 + height * 10 + levels;
    A.GetDimensions(width, height, layers);
    Out[7] = width * 100 + height * 10 + layers;
    W[uint3(1, 0, 1)] = 8;
    W[uint3(2, 0, 0)] = 9;
}
