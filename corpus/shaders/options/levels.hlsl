// trellis.o0: cs_6_0 main -O0
// trellis.od: cs_6_0 main -Od
// trellis.o1: cs_6_0 main -O1
// trellis.o2: cs_6_0 main -O2
// trellis.o3: cs_6_0 main -O3
// One shader at every optimization level: functions, arrays, loops, a switch.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

uint step(uint v, uint k)
{
    switch (k)
    {
    case 0: return v * 3;
    case 1: return v + 7;
    default: return v ^ k;
    }
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint values[4];
    for (uint i = 0; i < 4; i++)
        values[i] = step(In[id + i], i);
    uint sum = 0;
    for (uint j = 0; j < 4; j++)
    {
        if (values[j] == 0)
            break;
        sum += values[j] * (sum & 1 ? 2 : 3);
    }
    Out[id] = sum;
}
