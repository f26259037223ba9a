// trellis: vs_6_0 main
// Wave operations in a vertex shader.

float4 main(float4 p : POSITION, uint id : SV_VertexID) : SV_Position
{
    return p + WaveActiveMax(p.x) + WaveGetLaneIndex() + WavePrefixCountBits(id & 1);
}
