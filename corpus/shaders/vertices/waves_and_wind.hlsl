// trellis.ocean: vs_6_0 ocean
// trellis.grass: vs_6_0 grass
// trellis.tree: vs_6_0 tree
// trellis.flag: vs_6_0 flag
// Surfaces that move: sums of waves with their normals, blades, branches by colour, cloth in the wind.
cbuffer Wind : register(b0) { float4x4 View; float4 Waves[4]; float Time; float3 Gust; };
struct Result { float4 place : SV_Position; float3 normal : NORMAL; };

Result ocean(float2 p : POSITION) {
  Result r;
  float3 place = float3(p.x, 0, p.y), x = float3(1, 0, 0), z = float3(0, 0, 1);
  [unroll]
  for (uint i = 0; i < 4; ++i) {
    float2 way = Waves[i].xy;
    float k = 1 + i, steep = Waves[i].z * 0.1f, s, c;
    sincos(k * dot(way, p) + Time * sqrt(9.8f * k), s, c);
    place += float3(way.x * c, s, way.y * c) * steep / k;
    x += steep * float3(-way.x * way.x * s, way.x * c, -way.x * way.y * s);
    z += steep * float3(-way.x * way.y * s, way.y * c, -way.y * way.y * s);
  }
  r.place = mul(View, float4(place, 1));
  r.normal = normalize(cross(z, x));
  return r;
}

Result grass(uint vertex : SV_VertexID, uint blade : SV_InstanceID) {
  Result r;
  float up = (vertex >> 1) / 3.0f, side = (vertex & 1) ? 0.5f : -0.5f;
  uint h = blade * 2654435761u;
  float2 root = float2(h & 0xff, h >> 8 & 0xff) / 16;
  float a = (h >> 16) * 0.001f, bend = up * up * (0.3f + 0.1f * sin(Time + root.x));
  float3 p = float3(root.x, up, root.y) + float3(cos(a), 0, sin(a)) * side * 0.1f * (1 - up) + Gust * bend;
  r.place = mul(View, float4(p, 1));
  r.normal = float3(-sin(a), bend, cos(a));
  return r;
}

Result tree(float3 p : POSITION, float3 n : NORMAL, float4 paint : COLOR) {
  Result r;
  float4 wave = frac(Time * float4(1.975f, 0.793f, 0.375f, 0.193f) + paint.g + dot(p, 1)) * 2 - 1;
  wave = abs(frac(wave + 0.5f) * 2 - 1);
  wave = wave * wave * (3 - 2 * wave);
  float2 sum = wave.xz + wave.yw;
  p += n * (sum.x * paint.r * 0.05f) + float3(0, sum.y * paint.b * 0.1f, 0) + Gust * (p.y * p.y * 0.01f);
  r.place = mul(View, float4(p, 1));
  r.normal = n;
  return r;
}

Result flag(float2 uv : UV) {
  Result r;
  float phase = uv.x * 8 - Time * 3, far = uv.x;
  float3 p = float3(uv.x, uv.y - 0.5f, far * 0.2f * sin(phase));
  float slope = 0.2f * (sin(phase) + far * 8 * cos(phase));
  r.place = mul(View, float4(p, 1));
  r.normal = normalize(float3(-slope, 0, 1));
  return r;
}
