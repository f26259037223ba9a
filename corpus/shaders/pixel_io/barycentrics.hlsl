// trellis: ps_6_1 main
// Barycentric coordinates, with and without perspective, and attributes of each vertex (shader model 6.1).

float4 main(float3 b : SV_Barycentrics, noperspective float3 n : SV_Barycentrics1,
            nointerpolation float4 c : COLOR, nointerpolation uint id : ID) : SV_Target
{
    float4 a0 = GetAttributeAtVertex(c, 0);
    float4 a1 = GetAttributeAtVertex(c, 1);
    float4 a2 = GetAttributeAtVertex(c, 2);
    uint i = GetAttributeAtVertex(id, 0) + GetAttributeAtVertex(id, 2);
    return a0 * b.x + a1 * b.y + a2 * b.z + n.xyzx * i;
}
