// trellis: cs_6_0 main
// An array of a thread's own and a table of constants, both indexed at run time; references through a function that is not inlined.
static const uint table[4] = { 10, 20, 30, 40 };
RWStructuredBuffer<uint> Out : register(u0);

[noinline]
void change(inout uint a, inout float b, uint by) {
    a += by;
    b *= by;
}

[numthreads(4, 1, 1)]
void main(uint i : SV_GroupIndex) {
    uint own[4];
    for (uint j = 0; j < 4; j++)
        own[j] = j * i;
    uint a = i;
    float b = 0.5;
    change(a, b, own[3 - i] + 2);
    change(a, b, 2);
    Out[i] = own[i] + table[3 - i] + a * 1000 + (uint)b * 100000;
}
