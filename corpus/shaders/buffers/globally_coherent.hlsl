// trellis: cs_6_0 main
// trellis.sm66: cs_6_6 main
// globallycoherent on structured, raw, typed and texture UAVs, passed through memory between groups.

globallycoherent RWStructuredBuffer<uint> S : register(u0);
globallycoherent RWByteAddressBuffer R : register(u1);
globallycoherent RWTexture2D<float> T : register(u2);
globallycoherent RWBuffer<uint> B : register(u3);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    S[id] = id;
    DeviceMemoryBarrier();
    uint old;
    R.InterlockedAdd(0, 1, old);
    if (old == 63)
    {
        T[uint2(id, 0)] = S[0] + B[1];
        B[id] = S[63];
    }
}
