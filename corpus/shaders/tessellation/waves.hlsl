// trellis: hs_6_0 hull
// trellis.ds: ds_6_0 surface
// Wave operations in each function, in branches, with results that no arrangement of lanes changes.

struct Point { float4 position : POSITION; };

struct Factors
{
    float edges[3] : SV_TessFactor;
    float inside : SV_InsideTessFactor;
};

Factors constants(const OutputPatch<Point, 3> patch)
{
    Factors f;
    f.edges[0] = f.edges[1] = f.edges[2] = 2;
    f.inside = WaveActiveAnyTrue(patch[0].position.x >= -1e30) ? 2 : 5;
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
    if (id > 0)
        p.position.w = WaveActiveMin(id) > 0 ? 1 : 0;
    return p;
}

[domain("tri")]
float4 surface(Factors f, float3 where : SV_DomainLocation, const OutputPatch<Point, 3> patch) : SV_Position
{
    float4 position = patch[0].position * where.x + patch[1].position * where.y + patch[2].position * where.z;
    position.w = WaveReadLaneAt(position.w, WaveGetLaneIndex());
    return position;
}
