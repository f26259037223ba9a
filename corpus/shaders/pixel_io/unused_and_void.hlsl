// trellis: ps_6_0 main
// Inputs that are never read, a discard, and no output.

void main(float4 pos : SV_Position, float4 unused : COLOR, float2 cut : TEXCOORD0)
{
    clip(cut.x - 0.5);
}
