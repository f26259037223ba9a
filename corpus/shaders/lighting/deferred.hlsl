// trellis.point: ps_6_0 main -DPOINT
// trellis.spot: ps_6_0 main -DSPOT
// trellis.sun: ps_6_0 main -DSUN
// trellis.area: ps_6_0 main -DAREA
// trellis.list: ps_6_0 main -DLIST
// trellis.multisampled: ps_6_0 main -DPOINT -DSAMPLES
// Lights over a geometry buffer: one of each kind, or the list of a tile.
#ifdef SAMPLES
Texture2DMS<float4> Base : register(t0);
Texture2DMS<float4> Normal : register(t1);
Texture2DMS<float> Depth : register(t2);
#define READ(t) t.Load((int2)at.xy, sample_)
#else
Texture2D<float4> Base : register(t0);
Texture2D<float4> Normal : register(t1);
Texture2D<float> Depth : register(t2);
#define READ(t) t.Load(int3((int2)at.xy, 0))
#endif
struct Light { float3 place; float range; float3 color; float angle; float3 way; uint kind; };
StructuredBuffer<Light> Lights : register(t3);
StructuredBuffer<uint> Lists : register(t4);
cbuffer View { float4x4 Unproject; float3 Eye; uint Which; };

float3 lit(Light l, float3 p, float3 n, float4 base, uint kind) {
  float3 to = kind == 2 ? -l.way : l.place - p;
  float far = dot(to, to), fade = 1;
  float3 way = to * rsqrt(far + 1e-4f);
  if (kind != 2) {
    float x = saturate(1 - far * far / max(pow(abs(l.range), 4), 1e-3f));
    fade = x * x / (far + 1);
  }
  if (kind == 1)
    fade *= smoothstep(l.angle, l.angle + 0.1f, dot(-way, l.way));
  if (kind == 3) {
    float3 r = reflect(normalize(p - Eye), n);
    float3 closest = to + dot(to, r) * r - to;
    way = normalize(to + closest * saturate(l.angle / (length(closest) + 0.01f)));
  }
  float nl = saturate(dot(n, way));
  if (nl <= 0)
    return 0;
  float3 h = normalize(way + normalize(Eye - p));
  return l.color * fade * nl * (base.rgb + pow(saturate(dot(n, h)), 1 + 60 * base.a));
}

#ifdef SAMPLES
float4 main(float4 at : SV_Position, float2 uv : UV, uint sample_ : SV_SampleIndex) : SV_Target {
#else
float4 main(float4 at : SV_Position, float2 uv : UV) : SV_Target {
#endif
  float4 base = READ(Base);
  float3 n = normalize(READ(Normal).xyz * 2 - 1);
  float4 h = mul(Unproject, float4(uv * 2 - 1, READ(Depth), 1));
  float3 p = h.xyz / h.w, sum = 0;
#if defined(LIST)
  uint tile = ((uint)at.x / 2 & 3) * 8;
  for (uint i = 0; i < 8; ++i) {
    uint index = Lists[tile + i] & 15;
    if (index == 15)
      break;
    Light l = Lights[index];
    sum += lit(l, p, n, base, l.kind & 3);
  }
#elif defined(SPOT)
  sum = lit(Lights[Which & 15], p, n, base, 1);
#elif defined(SUN)
  sum = lit(Lights[Which & 15], p, n, base, 2);
#elif defined(AREA)
  sum = lit(Lights[Which & 15], p, n, base, 3);
#else
  sum = lit(Lights[Which & 15], p, n, base, 0);
#endif
  return float4(sum, 1);
}
