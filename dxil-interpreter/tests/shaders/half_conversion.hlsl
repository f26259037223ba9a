// trellis: cs_6_0 main
// Floats to half and back: the nearest half, ties to even, infinity beyond the largest, subnormal halves exact.
StructuredBuffer<float> In : register(t0);
RWStructuredBuffer<uint> Bits : register(u0);
RWStructuredBuffer<float> Back : register(u1);

[numthreads(6, 1, 1)]
void main(uint i : SV_DispatchThreadID) {
    uint bits = f32tof16(In[i]);
    Bits[i] = bits;
    Back[i] = f16tof32(bits);
}
