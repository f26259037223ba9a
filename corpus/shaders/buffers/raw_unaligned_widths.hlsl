// trellis: cs_6_2 main -enable-16bit-types
// Raw loads and stores at addresses that are multiples of two only.

ByteAddressBuffer In : register(t0);
RWByteAddressBuffer Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint at = id * 14;
    uint16_t a = In.Load<uint16_t>(at);
    half2 b = In.Load<half2>(at + 2);
    half4 c = In.Load<half4>(at + 6);
    Out.Store<uint16_t>(at, a + (uint16_t)1);
    Out.Store<half2>(at + 2, b.yx);
    Out.Store<half4>(at + 6, c * (half)2);
}
