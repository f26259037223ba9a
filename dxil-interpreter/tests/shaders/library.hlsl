// trellis: lib_6_3 -
// A compute shader of a library: resources are variables, an array of them is indexed at run time.
RWByteAddressBuffer Out[3] : register(u2);
StructuredBuffer<uint> In : register(t1);
static uint turns = 3;

[shader("compute")]
[numthreads(3, 1, 1)]
void fill(uint i : SV_GroupIndex) {
    turns += i;
    Out[In[i]].Store(4 * i, turns);
}
