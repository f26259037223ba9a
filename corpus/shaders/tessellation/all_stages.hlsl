// trellis: hs_6_0 hull
// trellis.ds: ds_6_0 surface
// trellis.vs: vs_6_0 vertex
// trellis.gs: gs_6_0 shrink
// trellis.ps: ps_6_0 pixel
// A pipeline with every stage: what one writes the next reads, each translated by itself.

struct Attributes
{
    float2 position : POSITION;
    float tint : TINT;
};

struct Point
{
    float4 position : SV_Position;
    float2 extra : EXTRA;
    float tint : TINT;
};

struct Factors
{
    float edges[4] : SV_TessFactor;
    float inside[2] : SV_InsideTessFactor;
    float2 shift : SHIFT;
    uint patch : PATCH;
};

struct Vertex
{
    float4 position : SV_Position;
    float tint : TINT;
    nointerpolation uint patch : PATCH;
};

struct Fragment
{
    float4 position : SV_Position;
    nointerpolation uint2 ids : IDS;
    float tint : TINT;
};

Point vertex(Attributes input, uint id : SV_VertexID)
{
    Point p;
    p.position = float4(input.position, 0.5, 1);
    p.extra = float2(id, 1);
    p.tint = input.tint;
    return p;
}

Factors constants(InputPatch<Point, 4> patch, uint id : SV_PrimitiveID)
{
    Factors f;
    f.edges[0] = f.edges[1] = f.edges[2] = f.edges[3] = 2;
    f.inside[0] = f.inside[1] = 2;
    f.shift = patch[3].extra.xy / 64 - 7.0 / 64;
    f.patch = id + 1;
    return f;
}

[domain("quad")]
[partitioning("integer")]
[outputtopology("triangle_cw")]
[outputcontrolpoints(4)]
[patchconstantfunc("constants")]
Point hull(InputPatch<Point, 4> patch, uint id : SV_OutputControlPointID)
{
    return patch[id];
}

[domain("quad")]
Vertex surface(Factors f, float2 where : SV_DomainLocation, const OutputPatch<Point, 4> patch)
{
    Vertex v;
    float4 a = lerp(patch[0].position, patch[1].position, where.x);
    float4 b = lerp(patch[3].position, patch[2].position, where.x);
    v.position = lerp(a, b, where.y);
    v.position.x += f.shift.y;
    v.tint = patch[0].tint + where.x;
    v.patch = f.patch;
    return v;
}

[maxvertexcount(3)]
void shrink(triangle Vertex input[3], uint id : SV_PrimitiveID, inout TriangleStream<Fragment> stream)
{
    for (uint i = 0; i < 3; i++)
    {
        Fragment f;
        f.position = input[i].position;
        f.ids = uint2(input[i].patch, input[(i + 1) % 3].patch * 10);
        f.tint = input[i].tint;
        stream.Append(f);
    }
}

float4 pixel(Fragment input) : SV_Target
{
    return float4(input.ids, input.tint, 1);
}
