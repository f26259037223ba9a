// trellis: cs_6_0 main
// A constant buffer with HLSL's packing: scalars beside vectors, arrays a row each, matrices both ways.

cbuffer Params : register(b3)
{
    float a;
    float3 b;
    float2 c;
    int d;
    uint4 e[3];
    float f[4];
    float4x4 g;
    row_major float3x4 h;
    bool k;
};
RWStructuredBuffer<float> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    float r = a + b.y + c.x + d + e[1].z + f[3];
    r += mul(g, float4(b, 1)).z;
    r += h[2][3];
    Out[id] = k ? r : -r;
}
