// trellis: cs_6_0 main
// trellis.half: cs_6_2 main -DREAL=float16_t -enable-16bit-types
// A sparse matrix in compressed rows times a vector, a row per thread.
#ifndef REAL
#define REAL float
#endif
StructuredBuffer<uint> Rows;
StructuredBuffer<uint> Columns;
StructuredBuffer<REAL> Values;
StructuredBuffer<REAL> X;
RWStructuredBuffer<REAL> Y;

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint begin = Rows[id] & 63;
  uint end = begin + (Rows[id + 1] & 15);
  REAL sum = 0;
  for (uint i = begin; i < end; ++i)
    sum = mad(Values[i], X[Columns[i] & 63], sum);
  Y[id] = sum;
}
