// trellis: cs_6_2 main -enable-16bit-types
// Positions of bits in numbers of 16 and 64 bits count from their own bit 0; the result has 32 bits.
StructuredBuffer<uint64_t> Wide : register(t0);
StructuredBuffer<uint16_t> Narrow : register(t1);
RWStructuredBuffer<uint4> Out : register(u0);

[numthreads(3, 1, 1)]
void main(uint i : SV_GroupIndex) {
    Out[2 * i] = uint4(firstbithigh(Wide[i]), firstbitlow(Wide[i]), countbits(Wide[i]), firstbithigh((int64_t)Wide[i]));
    Out[2 * i + 1] = uint4(firstbithigh(Narrow[i]), firstbitlow(Narrow[i]), reversebits(Narrow[i]), firstbithigh((int16_t)Narrow[i]));
}
