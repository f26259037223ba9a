// trellis.vs: vs_6_0 vertex
// The depth of the objects as the sun sees them. There is no pixel shader.

#include "scene.hlsli"

[RootSignature(SCENE_SIGNATURE)]
float4 vertex(uint index : SV_VertexID, uint number : SV_InstanceID) : SV_Position
{
    float3 world = to_world(Instances[first_instance + number], Vertices[index].position);
    return mul(world_to_light, float4(world, 1));
}
