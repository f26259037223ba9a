// trellis: cs_6_0 main
// A function that returns from the inner of two while loops, inlined into its caller.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

static uint cursor;

void a(uint id) { Out[id * 4 + 0] += cursor; }
void b(uint id) { Out[id * 4 + 1] += cursor; }
void c(uint id) { Out[id * 4 + 2] += cursor; }
void d(uint id) { Out[id * 4 + 3] += cursor; }

void func(uint id)
{
    [loop]
    while ((In[cursor & 63] & 3) != 0)
    {
        a(id);
        [loop]
        while ((In[(cursor + 1) & 63] & 4) != 0)
        {
            b(id);
            if (In[(cursor + 2) & 63] & 8)
                return;
            c(id);
            cursor++;
        }
        d(id);
        cursor += 2;
        if (cursor > 100)
            return;
    }
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    cursor = id;
    func(id);
    Out[id * 4] += 1000;
}
