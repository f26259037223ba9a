// dxc -T ps_6_6 -E main. A mistake that DXC accepts: the sampler is from the heap of resources.
float4 main(float2 uv : TEXCOORD) : SV_Target
{
    Texture2D<float4> image = ResourceDescriptorHeap[3];
    SamplerState state = ResourceDescriptorHeap[5];
    return image.Sample(state, uv);
}
