// trellis: cs_6_0 main
// Local copies of arrays of a constant buffer, read by an index that is known at run time: arrays of
// vectors, matrices and scalars, a part of an array, and a copy that is changed afterwards.

cbuffer Constants : register(b0)
{
    float4 first;
    float4 rows[6];
    float4x4 matrices[3];
    uint4 words[4];
    uint4 picked;
};

RWStructuredBuffer<float4> Out : register(u0);

[numthreads(8, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    float4 copied[6];
    float4x4 turned[3];
    uint4 part[3];
    float changed[6];
    [unroll]
    for (uint i = 0; i < 6; i++)
    {
        copied[i] = rows[i];
        changed[i] = rows[i].y;
    }
    [unroll]
    for (uint j = 0; j < 3; j++)
    {
        turned[j] = matrices[j];
        part[j] = words[j + 1];
    }
    changed[id % 3] = -1;
    Out[id * 4] = copied[id % 6] + first;
    Out[id * 4 + 1] = turned[id % 3][id % 4];
    Out[id * 4 + 2] = part[id % 3];
    Out[id * 4 + 3] = changed[id % 6];
    // The index is in the buffer, too.
    Out[32 + id] = copied[picked.y] * id;
}
