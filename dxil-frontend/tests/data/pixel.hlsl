Texture2D<float4> tex : register(t0); SamplerState smp : register(s0);
cbuffer C : register(b0) { float4 k; float2 uvs[3]; int n; };
struct S { float4 a; uint2 b; };
StructuredBuffer<S> sb : register(t1);
RWTexture2D<float> rw[4] : register(u0, space2);
float4 main(float4 p : SV_Position, float2 uv : TEXCOORD0, nointerpolation uint i : ID) : SV_Target {
 float4 s = 0;
 for (int j = 0; j < n; j++) { s += tex.Sample(smp, uv * k.xy + uvs[j]) * sb[j].a; if (s.x > 4) break; }
 rw[2][uint2(p.xy)] = s.y;
 return s;
}
