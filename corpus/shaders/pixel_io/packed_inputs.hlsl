// trellis: ps_6_0 main
// Inputs that share rows: scalars, pairs, an array with dynamic index, a matrix.

cbuffer Params : register(b0) { uint which; };

float4 main(float a : A, float2 b : B, float c : C, float3 d[4] : D, float2x3 m : M, nointerpolation int e : E,
            nointerpolation uint2 f : F) : SV_Target
{
    return float4(a + b.x, b.y + c, d[which & 3].z, m[1][which % 3]) + e + f.y;
}
