// trellis: cs_6_0 main
// Two sorted lists are merged: each thread finds its diagonal by binary search, then merges a few.
StructuredBuffer<uint> A;
StructuredBuffer<uint> B;
RWStructuredBuffer<uint> Out;
#define COUNT 128

uint partition(uint diagonal) {
  uint low = diagonal > COUNT ? diagonal - COUNT : 0;
  uint high = min(diagonal, COUNT);
  while (low < high) {
    uint middle = (low + high) / 2;
    if (A[middle] <= B[diagonal - 1 - middle])
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

[numthreads(64, 1, 1)]
void main(uint thread : SV_GroupIndex) {
  uint diagonal = thread * 4;
  uint a = partition(diagonal), b = diagonal - a;
  for (uint i = 0; i < 4; ++i) {
    bool fromA;
    if (a >= COUNT) fromA = false;
    else if (b >= COUNT) fromA = true;
    else fromA = A[a] <= B[b];
    Out[diagonal + i] = fromA ? A[a++] : B[b++];
  }
}
