// trellis: ps_6_1 main
// Outputs: colours in the target's format, depth and stencil reference, for the samples of the mask.
struct Result {
    float4 color : SV_Target0;
    uint number : SV_Target1;
    float depth : SV_Depth;
    uint mask : SV_Coverage;
    uint stencil : SV_StencilRef;
};

Result main(float4 at : SV_Position, bool front : SV_IsFrontFace, uint primitive : SV_PrimitiveID) {
    Result r;
    r.color = float4(0.5, 2, -1, front);
    r.number = primitive + 7;
    r.depth = at.z * 0.5;
    r.mask = 1;
    r.stencil = 3;
    return r;
}
