// trellis: cs_6_0 main
// Loads from and stores to 1D, 1D array, 2D array and 3D textures, whole and by component. What several lanes write is the same number.

Texture1D<float4> T1 : register(t0);
Texture1DArray<uint2> T1A : register(t1);
Texture2DArray<int> T2A : register(t2);
Texture3D<float2> T3 : register(t3);
RWTexture1D<float4> W1 : register(u0);
RWTexture1DArray<uint2> W1A : register(u1);
RWTexture2DArray<int> W2A : register(u2);
RWTexture3D<float2> W3 : register(u3);

[numthreads(4, 4, 4)]
void main(uint3 id : SV_DispatchThreadID)
{
    W1[id.x] = T1.Load(int2(id.x, 1)) + T1.Load(int2(id.x, 0), 2);
    W1A[id.xy] = T1A[id.yx] + W1A[id.xy + uint2(0, 4)];
    W2A[id] = T2A.Load(int4(id, 1), int2(1, 1)) - W2A[id.zyx + uint3(4, 4, 0)];
    W3[id] = T3.mips[1][id.yzx] + W3[id.zxy + uint3(4, 4, 0)];
    W1[id.z + 12].y = 3.0;
}
