// trellis: cs_6_2 main -enable-16bit-types
// Neighbouring components of structured and raw buffers, which may be accessed as vectors: whole ones, some
// components, vectors in two parts, elements of arrays in structs, pairs of halves.

struct Mixed
{
    float3 direction;
    float length;
    float4 rows[2];
    uint2 pair;
    half2 halves;
    half single;
    half3 next;
    uint last;
};

struct Small
{
    half first;
    half3 rest;
};

StructuredBuffer<Mixed> Source : register(t0);
StructuredBuffer<Small> Halves : register(t1);
StructuredBuffer<double2> Doubles : register(t2);
ByteAddressBuffer Bytes : register(t3);
RWStructuredBuffer<Mixed> Target : register(u0);
RWStructuredBuffer<Small> OutHalves : register(u1);
RWStructuredBuffer<double2> OutDoubles : register(u2);
RWByteAddressBuffer OutBytes : register(u3);

[numthreads(32, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    Mixed source = Source[id];
    Mixed target;
    target.direction = source.direction.zyx;
    target.length = source.direction.x + source.rows[0].w;
    uint which = source.last & 1;
    target.rows[0] = Source[id].rows[which];
    target.rows[1] = float4(source.rows[1].yw, source.rows[0].xz);
    target.pair = source.pair.yx;
    target.halves = source.halves.yx + source.single;
    target.single = source.next.y;
    target.next = source.next.zxy;
    target.last = source.last + which;
    Target[id] = target;
    Target[id].rows[which ^ 1].xy = source.rows[which].zw;

    Small small = Halves[id];
    small.rest = small.rest.yzx * small.first;
    OutHalves[id] = small;

    OutDoubles[id] = Doubles[id].yx;

    // Aligned to 4 bytes, and to 2 only.
    half4 aligned = Bytes.Load<half4>(id * 12);
    half2 pair = Bytes.Load<half2>(id * 12 + 10);
    uint3 words = Bytes.Load3(id * 12 + 4);
    OutBytes.Store<half4>(id * 32, aligned.wzyx);
    OutBytes.Store<half2>(id * 32 + 10, pair.yx);
    OutBytes.Store3(id * 32 + 16, words);
}
