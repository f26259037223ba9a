// trellis: ps_6_0 main
// Clip and cull distances read in a pixel shader.

float4 main(float4 pos : SV_Position, float2 clip : SV_ClipDistance0, float3 more : SV_ClipDistance1, float cull : SV_CullDistance0) : SV_Target
{
    return float4(clip, more.z, cull) + more.x;
}
