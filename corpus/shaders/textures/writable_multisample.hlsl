// trellis: cs_6_7 main
// trellis.half: cs_6_7 main -enable-16bit-types -DF=half4 -DI=uint16_t2 -DS=int16_t
// Writable multisampled textures: stores and loads by sample.

#ifndef F
#define F float4
#define I uint2
#define S int
#endif
RWTexture2DMS<F, 4> Tex : register(u0);
RWTexture2DMSArray<I, 2> Arr : register(u1);
RWTexture2DMS<S> Ints : register(u2);

[numthreads(8, 8, 1)]
void main(uint3 id : SV_DispatchThreadID)
{
    Tex[id.xy] = Tex.sample[1][id.yx] + 1;
    Tex.sample[3][id.xy] = Tex.Load(id.xy, 2);
    Arr.sample[1][id] = (I)id.xy;
    Ints.sample[id.z][id.xy] = (S)5;
    uint w, h, n;
    Tex.GetDimensions(w, h, n);
    Arr[id + 1] = (I)uint2(w * n, h);
}
