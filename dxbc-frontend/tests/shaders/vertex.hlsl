// Constant buffers with dynamic indices, an array in registers, system values.
// fxc: vs_4_0 main
cbuffer Transforms : register(b1) { float4x4 matrices[8]; float4 tints[4]; };
struct Out { float4 position : SV_Position; float4 color : COLOR; float clip : SV_ClipDistance; };

Out main(float3 p : POSITION, uint4 bones : BONES, uint vertex : SV_VertexID, uint instance : SV_InstanceID) {
    float weights[4];
    for (uint i = 0; i < 4; i++) weights[i] = tints[i].x * (vertex + i);
    Out o;
    o.position = mul(float4(p, 1), matrices[bones.y & 7]) * weights[instance & 3];
    o.color = tints[bones.x & 3];
    o.clip = p.y;
    return o;
}
