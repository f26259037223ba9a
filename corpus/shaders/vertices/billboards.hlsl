// trellis.particle: vs_6_0 particle
// trellis.tree: vs_6_0 tree
// trellis.line: vs_6_0 line_
// trellis.glyph: vs_6_0 glyph
// Quads without vertex buffers: particles along their motion, views of trees, thick lines, letters.
struct Particle { float3 place; float size; float3 way; uint color; };
StructuredBuffer<Particle> Particles : register(t0);
StructuredBuffer<float4> Lines : register(t1);
StructuredBuffer<uint2> Letters : register(t2);
cbuffer Frame : register(b0) { float4x4 View; float3 Right; float3 Up; float3 Eye; float2 Pixel; };
struct Result { float4 place : SV_Position; float4 color : COLOR; float2 uv : UV; };

float2 corner(uint v) { return float2(v & 1, v >> 1 & 1); }

Result particle(uint v : SV_VertexID) {
  Result r;
  Particle p = Particles[(v >> 2) & 15];
  float2 c = corner(v) * 2 - 1;
  float3 along = p.way, across = cross(along, normalize(Eye - p.place + 1e-3f));
  bool slow = dot(along, along) < 0.01f;
  float3 x = slow ? Right : normalize(across), y = slow ? Up : along;
  r.place = mul(View, float4(p.place + (x * c.x + y * c.y) * p.size, 1));
  r.color = float4(p.color & 0xff, p.color >> 8 & 0xff, p.color >> 16 & 0xff, p.color >> 24) / 255;
  r.uv = corner(v);
  return r;
}

Result tree(uint v : SV_VertexID, float3 root : ROOT, float turn : TURN) {
  Result r;
  float3 to = normalize(Eye - root + float3(1e-3f, 0, 0));
  float a = atan2(to.z, to.x) + turn;
  float view = a * (8 / 6.2831853f) + 16.5f;
  uint cell = (uint)view & 7;
  float2 c = corner(v);
  float3 x = normalize(float3(-to.z, 0, to.x));
  r.place = mul(View, float4(root + x * (c.x - 0.5f) + float3(0, c.y, 0), 1));
  r.color = float4(frac(view), 0, 0, 1);
  r.uv = (c + float2(cell & 3, cell >> 2)) / float2(4, 2);
  return r;
}

Result line_(uint v : SV_VertexID) {
  Result r;
  uint i = (v >> 2) & 15;
  float4 a = mul(View, float4(Lines[i].xyz, 1)), b = mul(View, float4(Lines[i + 1].xyz, 1));
  float2 d = b.xy / b.w - a.xy / a.w;
  d = dot(d, d) > 1e-6f ? normalize(d) : float2(1, 0);
  float2 c = corner(v);
  r.place = c.x > 0 ? b : a;
  r.place.xy += float2(-d.y, d.x) * (c.y - 0.5f) * Lines[i].w * Pixel * r.place.w;
  r.color = 1;
  r.uv = c;
  return r;
}

Result glyph(uint v : SV_VertexID, uint letter : SV_InstanceID) {
  Result r;
  uint2 g = Letters[letter & 15];
  float2 size = float2(g.x & 0xff, g.x >> 8 & 0xff), pen = float2(g.x >> 16 & 0xff, g.x >> 24), c = corner(v);
  r.place = float4((pen + c * size) * Pixel * 2 - 1, 0, 1);
  r.color = (g.y & 1) != 0 ? float4(1, 0.5f, 0, 1) : 1;
  r.uv = (float2(g.y >> 8 & 0xff, g.y >> 16 & 0xff) + c * size) / 256;
  return r;
}
