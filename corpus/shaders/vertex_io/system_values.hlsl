// trellis: vs_6_0 main
// Vertex and instance index as inputs, clip and cull distances as outputs.

struct Output
{
    float4 position : SV_Position;
    float2 clip : SV_ClipDistance0;
    float cull : SV_CullDistance0;
    nointerpolation uint id : ID;
};

Output main(uint vertex : SV_VertexID, uint instance : SV_InstanceID)
{
    Output o;
    float x = (vertex & 1) * 4.0 - 1.0;
    float y = (vertex & 2) * 2.0 - 1.0;
    o.position = float4(x, y, 0, 1);
    o.clip = float2(x + instance, y);
    o.cull = x - y;
    o.id = vertex * 100 + instance;
    return o;
}
