// trellis: vs_6_1 main
// SV_ViewID in a vertex shader (shader model 6.1).

cbuffer Views : register(b0) { float4x4 views[2]; };

float4 main(float4 p : POSITION, uint view : SV_ViewID) : SV_Position
{
    return mul(views[view], p);
}
