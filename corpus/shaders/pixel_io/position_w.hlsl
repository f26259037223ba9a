// trellis: ps_6_0 main
// All components of the fragment's position: Direct3D's w is the reciprocal of Vulkan's.

float4 main(float4 pos : SV_Position) : SV_Target
{
    return pos.w * float4(pos.xy, pos.z, 1);
}
