// A variable of a loop that only some iterations write: it is undefined when the loop is entered.

StructuredBuffer<float> In : register(t0);
RWStructuredBuffer<float> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    float last;
    float sum = 0;
    [loop]
    for (uint i = 0; i < In[79]; i++)
    {
        if (In[i] > 0)
            last = In[i + id];
        sum += last;
    }
    Out[id] = sum;
}
