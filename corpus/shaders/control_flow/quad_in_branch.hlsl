// trellis: ps_6_0 main
// Quad operations in a branch and behind it.

float4 main(float2 uv : TEXCOORD0, nointerpolation uint kind : KIND) : SV_Target
{
    float4 c = 0;
    [branch]
    if (kind > 3)
    {
        c.x = QuadReadAcrossX(uv.x);
        c.y = QuadReadAcrossDiagonal(uv.y);
    }
    c.z = QuadReadAcrossY(uv.x + c.x);
    return c;
}
