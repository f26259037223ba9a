// trellis: vs_6_0 main
// Outputs written on some paths only, and partly.

struct Output { float4 position : SV_Position; float4 a : A; };

void main(float4 p : POSITION, uint kind : KIND, out float4 position : SV_Position, out float4 a : A)
{
    position = p;
    a = 0;
    [branch]
    if (kind == 1)
    {
        a.xy = p.zw;
        return;
    }
    [branch]
    if (kind == 2)
        a = p * 2;
    position.z = 0.5;
}
