// A quotient that is infinite where a number is 0.

StructuredBuffer<float> Numbers : register(t0);
RWStructuredBuffer<float> Out : register(u0);

[numthreads(4, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    Out[id] = 1.0 / Numbers[id] + 1.0;
}
