// Samples, gathers, loads and queries of textures.
// fxc: ps_5_0 main
Texture1D<float4> t1 : register(t0);
Texture1DArray<float4> t1a : register(t1);
Texture2D<float4> t2 : register(t2);
Texture2DArray<float4> t2a : register(t3);
Texture3D<float4> t3 : register(t4);
TextureCube<float4> tc : register(t5);
TextureCubeArray<float4> tca : register(t6);
Texture2DMS<float4> tms : register(t7);
Texture2D<uint4> tu : register(t8);
Texture2D<float> depth : register(t9);
SamplerState s : register(s0);
SamplerComparisonState cs : register(s1);
float4 main(float4 p : P, uint4 q : Q) : SV_Target
{
    float4 r = t1.Sample(s, p.x, 2);
    r += t1a.SampleBias(s, p.xy, 0.5);
    r += t2.SampleLevel(s, p.xy, p.w, int2(-3, 4));
    r += t2a.SampleGrad(s, p.xyz, p.xy, p.zw, int2(1, 2));
    r += t3.Sample(s, p.xyz, int3(1, 2, 3)).wzyx;
    r += tc.SampleGrad(s, p.xyz, p.yzw, p.xyw);
    r += tca.Sample(s, p).y;
    r += t2.Load(int3(q.xy, 1), int2(1, -1));
    r += t3.Load(int4(q.xyz, 0));
    r += t1a.Load(int3(q.xyz));
    r += tms.Load(q.xy, q.z, int2(1, 1));
    r += t2.Gather(s, p.xy, int2(1, 2)) + t2.GatherBlue(s, p.yz) + tca.GatherAlpha(s, p);
    r += tu.GatherGreen(s, p.xy, int2(q.xy));
    r += depth.SampleCmp(cs, p.xy, p.z) + depth.SampleCmpLevelZero(cs, p.xy, p.z, int2(2, 2));
    r += depth.GatherCmp(cs, p.xy, p.w) + depth.GatherCmp(cs, p.xy, p.w, int2(q.zw));
    r.x += t2.CalculateLevelOfDetail(s, p.xy) + t2.CalculateLevelOfDetailUnclamped(s, p.zw);
    uint w, h, d, l;
    t2a.GetDimensions(q.x, w, h, d, l);
    r += float4(w, h, d, l);
    tms.GetDimensions(w, h, d);
    r += float4(w, h, d, 0);
    float fw, fh;
    t2.GetDimensions(fw, fh);
    r.xy += float2(fw, 1 / fh);
    r.xy += tms.GetSamplePosition(q.x) + GetRenderTargetSamplePosition(q.y) + GetRenderTargetSampleCount();
    return r;
}
