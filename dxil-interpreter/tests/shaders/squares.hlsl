// trellis: cs_6_0 main
// Each thread stores the square of its number.
RWByteAddressBuffer data : register(u0);

[numthreads(4, 1, 1)]
void main(uint i : SV_DispatchThreadID) {
    data.Store(4 * i, i * i);
}
