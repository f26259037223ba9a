// trellis: ps_6_0 main
// A depth that is at least the rasterizer's.

float4 main(linear noperspective centroid float4 pos : SV_Position, out float depth : SV_DepthGreaterEqual) : SV_Target
{
    depth = pos.z + 0.1;
    return 1;
}
