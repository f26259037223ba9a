// trellis: cs_6_6 main
// AGS: arithmetic on the elements of matrices, and products of matrices of 8-bit floats.

RWByteAddressBuffer Intrinsics : register(u0, space2147420894);
ByteAddressBuffer In : register(t0);
RWByteAddressBuffer Out : register(u0);

static const uint F16 = 4, F32 = 6, BF8 = 9, FP8 = 10;
static const uint LEFT = 0 << 4, RIGHT = 1 << 4, SUM = 2 << 4;

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

Matrix Arithmetic(uint type, Matrix a, Matrix b, uint operation)
{
    Operand(0x35, 0, 1, a);
    Operand(0x35, 0, 2, b);
    Phase(0x35, 1, type, operation, 0);
    return Result(0x35, 2);
}

[numthreads(32, 1, 1)]
void main()
{
    Matrix left = Load(FP8 | LEFT, 0, 16), right = Load(BF8 | RIGHT, 256, 16);
    Operand(0x28, 0, 1, left);
    Operand(0x28, 0, 2, right);
    Operand(0x28, 0, 3, Load(F32 | SUM, 512, 64));
    Phase(0x28, 1, 6, 0, 0);
    Matrix a = Result(0x28, 2), b = Load(F32 | SUM, 1536, 64);
    Matrix sum = Arithmetic(F32 | SUM, a, b, 1);
    Matrix quotient = Arithmetic(F32 | SUM, sum, b, 4);
    Matrix halves = Convert(F32 | SUM, F16 | SUM, quotient);
    halves = Arithmetic(F16 | SUM, halves, Arithmetic(F16 | SUM, halves, halves, 2), 3);
    Store(F16 | SUM, 0, 32, halves);
    Store(FP8 | SUM, 512, 16, Convert(F16 | SUM, FP8 | SUM, halves));
}
