// trellis: ps_6_0 main
// Multisampled textures: loads by sample index, with offset, and the sample positions.

Texture2DMS<float4> Tex : register(t0);
Texture2DMSArray<float4> Arr : register(t1);
Texture2DMS<uint2> Ids : register(t2);

float4 main(float4 pos : SV_Position, nointerpolation uint n : INDEX) : SV_Target
{
    int2 at = (int2)pos.xy;
    float4 c = Tex.Load(at, n);
    c += Tex.Load(at, 0, int2(1, -1));
    c += Tex.sample[2][at];
    c += Arr.Load(int3(at, n), 3);
    c.xy += Ids.Load(at, n);
    c.zw += Tex.GetSamplePosition(n);
    c.x += GetRenderTargetSampleCount();
    c.yz += GetRenderTargetSamplePosition(n);
    return c;
}
