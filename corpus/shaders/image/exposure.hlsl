// trellis.histogram: cs_6_0 count
// trellis.average: cs_6_0 average
// Automatic exposure: a histogram of the logarithm of luminance, and its weighted mean.
Texture2D<float4> Color;
RWByteAddressBuffer Bins;
RWStructuredBuffer<float> Exposure;
cbuffer Limits { float Low; float Scale; float Speed; uint Pixels; };
groupshared uint Local[64];
groupshared float Sum[64];

[numthreads(8, 8, 1)]
void count(uint2 id : SV_DispatchThreadID, uint thread : SV_GroupIndex) {
  Local[thread] = 0;
  GroupMemoryBarrierWithGroupSync();
  float light = dot(Color[id].rgb, float3(0.2126f, 0.7152f, 0.0722f));
  uint bin = light < 0.005f ? 0 : (uint)(saturate((log2(light) - Low) * Scale) * 62 + 1);
  InterlockedAdd(Local[bin], 1);
  GroupMemoryBarrierWithGroupSync();
  Bins.InterlockedAdd(thread * 4, Local[thread]);
}

[numthreads(64, 1, 1)]
void average(uint thread : SV_GroupIndex) {
  uint seen = Bins.Load(thread * 4) & 0xffff;
  Sum[thread] = seen * (float)thread;
  GroupMemoryBarrierWithGroupSync();
  Bins.Store(thread * 4, 0);
  for (uint cut = 32; cut > 0; cut >>= 1) {
    if (thread < cut)
      Sum[thread] += Sum[thread + cut];
    GroupMemoryBarrierWithGroupSync();
  }
  if (thread == 0) {
    float mean = Sum[0] / max(Pixels - (float)seen, 1.0f) - 1.0f;
    float target = exp2(clamp(mean / 62.0f * 4.0f + Low, -8.0f, 8.0f));
    Exposure[0] += (target - Exposure[0]) * saturate(Speed);
  }
}
