// trellis: cs_6_9 main -enable-16bit-types
// Classes of floats, among them normal ones, of numbers, halves and long vectors (shader model 6.9).
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  float f = asfloat(In[id]);
  float16_t h = asfloat16((uint16_t)In[id]);
  vector<float, 6> v;
  [unroll]
  for (uint i = 0; i < 6; ++i)
    v[i] = asfloat(In[id] << i);
  uint r = (isnormal(f) ? 1 : 0) | (isnormal(h) ? 2 : 0) | (isinf(f) ? 4 : 0) | (isnan(h) ? 8 : 0);
  vector<bool, 6> n = isnormal(v);
  [unroll]
  for (uint k = 0; k < 6; ++k)
    r |= n[k] ? 16u << k : 0;
  Out[id] = r;
}
