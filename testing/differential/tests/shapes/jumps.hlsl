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
    bool break1 = false;
    bool continue1 = false;
    while (((call(1000u, 0u) & 1u) != 0u))
    {
        call(1u, 0u);
        switch ((call(1001u, 0u) & 15u))
        {
        case 0u:
        case 1u:
        {
            call(2u, 0u);
        }
        default:
        {
            if (((call(1002u, 0u) & 1u) != 0u))
            {
                continue;
            }
            call(3u, 0u);
            break;
        }
        case 2u:
        {
            do
            {
                call(4u, 0u);
                if (((call(1003u, 0u) & 1u) != 0u))
                {
                    break1 = true;
                    break;
                }
                if (((call(1004u, 0u) & 1u) != 0u))
                {
                    call(5u, 0u);
                    continue1 = true;
                    break;
                }
            }
            while (((call(1005u, 0u) & 1u) != 0u));
            if (break1) break;
            if (continue1) { continue1 = false; continue; }
            break;
        }
        }
        if (break1) break;
        if (continue1) { continue1 = false; continue; }
        call(6u, 0u);
    }
}
