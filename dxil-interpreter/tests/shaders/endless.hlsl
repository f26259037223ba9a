// trellis: cs_6_0 main
// A loop that ends where it finds a 1.
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(8, 1, 1)]
void main(uint i : SV_GroupIndex) {
    [loop]
    while (Out[i] != 1)
        Out[i + 8] += 1;
}
