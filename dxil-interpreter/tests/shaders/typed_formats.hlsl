// trellis: cs_6_2 main
// Typed loads and stores convert: fixed point saturates and rounds to nearest even, integers extend by their sign.
Buffer<unorm float4> Unorm : register(t0);
Buffer<int2> Narrow : register(t1);
RWBuffer<float4> Store : register(u0);
RWStructuredBuffer<float4> Out : register(u1);
RWStructuredBuffer<int2> Ints : register(u2);

[numthreads(2, 1, 1)]
void main(uint i : SV_DispatchThreadID) {
    float4 v = Unorm[i];
    Out[i] = v;
    Ints[i] = Narrow[i];
    Store[i] = float4(2.0, -1.0, v.x, 0.5);
}
