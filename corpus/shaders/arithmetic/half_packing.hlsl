// trellis: cs_6_2 main -enable-16bit-types
// Halves that f32tof16 and f16tof32 pack and unpack, and addresses whose bits are joined by `|`.

ByteAddressBuffer source : register(t0);
RWByteAddressBuffer result : register(u0);

[numthreads(8, 1, 1)]
void main(uint id : SV_GroupIndex)
{
    uint at = id << 4;
    uint4 words = uint4(source.Load(at), source.Load(at | 4), source.Load(at | 8), source.Load(at | 12));

    // To a half and back.
    half low = (half)f16tof32(words.x);
    half high = (half)f16tof32(words.x >> 16);
    uint sum = f32tof16(low + high);
    uint product = f32tof16(low * high);
    result.Store(at, sum | product << 16);

    // From a half of the low bits to the low bits, as f32 only.
    result.Store(at | 4, f32tof16(f16tof32(words.y)));

    // The f32 is used, too.
    float wide = f16tof32(words.z);
    half narrow = (half)wide;
    result.Store(at | 8, asuint(wide * 3.0 + (float)narrow));
    result.Store(at | 12, f32tof16(narrow) | 0x8000);
}
