// trellis: ps_6_0 main
// Every interpolation mode: linear, centroid, no perspective, sample, and flat.

float4 main(linear float4 a : A, centroid float4 b : B, noperspective float4 c : C,
            noperspective centroid float2 d : D, sample float2 e : E, noperspective sample float2 f : F,
            nointerpolation float3 g : G, nointerpolation uint h : H) : SV_Target
{
    return a + b + c + d.xyxy + e.xyxy + f.yxyx + g.xyzx + h;
}
