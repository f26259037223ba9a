// dxc -T cs_6_0 -E main -Zi -Qembed_debug header.hlsl -Fo header.dxil
#include "header.hlsli"
[numthreads(1, 1, 1)]
void main() { Sample s; s.weight = 1; s.bias = 2; Samples[0] = s; }
