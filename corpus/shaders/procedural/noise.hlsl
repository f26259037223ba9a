// trellis.value: ps_6_0 main -DKIND=value
// trellis.gradient: ps_6_0 main -DKIND=gradient
// trellis.cells: ps_6_0 main -DKIND=cells
// trellis.warped: ps_6_0 main -DKIND=warped
// Octaves of noise: by values, by slopes, by distances to points, and of noise at places that noise moves.
uint hash(int2 p) {
  uint h = (uint)p.x * 0x9e3779b1u ^ (uint)p.y * 0x85ebca77u;
  h = (h ^ h >> 15) * 0x2c1b3c6du;
  return h ^ h >> 12;
}

float value(float2 p) {
  int2 i = (int2)floor(p);
  float2 f = frac(p), w = f * f * (3 - 2 * f);
  float4 h = float4(hash(i), hash(i + int2(1, 0)), hash(i + int2(0, 1)), hash(i + 1)) / 4294967296.0f;
  return lerp(lerp(h.x, h.y, w.x), lerp(h.z, h.w, w.x), w.y);
}

float slope(int2 i, float2 d) {
  float a = (hash(i) & 0xffff) * (6.2831853f / 65536);
  return dot(float2(cos(a), sin(a)), d);
}

float gradient(float2 p) {
  int2 i = (int2)floor(p);
  float2 f = frac(p), w = f * f * f * (f * (f * 6 - 15) + 10);
  return lerp(lerp(slope(i, f), slope(i + int2(1, 0), f - float2(1, 0)), w.x),
              lerp(slope(i + int2(0, 1), f - float2(0, 1)), slope(i + 1, f - 1), w.x), w.y) + 0.5f;
}

float cells(float2 p) {
  int2 i = (int2)floor(p);
  float first = 4, second = 4;
  for (int y = -1; y <= 1; ++y)
    for (int x = -1; x <= 1; ++x) {
      uint h = hash(i + int2(x, y));
      float2 d = float2(x, y) + float2(h & 0xffff, h >> 16) / 65536.0f - frac(p);
      float square = dot(d, d);
      if (square < first) {
        second = first;
        first = square;
      } else if (square < second) {
        second = square;
      }
    }
  return sqrt(second) - sqrt(first);
}

float warped(float2 p) { return value(p + 2 * float2(gradient(p), gradient(p + 5.2f))); }

float4 main(float2 uv : UV) : SV_Target {
  float sum = 0, weight = 0.5f;
  float2 p = uv * 8;
  for (uint i = 0; i < 4; ++i) {
    sum += weight * KIND(p);
    p = mul(float2x2(1.6f, 1.2f, -1.2f, 1.6f), p);
    weight *= 0.5f;
  }
  return sum;
}
