// Minimum precisions, `precise`, and functions of interpolated inputs.
// fxc: ps_5_0 main
Texture2D<min16float4> t;
SamplerState s;

float4 main(min16float2 uv : TEXCOORD, min16uint n : N, linear centroid float4 c : COLOR) : SV_Target {
    min16float4 a = t.Sample(s, uv) * uv.x + min16float(0.25);
    min16int k = (min16int)n << 2;
    precise float p = c.x * c.y + c.z;
    return a + k + p + EvaluateAttributeAtSample(c, 1) + EvaluateAttributeSnapped(c, int2(-3, 4));
}
