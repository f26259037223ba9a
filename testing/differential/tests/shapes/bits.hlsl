RWByteAddressBuffer Calls : register(u0);
RWByteAddressBuffer Reads : register(u1);

uint call(uint id, uint value)
{
    uint result;
    Calls.InterlockedExchange(4u * id, value, result);
    return result;
}

uint read(uint id)
{
    return Reads.Load(4u * id);
}

[numthreads(1, 1, 1)]
void main()
{
    uint state = read(0u);
    for (;;)
    {
        state = call(1u, 0u);
        if ((((((state * 1u >> 0u) & 1u) != 0u) && (((state * 1u >> 1u) & 1u) != 0u)) || (((state * 1u >> 2u) & 1u) != 0u)))
        {
            return;
        }
        if ((((state * 1u >> 3u) & 1u) != 0u))
        {
            break;
        }
        else
        {
            state = call(2u, 0u);
        }
    }
    state = call(3u, ((((state * 1u >> 4u) & 1u) != 0u) && (((state * 1u >> 5u) & 1u) != 0u)) ? 1u : 2u);
}
