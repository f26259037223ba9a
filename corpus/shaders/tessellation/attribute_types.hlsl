// trellis: hs_6_2 hull
// trellis.ds: ds_6_2 surface
// trellis.half: hs_6_2 hull -enable-16bit-types
// trellis.half_ds: ds_6_2 surface -enable-16bit-types
// Integers and 16-bit numbers as attributes of control points, several in one register, arrays.

struct Point
{
    min16float3 a : A;
    min16int b : B;
    int2 c : C;
    uint3 d[2] : D;
    float2 e : E;
};

struct Factors
{
    float edges[3] : SV_TessFactor;
    float inside : SV_InsideTessFactor;
};

Factors constants(InputPatch<Point, 3> patch)
{
    Factors f;
    f.edges[0] = f.edges[1] = f.edges[2] = 1;
    f.inside = 1;
    return f;
}

[domain("tri")]
[partitioning("integer")]
[outputtopology("triangle_cw")]
[outputcontrolpoints(3)]
[patchconstantfunc("constants")]
Point hull(InputPatch<Point, 3> patch, uint id : SV_OutputControlPointID)
{
    Point p = patch[id];
    p.a *= 2;
    p.b -= 1;
    p.d[1] += p.d[0];
    return p;
}

struct Out
{
    float4 position : SV_Position;
    min16float3 a : A;
    min16int b : B;
    int2 c : C;
    uint3 d : D;
};

[domain("tri")]
Out surface(Factors f, float3 where : SV_DomainLocation, const OutputPatch<Point, 3> patch)
{
    Out o;
    o.position = float4(patch[0].e, patch[1].e) * where.x;
    o.a = patch[2].a;
    o.b = patch[1].b + patch[0].b;
    o.c = -patch[0].c;
    o.d = patch[(uint)(where.y * 2.5)].d[1];
    return o;
}
