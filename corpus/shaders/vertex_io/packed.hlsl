// trellis: vs_6_0 main
// Outputs that share rows, of mixed widths and interpolation modes.

struct Output
{
    float4 position : SV_Position;
    float a : A;
    float2 b : B;
    float c : C;
    nointerpolation uint d : D;
    nointerpolation int3 e : E;
    noperspective float2 f : F;
    centroid float g : G;
    sample float3 h : H;
};

Output main(float4 p : POSITION, uint4 i : INDEX)
{
    Output o;
    o.position = p;
    o.a = p.x;
    o.b = p.yz;
    o.c = p.w;
    o.d = i.x;
    o.e = (int3)i.yzw;
    o.f = p.zw;
    o.g = p.x * 2;
    o.h = p.xyz * 3;
    return o;
}
