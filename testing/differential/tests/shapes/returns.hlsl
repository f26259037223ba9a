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

uint program()
{
    for (;;)
    {
        call(1u, 0u);
        if (((((read(1u) & 1u) != 0u) && ((read(2u) & 1u) != 0u)) || ((read(3u) & 1u) != 0u)))
        {
            return 1u;
        }
        if (((read(4u) & 1u) != 0u))
        {
            break;
        }
        else
        {
            call(2u, 0u);
        }
    }
    call(3u, (((read(5u) & 1u) != 0u) && ((read(6u) & 1u) != 0u)) ? 1u : 2u);
    return 2u;
}

[numthreads(1, 1, 1)]
void main()
{
    call(900u, program());
}
