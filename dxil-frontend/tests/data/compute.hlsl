#define RS "RootConstants(num32BitConstants=4, b3), CBV(b0), SRV(t0, visibility=SHADER_VISIBILITY_ALL), \
  DescriptorTable(UAV(u1, numDescriptors=4), SRV(t3, numDescriptors=unbounded, space=2, flags=DESCRIPTORS_VOLATILE)), \
  DescriptorTable(Sampler(s0)), UAV(u0, flags=DATA_VOLATILE), \
  StaticSampler(s3, filter=FILTER_MIN_MAG_MIP_LINEAR, addressU=TEXTURE_ADDRESS_CLAMP)"
struct S { float3 a; uint b; };
RWStructuredBuffer<S> o : register(u0);
ByteAddressBuffer i : register(t0);
globallycoherent RWTexture3D<unorm float2> g : register(u1);
groupshared uint sh[64];
static const float tab[4] = { 1.5, 2.25, 1e30, 0.1 };
[RootSignature(RS)]
[numthreads(8, 4, 2)]
void main(uint3 id : SV_DispatchThreadID, uint gi : SV_GroupIndex) {
    sh[gi] = i.Load(id.x * 4);
    GroupMemoryBarrierWithGroupSync();
    uint x;
    InterlockedAdd(sh[0], gi, x);
    S s;
    s.a = tab[sh[gi ^ 1] & 3];
    s.b = x;
    o[id.x] = s;
    g[id] = WaveActiveSum(s.a.xy);
    if (id.y == 3) InterlockedCompareExchange(sh[5], 4u, 2u, x);
    [loop] for (uint k = 0; k < x; k++) { if (sh[k] == 3) continue; o[k].b += k; }
    switch (sh[2]) { case 1: o[3].b = 1; break; case 7: o[4].b = 2; break; default: o[5].b = 9; }
}
