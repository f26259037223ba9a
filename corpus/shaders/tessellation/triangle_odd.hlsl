// trellis: hs_6_0 hull
// trellis.ds: ds_6_0 surface
// Fractional odd partitioning, triangles the other way around.

struct Point { float3 position : POSITION; };

struct Factors
{
    float edges[3] : SV_TessFactor;
    float inside : SV_InsideTessFactor;
};

Factors constants(InputPatch<Point, 3> patch, uint id : SV_PrimitiveID)
{
    Factors f;
    [unroll]
    for (uint i = 0; i < 3; i++)
        f.edges[i] = 1.5 + i + id;
    f.inside = 3.25;
    return f;
}

[domain("tri")]
[partitioning("fractional_odd")]
[outputtopology("triangle_ccw")]
[outputcontrolpoints(3)]
[patchconstantfunc("constants")]
[maxtessfactor(15)]
Point hull(InputPatch<Point, 3> patch, uint id : SV_OutputControlPointID)
{
    Point p;
    // Another order of the control points.
    p.position = patch[(id + 1) % 3].position;
    return p;
}

[domain("tri")]
float4 surface(Factors f, float3 where : SV_DomainLocation, const OutputPatch<Point, 3> patch) : SV_Position
{
    return float4(patch[0].position * where.x + patch[1].position * where.y + patch[2].position * where.z, 1);
}
