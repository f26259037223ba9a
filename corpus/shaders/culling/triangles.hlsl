// trellis: cs_6_0 main
// trellis.compact: cs_6_5 main -DCOMPACT
// Triangles that face away, have no area, or lie between pixels are dropped from the index buffer.
ByteAddressBuffer Indices;
ByteAddressBuffer Positions;
RWByteAddressBuffer Out;
cbuffer View { float4x4 Clip; float2 Viewport; };

float4 corner(uint i) { return mul(Clip, float4(asfloat(Positions.Load3((i & 31) * 12)), 1)); }

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint3 t = Indices.Load3(id * 12);
  float4 a = corner(t.x), b = corner(t.y), c = corner(t.z);
  float area = determinant(float3x3(a.xyw, b.xyw, c.xyw));
  bool dropped = !(area > 0);
  if (!dropped && all(float3(a.w, b.w, c.w) > 0)) {
    float2 p = a.xy / a.w, q = b.xy / b.w, r = c.xy / c.w;
    float2 low = floor(min(p, min(q, r)) * Viewport + 0.5f), high = floor(max(p, max(q, r)) * Viewport + 0.5f);
    if (low.x == high.x || low.y == high.y)
      dropped = true;
    else if (any(min(p, min(q, r)) > 1) || any(max(p, max(q, r)) < -1))
      dropped = true;
  }
#ifdef COMPACT
  uint place = WavePrefixCountBits(!dropped);
  uint total = WaveActiveCountBits(!dropped);
  if (!dropped)
    Out.Store3((id - WaveGetLaneIndex() + place) * 12, t);
  if (WaveIsFirstLane())
    Out.InterlockedAdd(2048, total);
#else
  Out.Store3(id * 12, dropped ? uint3(0, 0, 0) : t);
#endif
}
