// What is in the buffers of the scene; `src/scene.rs` and `src/mesh.rs` write the same.

struct Vertex
{
    float3 position;
    float3 normal;
    float2 uv;
};

struct Instance
{
    float3 position;
    float scale;
    float4 rotation; // a quaternion
    float3 tint;
    uint material;   // a number in the table of materials
};

// Returns a vector turned by a quaternion.
float3 rotate(float4 q, float3 v)
{
    return v + 2 * cross(q.xyz, cross(q.xyz, v) + q.w * v);
}
