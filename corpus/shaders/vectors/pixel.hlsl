// trellis: ps_6_9 main -enable-16bit-types
// Derivatives and wave operations on vectors in a pixel shader.

ByteAddressBuffer In : register(t0);

float4 main(float4 position : SV_Position, float2 uv : TEXCOORD) : SV_Target {
  vector<float, 6> v = In.Load<vector<float, 6> >(((uint)position.x & 3) * 24) * uv.x;
  vector<float16_t, 5> h = (vector<float16_t, 5>)(vector<float, 5>)v * (float16_t)uv.y;
  v += ddx(v) + ddy_fine(v) + ddx_coarse(v);
  h += ddy(h);
  float3 w = WaveActiveSum(float3(v[0], v[1], v[2])) + WaveReadLaneFirst(float3(v[3], v[4], v[5]));
  vector<bool, 6> same = WaveActiveAllEqual(v);
  bool2 both = WaveActiveAllEqual(uv);
  return float4(w + h[4], any(same) || all(both) ? 1 : (float)h[1]);
}
