// trellis: ps_6_0 main
// trellis.half: ps_6_2 main -enable-16bit-types -Dfloat4=half4
// Attributes evaluated at the centroid, at a sample and at an offset.

float4 main(float4 c : COLOR, noperspective float4 d : OTHER, nointerpolation uint s : INDEX) : SV_Target
{
    return EvaluateAttributeCentroid(c) + EvaluateAttributeAtSample(d, s)
         + EvaluateAttributeSnapped(c, int2(3, -8)) + EvaluateAttributeAtSample(c, 1).wzyx;
}
