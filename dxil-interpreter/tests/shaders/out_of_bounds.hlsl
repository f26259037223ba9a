// trellis: cs_6_0 main
// Loads beyond a buffer give 0, in a typed buffer the format's default for components that it lacks; stores and atomics beyond it do nothing.
StructuredBuffer<uint> Structured : register(t0);
ByteAddressBuffer Raw : register(t1);
Buffer<float4> Typed : register(t2);
RWStructuredBuffer<uint> Out : register(u0);
RWStructuredBuffer<uint> Small : register(u1);

[numthreads(1, 1, 1)]
void main() {
    uint far = Structured[0];
    Out[0] = Structured[far];
    Out[1] = Raw.Load(far * 4);
    uint2 edge = Raw.Load2(4);
    Out[2] = edge.x;
    Out[3] = edge.y;
    float4 texel = Typed[far];
    Out[4] = asuint(texel.x);
    Out[5] = asuint(texel.w);
    Small[far] = 9;
    uint old;
    InterlockedAdd(Small[far], 5, old);
    Out[6] = old;
}
