// trellis: ps_6_0 main
// trellis.sm66: ps_6_6 main
// Rasterizer-ordered views: texture, typed, raw and structured buffer, read and then written.

RasterizerOrderedTexture2D<float4> Image : register(u0);
RasterizerOrderedBuffer<uint> Typed : register(u1);
RasterizerOrderedByteAddressBuffer Raw : register(u2);
RasterizerOrderedStructuredBuffer<float2> Items : register(u3);

void main(float4 pos : SV_Position, float4 c : COLOR)
{
    uint2 at = (uint2)pos.xy;
    Image[at] = lerp(Image[at], c, c.a);
    Typed[at.x] = Typed[at.x] + 1;
    Raw.Store(at.y * 4, Raw.Load(at.y * 4) ^ at.x);
    Items[at.x] = Items[at.x].yx;
}
