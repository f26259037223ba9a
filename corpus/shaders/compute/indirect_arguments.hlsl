// trellis: cs_6_0 main
// Culling into an indirect-draw buffer: tests, an append by atomic, and a write of arguments by one thread.

struct Object { float4 sphere; uint first, count; };
StructuredBuffer<Object> Objects : register(t0);
RWByteAddressBuffer Arguments : register(u0);
RWStructuredBuffer<uint> Visible : register(u1);
cbuffer Frame : register(b0) { float4 planes[6]; uint objectCount; };

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    if (id >= objectCount)
        return;
    Object o = Objects[id];
    for (uint i = 0; i < 6; i++)
    {
        if (dot(planes[i], float4(o.sphere.xyz, 1)) < -o.sphere.w)
            return;
    }
    uint slot;
    Arguments.InterlockedAdd(0, 1, slot);
    Visible[slot] = id;
    Arguments.Store4(16 + slot * 16, uint4(o.count, 1, o.first, id));
}
