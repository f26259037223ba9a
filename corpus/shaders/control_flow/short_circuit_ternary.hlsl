// trellis: cs_6_0 main -HV 2021
// HLSL 2021's ?: evaluates one side only; select() evaluates both.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

uint touch(uint at)
{
    uint old;
    InterlockedAdd(Out[at], 1, old);
    return old;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint v = In[id];
    uint a = (v & 1) ? touch(id) : (v & 2) ? touch(id + 64) : touch(id + 128);
    uint b = select((v & 4) != 0, touch(id + 192), touch(id + 256));
    Out[id + 320] = a * 1000 + b;
}
