// trellis: cs_6_0 main
// trellis.half: cs_6_2 main -enable-16bit-types -DF=float16_t
// Dot products of two, three and four components, and what is made of them.

#ifndef F
#define F float
#endif
StructuredBuffer<float4> In : register(t0);
RWStructuredBuffer<float> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    vector<F, 4> a = (vector<F, 4>)In[id], b = (vector<F, 4>)In[id + 1];
    Out[id * 8 + 0] = dot(a.xy, b.xy);
    Out[id * 8 + 1] = dot(a.xyz, b.xyz);
    Out[id * 8 + 2] = dot(a, b);
    Out[id * 8 + 3] = length(a.xyz);
    Out[id * 8 + 4] = normalize(a).w;
    Out[id * 8 + 5] = cross(a.xyz, b.xyz).y;
    Out[id * 8 + 6] = reflect(a.xyz, b.xyz).z;
    Out[id * 8 + 7] = refract(a.xyz, b.xyz, (F)0.5).x;
}
