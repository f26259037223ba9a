// trellis: lib_6_8 library -enable-16bit-types
// Thread nodes that pass records of mixed types on: arrays, 16-bit and 64-bit numbers.
RWStructuredBuffer<uint> Out : register(u0);

struct Mixed
{
    uint place;
    float16_t half;
    uint16_t2 pair;
    double wide;
    uint64_t big;
    float3 vector;
    uint list[4];
};

[Shader("node")]
[NodeLaunch("thread")]
void Begin(ThreadNodeInputRecord<Mixed> input, [MaxRecords(2)] NodeOutput<Mixed> Next)
{
    Mixed record = input.Get();
    uint count = 1 + (record.place & 1);
    ThreadNodeOutputRecords<Mixed> next = Next.GetThreadNodeOutputRecords(count);
    for (uint i = 0; i < count; i++)
    {
        next[i] = record;
        next[i].place = record.place * 8 + i * 4;
        next[i].pair = record.pair + uint16_t2(i, 3);
        next[i].big = record.big << 33;
        next[i].list[(record.place + i) & 3] += 100;
    }
    next.OutputComplete();
}

[Shader("node")]
[NodeLaunch("thread")]
void Next(ThreadNodeInputRecord<Mixed> input)
{
    Mixed r = input.Get();
    Out[r.place] = uint(r.half * 4) | uint(r.pair.x) << 8 | uint(r.pair.y) << 16;
    Out[r.place + 1] = uint(r.wide) + uint(r.big >> 32);
    Out[r.place + 2] = uint(r.vector.x + r.vector.y + r.vector.z);
    Out[r.place + 3] = r.list[0] + r.list[1] * 2 + r.list[2] * 3 + r.list[3] * 4;
}
