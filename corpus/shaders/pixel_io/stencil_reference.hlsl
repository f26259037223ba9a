// trellis: ps_6_0 main
// A stencil reference from the shader.

struct Output { float4 color : SV_Target; uint reference : SV_StencilRef; };

Output main(float4 c : COLOR, nointerpolation uint id : ID)
{
    Output o = { c, id & 255 };
    return o;
}
