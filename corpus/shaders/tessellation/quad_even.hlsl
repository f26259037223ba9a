// trellis: hs_6_0 hull
// trellis.ds: ds_6_0 surface
// A quad with six factors, fractional even.

struct Point { float2 position : POSITION; };

struct Factors
{
    float edges[4] : SV_TessFactor;
    float inside[2] : SV_InsideTessFactor;
};

Factors constants(InputPatch<Point, 4> patch)
{
    Factors f;
    f.edges[0] = 2;
    f.edges[1] = 3.5;
    f.edges[2] = 4.25;
    f.edges[3] = 5;
    f.inside[0] = 2.75;
    f.inside[1] = 4 * patch[2].position.x + 1;
    return f;
}

[domain("quad")]
[partitioning("fractional_even")]
[outputtopology("triangle_cw")]
[outputcontrolpoints(4)]
[patchconstantfunc("constants")]
Point hull(InputPatch<Point, 4> patch, uint id : SV_OutputControlPointID)
{
    return patch[id];
}

struct Out
{
    float4 position : SV_Position;
    float2 where : WHERE;
};

[domain("quad")]
Out surface(Factors f, float2 where : SV_DomainLocation, const OutputPatch<Point, 4> patch)
{
    Out o;
    float2 a = lerp(patch[0].position, patch[1].position, where.x);
    float2 b = lerp(patch[3].position, patch[2].position, where.x);
    o.position = float4(lerp(a, b, where.y), 0, 1);
    o.where = where;
    return o;
}
