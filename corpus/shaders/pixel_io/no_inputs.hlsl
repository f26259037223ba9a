// trellis: ps_6_0 main
// No inputs, a constant output.

float4 main() : SV_Target
{
    return float4(1, 0.5, 0.25, 1);
}
