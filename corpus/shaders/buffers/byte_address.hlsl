// trellis: cs_6_0 main
// trellis.raw: cs_6_2 main
// Raw buffers: loads and stores of one to four words, at constant and dynamic addresses.

ByteAddressBuffer In : register(t0);
RWByteAddressBuffer Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint at = id * 40;
    uint a = In.Load(at);
    uint2 b = In.Load2(at + 4);
    uint3 c = In.Load3(at + 12);
    uint4 d = In.Load4(at + 24);
    Out.Store(at, a + 1);
    Out.Store2(at + 4, b + 2);
    Out.Store3(at + 12, c + 3);
    Out.Store4(at + 24, d + 4);
    Out.Store(0, Out.Load(4));
}
