// trellis: cs_6_0 main
// trellis.od: cs_6_0 main -Od
// Local arrays and structs with arrays passed to functions as in, out and inout.

struct Box { uint items[4]; uint count; };
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

void fill(out uint values[4], uint seed)
{
    for (uint i = 0; i < 4; i++)
        values[i] = seed * i;
}

void push(inout Box box, uint v)
{
    box.items[box.count & 3] = v;
    box.count++;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint values[4];
    fill(values, In[id]);
    Box box = (Box)0;
    [loop]
    for (uint i = 0; i < (In[id] & 7); i++)
        push(box, values[i & 3]);
    Out[id] = box.items[In[id + 1] & 3] + box.count;
}
