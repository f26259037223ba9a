// trellis: cs_6_9 main -enable-16bit-types
// trellis.wide: cs_6_9 main -enable-16bit-types -DINPUTS=32 -DOUTPUTS=16
// trellis.float: cs_6_9 main -DREAL=float
// trellis.od: cs_6_9 main -enable-16bit-types -Od
// A small network on long vectors: matrices times vectors, with an activation between.
#ifndef REAL
#define REAL float16_t
#endif
#ifndef INPUTS
#define INPUTS 8
#define OUTPUTS 8
#endif
typedef vector<REAL, INPUTS> In;
typedef vector<REAL, OUTPUTS> Out;
ByteAddressBuffer Inputs : register(t0);
ByteAddressBuffer Weights : register(t1);
RWByteAddressBuffer Results : register(u0);

Out layer(In x, uint at) {
  Out sum = Weights.Load<Out>(at);
  [loop]
  for (uint i = 0; i < INPUTS; ++i)
    sum += Weights.Load<Out>(at + (i + 1) * OUTPUTS * sizeof(REAL)) * x[i];
  return max(sum, (Out)0);
}

[numthreads(32, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  In x = Inputs.Load<In>(id * INPUTS * sizeof(REAL));
  Out y = layer(x, 0);
  vector<REAL, OUTPUTS> weight = Weights.Load<Out>(2048);
  REAL gate = (REAL)0;
  for (uint i = 0; i < OUTPUTS; ++i)
    gate += weight[i] * y[i];
  y = select(y > (Out)gate, y, y * (Out)0.125f);
  Results.Store<Out>(id * OUTPUTS * sizeof(REAL), clamp(y, (Out)-16, (Out)16));
}
