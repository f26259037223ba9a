// trellis: cs_6_0 main
// trellis.wave: cs_6_0 main -DWAVE
// trellis.half: cs_6_2 main -DREAL=float16_t -enable-16bit-types
// Attention of one head: scores, a stable softmax over the group, and the weighted sum.
#ifndef REAL
#define REAL float
#endif
StructuredBuffer<REAL> Queries : register(t0);
StructuredBuffer<REAL> Keys : register(t1);
StructuredBuffer<REAL> Values : register(t2);
RWStructuredBuffer<REAL> Out : register(u0);
groupshared float Scores[32];

[numthreads(32, 1, 1)]
void main(uint thread : SV_GroupIndex, uint query : SV_GroupID) {
  float score = 0;
  for (uint i = 0; i < 8; ++i)
    score += (float)(Queries[query * 8 + i] * Keys[thread * 8 + i]);
  score *= 0.35355339f;
  if (thread > query + 16)
    score = -1e4f;
  score = clamp(score, -1e4f, 1e4f);
  Scores[thread] = score;
  GroupMemoryBarrierWithGroupSync();
  float most = Scores[0];
  for (uint j = 1; j < 32; ++j)
    most = max(most, Scores[j]);
  float e = exp(score - most);
  GroupMemoryBarrierWithGroupSync();
  Scores[thread] = e;
  GroupMemoryBarrierWithGroupSync();
#ifdef WAVE
  float total = 0;
  for (uint base = 0; base < 32; base += WaveGetLaneCount())
    total += WaveActiveSum(Scores[(base + WaveGetLaneIndex()) & 31]);
#else
  float total = 0;
  for (uint k = 0; k < 32; ++k)
    total += Scores[k];
#endif
  if (thread < 8) {
    float sum = 0;
    for (uint v = 0; v < 32; ++v)
      sum += Scores[v] * (float)Values[v * 8 + thread];
    Out[query * 8 + thread] = (REAL)(sum / total);
  }
}
