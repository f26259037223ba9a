// trellis: cs_6_0 main
// IncrementCounter gives the number before, DecrementCounter the number after; Append and Consume build on them.
RWStructuredBuffer<uint> Out : register(u0);
RWStructuredBuffer<uint> Down : register(u1);
AppendStructuredBuffer<uint> List : register(u2);

[numthreads(3, 1, 1)]
void main(uint i : SV_GroupIndex) {
    Out[i] = Out.IncrementCounter();
    Down[i] = Down.DecrementCounter();
    List.Append(i * 10);
}
