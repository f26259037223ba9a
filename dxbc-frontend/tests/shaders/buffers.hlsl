// Raw, structured and typed buffers.
// fxc: cs_5_0 main
struct S { float2 a; uint b; int3 c; };
cbuffer C : register(b1) { uint4 size; float4 table[8]; };
ByteAddressBuffer raw_in : register(t0);
StructuredBuffer<S> structs : register(t1);
Buffer<float2> typed_f : register(t2);
Buffer<uint4> typed_u : register(t3);
RWByteAddressBuffer raw : register(u0);
RWStructuredBuffer<S> out_structs : register(u1);
RWBuffer<float> typed_out : register(u2);
RWBuffer<int> ints : register(u3);
[numthreads(8, 1, 1)]
void main(uint3 t : SV_DispatchThreadID)
{
    uint i = t.x;
    uint bytes, count, stride, elements;
    raw_in.GetDimensions(bytes);
    structs.GetDimensions(count, stride);
    typed_f.GetDimensions(elements);
    S s = structs[i];
    uint3 words = raw_in.Load3(i * 12);
    float2 f = typed_f[i];
    uint4 u = typed_u[i + size.x];
    s.a = s.a.yx * table[i & 7].zw + f;
    s.b += words.y + bytes + count * stride + elements;
    s.c = int3(words) - s.c.zyx;
    out_structs[i] = s;
    raw.Store4(i * 16, u.wzyx);
    raw.Store(1024 + i * 4, raw.Load(2048 + i * 4) + 1);
    typed_out[i] = f.x + f.y;
    ints[i] = ints[i] * 2 + s.c.x;
}
