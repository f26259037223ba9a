// trellis: ps_6_6 main
// A heap index that differs between lanes.

float4 main(float2 uv : TEXCOORD0, nointerpolation uint2 i : INDEX) : SV_Target
{
    Texture2D<float4> tex = ResourceDescriptorHeap[NonUniformResourceIndex(i.x)];
    SamplerState smp = SamplerDescriptorHeap[NonUniformResourceIndex(i.y)];
    ByteAddressBuffer raw = ResourceDescriptorHeap[NonUniformResourceIndex(i.x + 1)];
    return tex.Sample(smp, uv) + raw.Load<float4>(i.y * 16);
}
