// trellis: vs_6_0 main
// SV_VertexID and SV_InstanceID begin with 0 whatever the first vertex is; attributes begin with it.
float4 main(uint vertex : SV_VertexID, uint instance : SV_InstanceID, int2 a : A) : SV_Position {
    return float4(vertex, instance, a);
}
