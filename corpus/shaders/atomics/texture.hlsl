// trellis: cs_6_0 main
// Every atomic on writable textures of one, two and three dimensions and arrays.

RWTexture1D<uint> T1 : register(u0);
RWTexture2D<uint> T2 : register(u1);
RWTexture3D<int> T3 : register(u2);
RWTexture1DArray<int> T1A : register(u3);
RWTexture2DArray<uint> T2A : register(u4);
RWStructuredBuffer<uint> Out : register(u5);

[numthreads(4, 4, 4)]
void main(uint3 id : SV_DispatchThreadID, uint lane : SV_GroupIndex)
{
    uint old, sum = 0;
    int o;
    InterlockedAdd(T1[id.x], lane, old); sum += old;
    InterlockedAnd(T2[id.xy], lane, old); sum += old;
    InterlockedMin(T3[id], -(int)lane, o); sum += o;
    InterlockedMax(T1A[id.xy], (int)lane, o); sum += o;
    InterlockedOr(T2A[id], lane, old); sum += old;
    InterlockedXor(T2[id.yx], lane, old); sum += old;
    InterlockedExchange(T2[id.xz], lane, old); sum += old;
    InterlockedCompareExchange(T2A[id.zyx], 3, lane, old); sum += old;
    InterlockedCompareStore(T1[id.y], 3, lane);
    InterlockedMin(T2[id.zz], lane);
    InterlockedMax(T2[id.xx], lane);
    Out[lane] = sum;
}
