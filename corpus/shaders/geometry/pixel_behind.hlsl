// trellis: ps_6_0 main
// A pixel shader behind a geometry shader: attribute, primitive id, layer.

struct In
{
    float4 position : SV_Position;
    uint from : FROM;
    uint id : SV_PrimitiveID;
};

uint4 main(In input) : SV_Target
{
    return uint4(input.from, input.id, input.position.x, 1);
}
