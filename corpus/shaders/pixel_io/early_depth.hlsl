// trellis: ps_6_0 main
// [earlydepthstencil] with a write to a UAV, and no render target.

RWTexture2D<uint> Image : register(u0);

[earlydepthstencil]
void main(float4 pos : SV_Position)
{
    Image[(uint2)pos.xy] = asuint(pos.z);
}
