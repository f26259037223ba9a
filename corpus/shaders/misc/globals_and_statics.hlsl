// trellis: cs_6_0 main
// trellis.od: cs_6_0 main -Od
// Static globals of scalar, vector, struct and array type, changed by functions.

struct State { uint a; float2 b; };
static uint counter = 5;
static State state = { 1, float2(2, 3) };
static uint history[4];

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

void push(uint v)
{
    history[counter & 3] = v;
    counter += v;
    state.a ^= counter;
    state.b += v;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    push(In[id]);
    push(In[id + 1]);
    Out[id] = counter + state.a + (uint)state.b.y + history[In[id + 2] & 3];
}
