// trellis: vs_6_0 main
// A vertex shader that writes no position.

float4 main(float4 a : A, float4 b : B) : COLOR
{
    return a * b;
}
