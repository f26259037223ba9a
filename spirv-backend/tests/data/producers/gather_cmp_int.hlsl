// dxc -T ps_6_0 -E main. A comparing gather of an integer texture, which D3D's documentation does not allow.
Texture2D<uint4> Ids : register(t0);
SamplerComparisonState Cmp : register(s0);

uint4 main(float2 uv : TEXCOORD) : SV_Target { return Ids.GatherCmp(Cmp, uv, 0.25); }
