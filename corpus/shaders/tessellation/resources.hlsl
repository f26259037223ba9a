// trellis: hs_6_0 hull
// trellis.ds: ds_6_0 surface
// Both functions of a hull shader and the domain shader use resources; both functions call the same one.

StructuredBuffer<float> Heights : register(t0);
RWStructuredBuffer<uint> Most : register(u0);
cbuffer Levels : register(b0)
{
    float edge;
    float inside;
};

struct Point { float4 position : POSITION; };

struct Factors
{
    float edges[3] : SV_TessFactor;
    float inside : SV_InsideTessFactor;
};

[noinline]
float height(uint at)
{
    return Heights[at & 15] * 0.5;
}

Factors constants(InputPatch<Point, 3> patch, uint id : SV_PrimitiveID)
{
    Factors f;
    f.edges[0] = f.edges[1] = f.edges[2] = edge;
    f.inside = inside + abs(height(id)) * 0.25;
    InterlockedMax(Most[1], id + 1);
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
    p.position.y += height(id);
    InterlockedMax(Most[0], id * 100);
    return p;
}

[domain("tri")]
float4 surface(Factors f, float3 where : SV_DomainLocation, const OutputPatch<Point, 3> patch) : SV_Position
{
    float4 position = patch[0].position * where.x + patch[1].position * where.y + patch[2].position * where.z;
    position.z += height((uint)(where.x * 8));
    return position;
}
