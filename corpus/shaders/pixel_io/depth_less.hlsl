// trellis: ps_6_0 main
// A depth that is at most the rasterizer's.

float4 main(linear noperspective centroid float4 pos : SV_Position, out float depth : SV_DepthLessEqual) : SV_Target
{
    depth = pos.z * 0.5;
    return pos;
}
