// dxc -T lib_6_3. Resources of a library without registers.
Texture2D<float> Layers[];
RWTexture2D<float> Result;

[shader("raygeneration")]
void generate()
{
    uint2 at = DispatchRaysIndex().xy;
    Result[at] = Layers[2][at];
}
