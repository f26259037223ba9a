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
// ---- printed ----
// dxc -T cs_6_0 -E main
RWStructuredBuffer<uint> buf : register(u0);

[numthreads(1, 1, 1)]
void main(uint3 dispatchThreadID : SV_DispatchThreadID)
{
    uint path;
    uint v0 = dispatchThreadID.y;
    int v1 = 0;
    [loop]
    while (true) {
        int v2 = 0;
        [loop]
        while (true) {
            if (v0 < 10u) {
                v0 = 50u;
                path = 6u;
                break;
            }
            if (dispatchThreadID.z < 10u) {
                v0 = 70u;
                path = 6u;
                break;
            }
            v0 += 1;
            v2 += 1;
            if (v2 >= 20) {
                path = 7u;
                break;
            }
        }
        if (path <= 6u) {
            break;
        }
        v1 += 1;
        if (v1 >= 10) {
            v0 = 80u;
            break;
        }
    }
    buf[dispatchThreadID.x] = v0;
}
