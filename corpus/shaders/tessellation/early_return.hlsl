// trellis: hs_6_0 hull
// trellis.ds: ds_6_0 surface
// Returns in both functions of the hull shader; patches of which nothing is left have factors of zero.

struct Point
{
    float4 position : POSITION;
    nointerpolation uint kind : KIND;
};

struct Factors
{
    float edges[3] : SV_TessFactor;
    float inside : SV_InsideTessFactor;
};

Factors constants(InputPatch<Point, 3> patch, uint id : SV_PrimitiveID)
{
    Factors f;
    f.edges[0] = f.edges[1] = f.edges[2] = f.inside = 0;
    if (patch[0].kind + id < 3)
        return f;
    for (uint i = 0; i < 3; i++)
    {
        f.edges[i] = 1 + i;
        if (patch[i].kind == 5)
        {
            f.edges[0] = f.edges[1] = f.edges[2] = 1;
            f.inside = 1;
            return f;
        }
    }
    f.inside = 2;
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
    if (p.kind < 2)
        return p;
    p.position.x += 1;
    if (id == 1)
        return p;
    p.kind += 10;
    return p;
}

struct Out
{
    float4 position : SV_Position;
    uint3 kinds : KINDS;
};

[domain("tri")]
Out surface(Factors f, float3 where : SV_DomainLocation, const OutputPatch<Point, 3> patch)
{
    Out o;
    o.position = patch[0].position * where.x + patch[1].position * where.y + patch[2].position * where.z;
    o.kinds = uint3(patch[0].kind, patch[1].kind, patch[2].kind);
    return o;
}
