// trellis: vs_6_0 main
// Clip distances as an array of rows, written in a loop by dynamic index.

struct Output { float4 position : SV_Position; float4 clip[2] : SV_ClipDistance; };
cbuffer Planes : register(b0) { float4 planes[2]; };

Output main(float4 p : POSITION)
{
    Output o;
    o.position = p;
    [loop]
    for (uint i = 0; i < 2; i++)
        o.clip[i] = p * planes[i];
    return o;
}
