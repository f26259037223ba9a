// trellis: cs_6_9 main -enable-16bit-types
// Component 0 of vectors in local memory, which the compiler reads as the lowest bits of the whole
// vector: a bitcast to i416 and a truncation.

ByteAddressBuffer input : register(t0);
RWByteAddressBuffer output : register(u0);

[numthreads(4, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    vector<uint, 13> words = input.Load<vector<uint, 13> >(id * 52);
    vector<float, 6> numbers = input.Load<vector<float, 6> >(id * 24 + 208);
    vector<uint64_t, 5> longs = input.Load<vector<uint64_t, 5> >(id * 40 + 304);
    vector<half, 9> halves = input.Load<vector<half, 9> >(id * 18 + 464);
    // An index that is known at run time only keeps the vectors in memory.
    words[id * 5 % 13] = 1000 + id;
    numbers[id * 5 % 6] = 2000 + id;
    longs[id * 5 % 5] = 3000 + id;
    halves[id * 5 % 9] = (half)(100 + id);
    // Loads of whole vectors, whose values the loads of components then take.
    output.Store(id * 256 + 64, words);
    output.Store(id * 256 + 116, numbers);
    output.Store(id * 256 + 144, longs);
    output.Store(id * 256 + 184, halves);
    output.Store(id * 256, words[0]);
    output.Store(id * 256 + 4, words[3]);
    output.Store(id * 256 + 8, numbers[0]);
    output.Store(id * 256 + 12, numbers[3]);
    output.Store(id * 256 + 16, longs[0]);
    output.Store(id * 256 + 24, longs[3]);
    output.Store(id * 256 + 32, (uint)longs[0]);
    output.Store(id * 256 + 36, halves[0]);
    output.Store(id * 256 + 40, halves[3]);
}
