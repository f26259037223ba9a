// trellis: cs_6_0 main
// The numbers of a thread.
RWStructuredBuffer<uint4> Out : register(u0);

[numthreads(2, 3, 1)]
void main(uint3 thread : SV_DispatchThreadID, uint3 group : SV_GroupID, uint3 local : SV_GroupThreadID, uint index : SV_GroupIndex) {
    Out[(group.x + 2 * group.y) * 6 + index] = uint4(thread.x, thread.y, local.x * 10 + local.y, group.x * 10 + group.y);
}
