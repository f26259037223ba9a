// trellis: vs_6_0 main
// No vertex input: everything is fetched from buffers by vertex and instance index.

struct Vertex { float3 position; uint color; };
StructuredBuffer<Vertex> Vertices : register(t0);
Buffer<float4> Instances : register(t1);

struct Output { float4 position : SV_Position; float4 color : COLOR; };

Output main(uint vertex : SV_VertexID, uint instance : SV_InstanceID)
{
    Vertex v = Vertices[vertex];
    Output o;
    o.position = float4(v.position, 1) + Instances[instance];
    o.color = float4(v.color & 255, v.color >> 8 & 255, v.color >> 16 & 255, v.color >> 24) / 255.0;
    return o;
}
