// trellis: hs_6_0 hull
// trellis.ds: ds_6_0 surface
// The domain shader reads the factors, one by a computed index; SV_PrimitiveID in all three functions.

struct Point { float4 position : POSITION; };
struct Control { float4 position : POSITION; nointerpolation uint id : ID; };

struct Factors
{
    float edges[4] : SV_TessFactor;
    float inside[2] : SV_InsideTessFactor;
};

Factors constants(InputPatch<Point, 1> patch, uint id : SV_PrimitiveID)
{
    Factors f;
    f.edges[0] = 1;
    f.edges[1] = 2;
    f.edges[2] = 1 + id;
    f.edges[3] = 3;
    f.inside[0] = 2;
    f.inside[1] = 3;
    return f;
}

[domain("quad")]
[partitioning("integer")]
[outputtopology("triangle_cw")]
[outputcontrolpoints(1)]
[patchconstantfunc("constants")]
Control hull(InputPatch<Point, 1> patch, uint id : SV_PrimitiveID, uint index : SV_OutputControlPointID)
{
    Control c;
    c.position = patch[0].position;
    c.id = id + 20;
    return c;
}

struct Out
{
    float4 position : SV_Position;
    float3 factors : FACTORS;
    uint2 ids : IDS;
};

[domain("quad")]
Out surface(Factors f, float2 where : SV_DomainLocation, uint id : SV_PrimitiveID, const OutputPatch<Control, 1> patch)
{
    Out o;
    o.position = patch[0].position + float4(where, 0, 0);
    o.factors = float3(f.edges[(uint)(where.x * 3.5)], f.inside[1], f.edges[2]);
    o.ids = uint2(id, patch[0].id);
    return o;
}
