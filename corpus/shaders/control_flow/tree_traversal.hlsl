// trellis: cs_6_0 main
// A tree walk with its own stack, as in ray tracing: pushes, a continue, pops, and an exit on an empty stack.

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);


[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint stack[12];
    uint top = 0, node = id & 7, hits = 0;
    [loop]
    while (true)
    {
        uint v = In[node];
        [branch]
        if (v & 0x100)
        {
            hits += v & 15;
            [branch]
            if (hits > 100)
                break;
        }
        else
        {
            uint left = v & 15, right = v >> 4 & 15;
            [branch]
            if (left != 0)
            {
                [branch]
                if (right != 0 && top < 12)
                    stack[top++] = right;
                node = left;
                continue;
            }
            [branch]
            if (right != 0)
            {
                node = right;
                continue;
            }
        }
        [branch]
        if (top == 0)
            break;
        node = stack[--top];
    }
    Out[id] = hits;
}
