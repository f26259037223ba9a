// trellis: cs_6_0 main
// trellis.ps: ps_6_0 pixel
// Quad reads: across x, y, the diagonal, and of a given lane, in a compute and a pixel shader.

StructuredBuffer<float4> In : register(t0);
RWStructuredBuffer<float4> Out : register(u1);

float4 work(float4 v, uint k)
{
    float4 r = QuadReadAcrossX(v) + QuadReadAcrossY(v) * 2 + QuadReadAcrossDiagonal(v) * 3;
    r.x += QuadReadLaneAt(v.y, 2);
    r.y += QuadReadLaneAt(k, 0) + QuadReadAcrossX(k) + QuadReadAcrossY((int)k - 9);
    return r;
}

[numthreads(8, 8, 1)]
void main(uint lane : SV_GroupIndex)
{
    Out[lane] = work(In[lane], lane);
}

float4 pixel(float4 c : COLOR, nointerpolation uint k : K) : SV_Target
{
    return work(c, k);
}
