// trellis: hs_6_2 hull
// trellis.ds: ds_6_2 surface
// Patch constants of many types: arrays, integers, small numbers, several in one register; a row that is computed.

struct Point { float4 position : POSITION; };

struct Constants
{
    float edges[3] : SV_TessFactor;
    float2 a : A;
    float2 b : B;
    int3 c : C;
    uint d : D;
    float4 rows[3] : ROWS;
    min16float2 e : E;
    min16int f : F;
    float inside : SV_InsideTessFactor;
};

Constants constants(InputPatch<Point, 3> patch, uint id : SV_PrimitiveID)
{
    Constants c;
    c.edges[0] = c.edges[1] = c.edges[2] = 2;
    c.inside = 1;
    c.a = patch[0].position.xy;
    c.b = patch[1].position.zw;
    c.c = int3(id, -1, 100) - 3;
    c.d = id + 5;
    for (uint i = 0; i < 3; i++)
        c.rows[i] = patch[2 - i].position * (i + 1);
    c.e = (min16float2)patch[2].position.yx;
    c.f = (min16int)id - 2;
    return c;
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
    float4 ab : AB;
    int3 c : C;
    uint d : D;
    float4 row : ROW;
    float2 e : E;
    int f : F;
};

[domain("tri")]
Out surface(Constants c, float3 where : SV_DomainLocation, const OutputPatch<Point, 3> patch)
{
    Out o;
    o.position = patch[0].position * where.x + patch[1].position * where.y + patch[2].position * where.z;
    o.ab = float4(c.a, c.b);
    o.c = c.c;
    o.d = c.d;
    o.row = c.rows[(uint)(where.x * 2) + c.d % 1];
    o.e = c.e;
    o.f = c.f;
    return o;
}
