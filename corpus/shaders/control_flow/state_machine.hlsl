// trellis: cs_6_0 main
// trellis.od: cs_6_0 main -Od
// A state machine: a switch on the state in a loop without a condition, with an error state that returns.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);


[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint state = 0, at = id, count = 0;
    while (true)
    {
        uint v = In[at & 63];
        [branch]
        switch (state)
        {
        case 0:
            state = v & 1 ? 1 : 2;
            break;
        case 1:
            count += v;
            Out[id] = count;
            state = 3;
            break;
        case 2:
            if (v == 0)
            {
                Out[id + 64] = at;
                return;
            }
            state = 0;
            break;
        case 3:
            state = count > 20 ? 4 : 2;
            break;
        default:
            Out[id + 128] = count;
            return;
        }
        at++;
    }
}
