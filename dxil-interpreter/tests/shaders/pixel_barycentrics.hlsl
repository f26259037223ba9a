// trellis: ps_6_1 main
// SV_Barycentrics weighs the corners, whose values GetAttributeAtVertex reads.
float3 main(float3 weights : SV_Barycentrics, nointerpolation uint v : V) : SV_Target {
    return weights * float3(GetAttributeAtVertex(v, 0), GetAttributeAtVertex(v, 1), GetAttributeAtVertex(v, 2));
}
