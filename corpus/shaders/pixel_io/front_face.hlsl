// trellis: ps_6_0 main
// SV_IsFrontFace, as a condition and as a value.

float4 main(float3 n : NORMAL, bool front : SV_IsFrontFace) : SV_Target
{
    return float4(front ? n : -n, front);
}
