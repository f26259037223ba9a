// trellis: ps_6_0 main
// clip() in cases of a switch, with fall-through.

cbuffer Params : register(b0) { uint mode; float limit; };

float4 main(float4 c : COLOR, nointerpolation uint kind : KIND) : SV_Target
{
    [branch]
    switch (kind + mode)
    {
    case 0:
        clip(c.x - limit);
        c.x += 1;
    case 1:
        clip(c.yz - limit);
        break;
    case 2:
        c = c.wzyx;
        break;
    default:
        clip(-1);
        break;
    }
    return c;
}
