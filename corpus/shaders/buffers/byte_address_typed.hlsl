// trellis: cs_6_2 main -enable-16bit-types
// Raw buffers with Load<T> and Store<T> of every width: 16, 32, 64 bits, vectors, a struct, an array.

struct Mixed { half h; int16_t2 s; float3 f; double d; int64_t l; uint a[3]; };
ByteAddressBuffer In : register(t0);
RWByteAddressBuffer Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    uint at = id * 256;
    Out.Store<half>(at, In.Load<half>(at) + (half)1);
    Out.Store<half3>(at + 8, In.Load<half3>(at + 8));
    Out.Store<uint16_t4>(at + 16, In.Load<uint16_t4>(at + 16) ^ (uint16_t)3);
    Out.Store<float4>(at + 32, In.Load<float4>(at + 32) * 2);
    Out.Store<double2>(at + 48, In.Load<double2>(at + 48) + 0.5);
    Out.Store<uint64_t3>(at + 64, In.Load<uint64_t3>(at + 64) + 7);
    Mixed m = In.Load<Mixed>(at + 96);
    m.h += 1;
    m.d *= 3;
    m.a[id % 3] += 1;
    Out.Store<Mixed>(at + 96, m);
}
