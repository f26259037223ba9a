// trellis: hs_6_0 hull
// trellis.ds: ds_6_0 surface
// Partitioning pow2: for the tessellator the same as integer.

struct Point { float2 ends : ENDS; };

struct Factors { float edges[2] : SV_TessFactor; };

Factors constants(InputPatch<Point, 1> patch)
{
    Factors f;
    f.edges[0] = 2;
    f.edges[1] = 4;
    return f;
}

[domain("isoline")]
[partitioning("pow2")]
[outputtopology("line")]
[outputcontrolpoints(1)]
[patchconstantfunc("constants")]
Point hull(InputPatch<Point, 1> patch, uint index : SV_OutputControlPointID)
{
    Point p;
    p.ends = patch[0].ends.yx;
    return p;
}

[domain("isoline")]
float4 surface(Factors f, float2 where : SV_DomainLocation, const OutputPatch<Point, 1> patch) : SV_Position
{
    return float4(where, patch[0].ends);
}
