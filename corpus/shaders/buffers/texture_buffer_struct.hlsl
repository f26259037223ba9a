// trellis: cs_6_6 main -enable-16bit-types
// A tbuffer of numbers of 16, 32 and 64 bits, whose handle is annotated with its size.

struct Values
{
    float a;
    double d;
    float16_t4 h;
    uint16_t u;
    int16_t2 i;
    uint64_t l;
    float16_t last;
};

tbuffer Params : register(t1)
{
    Values values;
};
RWStructuredBuffer<float> Out : register(u0);

[numthreads(1, 1, 1)]
void main()
{
    Out[0] = values.a;
    Out[1] = (float)values.d;
    Out[2] = values.h.w;
    Out[3] = values.u;
    Out[4] = values.i.y;
    Out[5] = (float)values.l;
    Out[6] = values.last;
}
