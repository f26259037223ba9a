// trellis: hs_6_0 hull
// trellis.ds: ds_6_0 surface
// A triangle with a factor of its own for each edge; control points go through as they are.

struct Point
{
    float4 position : POSITION;
    float2 uv : TEXCOORD;
};

struct Factors
{
    float edges[3] : SV_TessFactor;
    float inside : SV_InsideTessFactor;
};

Factors constants(InputPatch<Point, 3> patch)
{
    Factors f;
    f.edges[0] = 1;
    f.edges[1] = 2;
    f.edges[2] = 3 + patch[0].uv.x;
    f.inside = 2.5;
    return f;
}

[domain("tri")]
[partitioning("integer")]
[outputtopology("triangle_cw")]
[outputcontrolpoints(3)]
[patchconstantfunc("constants")]
Point hull(InputPatch<Point, 3> patch, uint id : SV_OutputControlPointID)
{
    return patch[id];
}

struct Out
{
    float4 position : SV_Position;
    float2 uv : TEXCOORD;
    float3 where : WHERE;
};

[domain("tri")]
Out surface(Factors f, float3 where : SV_DomainLocation, const OutputPatch<Point, 3> patch)
{
    Out o;
    o.position = patch[0].position * where.x + patch[1].position * where.y + patch[2].position * where.z;
    o.uv = patch[0].uv * where.x + patch[1].uv * where.y + patch[2].uv * where.z;
    o.where = where;
    return o;
}
