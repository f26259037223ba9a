// trellis: hs_6_0 hull
// trellis.ds: ds_6_0 surface
// The vertices of the tessellation as points.

struct Point { float4 position : POSITION; };

struct Factors
{
    float edges[4] : SV_TessFactor;
    float inside[2] : SV_InsideTessFactor;
};

Factors constants(InputPatch<Point, 1> patch)
{
    Factors f;
    f.edges[0] = f.edges[1] = f.edges[2] = f.edges[3] = 3;
    f.inside[0] = f.inside[1] = 4;
    return f;
}

[domain("quad")]
[partitioning("integer")]
[outputtopology("point")]
[outputcontrolpoints(1)]
[patchconstantfunc("constants")]
Point hull(InputPatch<Point, 1> patch, uint index : SV_OutputControlPointID)
{
    return patch[0];
}

struct Out
{
    float2 where : WHERE;
    float4 base : BASE;
};

[domain("quad")]
Out surface(Factors f, float2 where : SV_DomainLocation, const OutputPatch<Point, 1> patch)
{
    Out o;
    o.where = where;
    o.base = patch[0].position;
    return o;
}
