// trellis: vs_6_0 main
// Inputs of which some components, or all, are never read; an output never written is not declared.

float4 main(float4 a : A, float4 unused : B, float3 partly : C) : SV_Position
{
    return a.xyxy + partly.zzzz;
}
