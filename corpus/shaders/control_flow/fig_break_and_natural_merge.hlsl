// trellis: cs_6_0 main
// A loop in one arm of an if: one exit is the natural one, the other breaks past it to the end of the shader.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

void body(uint id)
{
    uint v = In[id];
    [branch]
    if (v & 1)
    {
        [loop]
        for (uint i = 0; i < (v & 15); i++)
        {
            [branch]
            if (In[i + id] == 7)
                return;
            Out[id * 2] += i;
        }
        Out[id * 2 + 1] = v;
    }
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    body(id);
    Out[id * 2] |= 0x80000000;
}
