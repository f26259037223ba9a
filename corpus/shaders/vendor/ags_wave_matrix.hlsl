// trellis: cs_6_6 main
// AGS: matrices of a wave from a buffer, in a loop, multiplied, converted, and stored.

RWByteAddressBuffer Intrinsics : register(u0, space2147420894);
ByteAddressBuffer In : register(t0);
RWByteAddressBuffer Out : register(u0);

static const uint F16 = 4, F32 = 6, FP8 = 10;
static const uint LEFT = 0 << 4, RIGHT = 1 << 4, SUM = 2 << 4, COLUMNS = 1 << 7;

struct Matrix { uint words[8]; };

uint Phase(uint operation, uint phase, uint immediate, uint first, uint second)
{
    uint result;
    uint code = 5u << 28 | phase << 24 | immediate << 8 | operation;
    Intrinsics.InterlockedCompareExchange(code, first, second, result);
    return result;
}

void Operand(uint operation, uint phase, uint which, Matrix m)
{
    [unroll] for (uint i = 0; i < 4; i++)
        Phase(operation, phase, which << 8 | (i / 2) << 4 | i % 2, m.words[2 * i], m.words[2 * i + 1]);
}

Matrix Result(uint operation, uint phase)
{
    Matrix m;
    [unroll] for (uint i = 0; i < 8; i++)
        m.words[i] = Phase(operation, phase, (i / 4) << 4 | i % 4, 0, 0);
    return m;
}

Matrix Load(uint type, uint offset, uint stride)
{
    uint word = In.Load(Phase(0x29, 0, 0, offset, stride));
    Phase(0x29, 1, type, word, 0);
    return Result(0x29, 2);
}

void Store(uint type, uint offset, uint stride, Matrix m)
{
    uint word = Out.Load(Phase(0x2A, 0, 0, offset, stride));
    Operand(0x2A, 1, 0, m);
    Phase(0x2A, 2, type, word, 0);
}

Matrix Convert(uint from, uint to, Matrix m)
{
    Operand(0x32, 0, 0, m);
    Phase(0x32, 1, from, to, 1);
    return Result(0x32, 2);
}

[numthreads(32, 1, 1)]
void main(uint thread : SV_GroupIndex)
{
    Phase(0x33, 0, F32 | SUM, 0, 0);
    Matrix sum = Result(0x33, 1);
    [loop] for (uint i = 0; i < 4; i++)
    {
        Matrix left = Load(F16 | LEFT, 32 * i, 128);
        Matrix right = Load(F16 | RIGHT | COLUMNS, 4096 + 32 * i, 128);
        Operand(0x28, 0, 1, left);
        Operand(0x28, 0, 2, right);
        Operand(0x28, 0, 3, sum);
        Phase(0x28, 1, 5, 0, 0);
        sum = Result(0x28, 2);
    }
    Store(F32 | SUM, 0, 64, sum);
    Store(FP8 | LEFT, 1024, 16, Convert(F32 | SUM, FP8 | LEFT, sum));
    Operand(0x30, 0, 0, sum);
    Out.Store(2048 + 4 * thread, Phase(0x30, 1, F32 | SUM, thread & 1, 0));
}
