// trellis: cs_6_0 main
// trellis.inverse: cs_6_0 main -DINVERSE
// A cosine transform of 8 by 8 blocks, rows then columns, with quantization.
StructuredBuffer<float> In;
RWStructuredBuffer<float> Out;
groupshared float Block[8][8];

float basis(uint k, uint n) { return cos((2 * n + 1) * k * 0.19634954f) * (k == 0 ? 0.35355339f : 0.5f); }

[numthreads(8, 8, 1)]
void main(uint2 t : SV_GroupThreadID, uint group : SV_GroupID) {
  uint place = group * 64 + t.y * 8 + t.x;
  Block[t.y][t.x] = In[place];
  GroupMemoryBarrierWithGroupSync();
  float sum = 0;
  for (uint i = 0; i < 8; ++i)
#ifdef INVERSE
    sum += Block[t.y][i] * basis(i, t.x);
#else
    sum += Block[t.y][i] * basis(t.x, i);
#endif
  GroupMemoryBarrierWithGroupSync();
  Block[t.y][t.x] = sum;
  GroupMemoryBarrierWithGroupSync();
  sum = 0;
  for (uint j = 0; j < 8; ++j)
#ifdef INVERSE
    sum += Block[j][t.x] * basis(j, t.y);
  Out[place] = sum;
#else
    sum += Block[j][t.x] * basis(t.y, j);
  float quantum = 16.0f + 4.0f * (t.x + t.y);
  Out[place] = round(sum / quantum) * quantum;
#endif
}
