// trellis: cs_6_0 main
// Every compute system value, in a group of three dimensions.

RWStructuredBuffer<uint4> Out : register(u0);

[numthreads(4, 3, 2)]
void main(uint3 dispatch : SV_DispatchThreadID, uint3 group : SV_GroupID, uint3 thread : SV_GroupThreadID, uint index : SV_GroupIndex)
{
    uint at = (dispatch.x + dispatch.y * 8 + dispatch.z * 64) * 4;
    Out[at] = uint4(dispatch, index);
    Out[at + 1] = uint4(group, index);
    Out[at + 2] = uint4(thread, index);
}
