// trellis: cs_6_0 main
// trellis.od: cs_6_0 main -Od
// Two nested loops; the inner one returns from both, in two places, with two values.

RWStructuredBuffer<uint> buf : register(u0);

uint func(uint3 dispatch)
{
    [loop]
    for (int i = 0; i < 10; i++)
    {
        [loop]
        for (int j = 0; j < 20; j++)
        {
            [branch]
            if (dispatch.y < 10)
                return 50;

            [branch]
            if (dispatch.z < 10)
                return 70;
            dispatch.y++;
        }
        dispatch.x++;
    }
    return 80;
}

[numthreads(1, 1, 1)]
void main(uint3 dispatch : SV_DispatchThreadID)
{
    buf[dispatch.x] = func(dispatch);
}
