// Status of accesses and clamps of the level of detail.
// fxc: ps_5_0 main
Texture2D<float4> t : register(t0);
Buffer<uint> b : register(t1);
ByteAddressBuffer raw : register(t2);
StructuredBuffer<uint4> st : register(t3);
SamplerState s : register(s0);
SamplerComparisonState cs : register(s1);
RWTexture2D<float> u : register(u1);
float4 main(float4 p : P) : SV_Target
{
    uint a; bool ok = true;
    float4 r = t.Sample(s, p.xy, int2(0, 1), p.z, a); ok = ok && CheckAccessFullyMapped(a);
    r += t.SampleBias(s, p.xy, p.w, int2(0, 0), 1.5f, a); ok = ok && CheckAccessFullyMapped(a);
    r += t.SampleGrad(s, p.xy, p.xy, p.zw, int2(0, 0), p.x, a); ok = ok && CheckAccessFullyMapped(a);
    r += t.SampleLevel(s, p.xy, p.w, int2(0, 0), a); ok = ok && CheckAccessFullyMapped(a);
    r += t.SampleCmp(cs, p.xy, p.w, int2(0, 0), p.x, a); ok = ok && CheckAccessFullyMapped(a);
    r += t.SampleCmpLevelZero(cs, p.xy, p.w, int2(0, 0), a); ok = ok && CheckAccessFullyMapped(a);
    r += t.Load(int3(p.xyz), int2(0, 0), a); ok = ok && CheckAccessFullyMapped(a);
    r += t.GatherRed(s, p.xy, int2(0, 0), a); ok = ok && CheckAccessFullyMapped(a);
    r += t.GatherCmp(cs, p.xy, p.x, int2(0, 0), a); ok = ok && CheckAccessFullyMapped(a);
    r += b.Load(p.x, a); ok = ok && CheckAccessFullyMapped(a);
    r += raw.Load2(p.x, a).xyxy; ok = ok && CheckAccessFullyMapped(a);
    r += st.Load(p.x, a); ok = ok && CheckAccessFullyMapped(a);
    r += u.Load(p.xy, a); ok = ok && CheckAccessFullyMapped(a);
    return ok ? r : 0;
}
