// trellis: cs_6_0 main
// GetDimensions of every kind of texture and buffer, with and without a mip level.

Texture1D<float> T1 : register(t0);
Texture1DArray<float> T1A : register(t1);
Texture2D<float> T2 : register(t2);
Texture2DArray<float> T2A : register(t3);
Texture3D<float> T3 : register(t4);
TextureCube<float> TC : register(t5);
TextureCubeArray<float> TCA : register(t6);
Texture2DMS<float> TM : register(t7);
Texture2DMSArray<float> TMA : register(t8);
Buffer<float> B : register(t9);
StructuredBuffer<float3> S : register(t10);
ByteAddressBuffer R : register(t11);
RWTexture2D<float> W2 : register(u1);
RWTexture3D<float> W3 : register(u2);
RWBuffer<float> WB : register(u3);
RWStructuredBuffer<uint4> Out : register(u0);

[numthreads(1, 1, 1)]
void main(uint mip : SV_GroupID)
{
    uint w, h, d, n;
    T1.GetDimensions(mip, w, n); Out[0] = uint4(w, n, 0, 0);
    T1.GetDimensions(w); Out[16] = w;
    T1A.GetDimensions(mip, w, d, n); Out[1] = uint4(w, d, n, 0);
    T2.GetDimensions(mip, w, h, n); Out[2] = uint4(w, h, n, 0);
    T2.GetDimensions(w, h); Out[3] = uint4(w, h, 0, 0);
    T2A.GetDimensions(mip, w, h, d, n); Out[4] = uint4(w, h, d, n);
    T3.GetDimensions(mip, w, h, d, n); Out[5] = uint4(w, h, d, n);
    TC.GetDimensions(mip, w, h, n); Out[6] = uint4(w, h, n, 0);
    TCA.GetDimensions(mip, w, h, d, n); Out[7] = uint4(w, h, d, n);
    TM.GetDimensions(w, h, n); Out[8] = uint4(w, h, n, 0);
    TMA.GetDimensions(w, h, d, n); Out[9] = uint4(w, h, d, n);
    B.GetDimensions(w); Out[10] = w;
    S.GetDimensions(w, h); Out[11] = uint4(w, h, 0, 0);
    R.GetDimensions(w); Out[12] = w;
    W2.GetDimensions(w, h); Out[13] = uint4(w, h, 0, 0);
    W3.GetDimensions(w, h, d); Out[14] = uint4(w, h, d, 0);
    WB.GetDimensions(w); Out[15] = w;
}
