// trellis: cs_6_0 main -HV 2021
// trellis.od: cs_6_0 main -HV 2021 -Od
// HLSL 2021's && and || with side effects on the right: they run only if the left decides nothing.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

static uint calls;

bool test(uint id, uint k)
{
    calls = calls * 4 + k;
    Out[id * 8 + k] = calls;
    return In[id + k] & 1;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    calls = 0;
    uint result = 0;
    if (test(id, 0) && (test(id, 1) || test(id, 2)) && test(id, 3))
        result = 1;
    if (test(id, 4) || (test(id, 5) && test(id, 6)))
        result += 2;
    Out[id * 8 + 7] = result;
}
