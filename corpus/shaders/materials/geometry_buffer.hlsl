// trellis: ps_6_0 main
// trellis.masked: ps_6_0 main -DMASKED
// trellis.octahedral: ps_6_0 main -DOCTAHEDRAL
// trellis.bindless: ps_6_6 main -DBINDLESS
// Attributes of surfaces for deferred lighting, with a normal map; textures by register or by index in the heap.
struct Result { float4 base : SV_Target0; float4 normal : SV_Target1; float4 surface : SV_Target2; float2 motion : SV_Target3; };
SamplerState Linear : register(s0);
#ifdef BINDLESS
cbuffer Places : register(b0) { uint First; };
#define MAP(i) Texture2D<float4>(ResourceDescriptorHeap[First + i])
Texture2D<float4> heap(uint i) { return ResourceDescriptorHeap[First + i]; }
#else
Texture2D<float4> Maps[3] : register(t0);
Texture2D<float4> heap(uint i) { return Maps[i]; }
#endif

float2 folded(float3 n) {
  n /= abs(n.x) + abs(n.y) + abs(n.z);
  float2 wrapped = (1 - abs(n.yx)) * select(n.xy >= 0, 1.0f, -1.0f);
  return (n.z >= 0 ? n.xy : wrapped) * 0.5f + 0.5f;
}

Result main(float4 at : SV_Position, float2 uv : UV, float3 normal : NORMAL, float4 tangent : TANGENT, float4 now : NOW,
            float4 before : BEFORE) {
  Result r;
  r.base = heap(0).Sample(Linear, uv);
#ifdef MASKED
  clip(r.base.a - 0.5f);
#endif
  float3 bump = heap(1).Sample(Linear, uv).xyz * 2 - 1;
  float3 side = cross(normal, tangent.xyz) * tangent.w;
  float3 n = normalize(bump.x * tangent.xyz + bump.y * side + bump.z * normal);
#ifdef OCTAHEDRAL
  r.normal = float4(folded(n), 0, 1);
#else
  r.normal = float4(n * 0.5f + 0.5f, 1);
#endif
  r.surface = heap(2).Sample(Linear, uv);
  r.motion = now.xy / now.w - before.xy / before.w;
  return r;
}
