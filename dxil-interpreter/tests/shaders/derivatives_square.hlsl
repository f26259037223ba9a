// trellis: cs_6_6 main
// Where the group's width and height are even, derivatives are taken in quads of two by two threads.
RWStructuredBuffer<float4> Out : register(u0);

[numthreads(4, 2, 1)]
void main(uint2 id : SV_GroupThreadID, uint i : SV_GroupIndex) {
    float v = id.x * id.x + 100.0 * id.y + 10.0 * id.x * id.y;
    Out[i] = float4(ddx_coarse(v), ddy_coarse(v), ddx_fine(v), ddy_fine(v));
}
