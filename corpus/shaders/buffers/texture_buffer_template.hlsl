// trellis: ps_6_0 main
// TextureBuffer<T>, one and an array.

struct Params { float4 a; uint b; };
TextureBuffer<Params> One : register(t0);
TextureBuffer<Params> Many[4] : register(t1);

float4 main(nointerpolation uint i : INDEX) : SV_Target
{
    return One.a * One.b + Many[i & 3].a;
}
