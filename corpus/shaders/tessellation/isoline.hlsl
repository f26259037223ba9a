// trellis: hs_6_0 hull
// trellis.ds: ds_6_0 surface
// Lines: the first factor says how many, the second how many parts each has.

struct Point { float4 position : POSITION; };

struct Factors { float edges[2] : SV_TessFactor; };

Factors constants(InputPatch<Point, 2> patch)
{
    Factors f;
    f.edges[0] = 3;
    f.edges[1] = 5;
    return f;
}

[domain("isoline")]
[partitioning("integer")]
[outputtopology("line")]
[outputcontrolpoints(2)]
[patchconstantfunc("constants")]
Point hull(InputPatch<Point, 2> patch, uint id : SV_OutputControlPointID)
{
    return patch[id];
}

struct Out
{
    float4 position : SV_Position;
    float2 where : WHERE;
};

[domain("isoline")]
Out surface(Factors f, float2 where : SV_DomainLocation, const OutputPatch<Point, 2> patch)
{
    Out o;
    o.position = lerp(patch[0].position, patch[1].position, where.x) + where.y;
    o.where = where;
    return o;
}
