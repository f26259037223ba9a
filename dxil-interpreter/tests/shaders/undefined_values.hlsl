// trellis: cs_6_0 main
// What is out of bounds of an array, and the value of a lane that does not exist: 0 here, and any
// number elsewhere, as the test with variations shows.
RWStructuredBuffer<uint> Out : register(u0);
groupshared uint shared_words[4];
static const uint table[4] = { 10, 20, 30, 40 };

[numthreads(1, 1, 1)]
void main() {
    uint at = Out[0];
    uint own[4] = { 1, 2, 3, 4 };
    for (uint j = 0; j < 4; j++) {
        own[j] += Out[j];
        shared_words[j] = own[j];
    }
    Out[1] = own[at];
    Out[2] = shared_words[at];
    Out[3] = table[at];
    Out[4] = WaveReadLaneAt(at, at);
}
