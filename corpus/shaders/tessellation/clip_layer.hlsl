// trellis: hs_6_0 hull
// trellis.ds: ds_6_1 surface
// System values through the tessellation stages: position and clip distances of control points, then of vertices; a layer of the vertices.

struct Point
{
    float4 position : SV_Position;
    float2 clip : SV_ClipDistance;
    float cull : SV_CullDistance;
};

struct Factors
{
    float edges[3] : SV_TessFactor;
    float inside : SV_InsideTessFactor;
};

Factors constants(const OutputPatch<Point, 3> patch)
{
    Factors f;
    f.edges[0] = f.edges[1] = f.edges[2] = f.inside = 1;
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
    p.clip = p.clip.yx;
    return p;
}

struct Out
{
    float4 position : SV_Position;
    float3 clip : SV_ClipDistance;
    uint layer : SV_RenderTargetArrayIndex;
};

[domain("tri")]
Out surface(Factors f, float3 where : SV_DomainLocation, uint id : SV_PrimitiveID, const OutputPatch<Point, 3> patch)
{
    Out o;
    o.position = patch[0].position * where.x + patch[1].position * where.y + patch[2].position * where.z;
    o.clip.xy = patch[0].clip * where.x + patch[1].clip * where.y + patch[2].clip * where.z;
    o.clip.z = patch[id % 3].cull;
    o.layer = id;
    return o;
}
