// trellis: ps_6_0 main
// SV_Position is at the centre of a pixel.
float4 main(float4 at : SV_Position) : SV_Target { return float4(at.xy, 0, 1); }
