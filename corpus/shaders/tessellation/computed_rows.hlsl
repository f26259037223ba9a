// trellis: hs_6_0 hull
// trellis.ds: ds_6_0 surface
// trellis.od: hs_6_0 hull -Od
// trellis.od_ds: ds_6_0 surface -Od
// Arrays as attributes of control points and of patches, their rows, control points and factors by computed indices.

struct Point
{
    float3 rows[3] : ROW;
    uint pick : PICK;
};

struct Control
{
    float3 m[2] : PAIR;
    float3 rows[3] : ROW;
    uint odd : ODD;
};

struct Factors
{
    float edges[4] : SV_TessFactor;
    float inside[2] : SV_InsideTessFactor;
    float3 sums[4] : SUM;
    float3 m[3] : TRIPLE;
};

void rotate(inout Control c, float3 rows[3], uint by)
{
    for (uint i = 0; i < 3; i++)
        c.rows[i] = rows[(i + by) % 3];
    c.m[by & 1] = rows[0] + by;
}

Factors constants(InputPatch<Point, 4> input, const OutputPatch<Control, 4> patch, uint id : SV_PrimitiveID)
{
    Factors f;
    [loop]
    for (uint i = 0; i < 4; i++)
    {
        f.edges[(i + id) % 4] = 1 + i;
        f.sums[3 - i] = patch[(i + 1) % 4].rows[input[i].pick % 3] + patch[i].m[i & 1];
    }
    f.inside[id & 1] = 2;
    f.inside[1 - (id & 1)] = 3;
    for (uint k = 0; k < 3; k++)
        f.m[(k + id) % 3] = patch[k].m[k & 1].zxy;
    return f;
}

[domain("quad")]
[partitioning("integer")]
[outputtopology("triangle_cw")]
[outputcontrolpoints(4)]
[patchconstantfunc("constants")]
Control hull(InputPatch<Point, 4> patch, uint id : SV_OutputControlPointID)
{
    Control c;
    c.m[0] = float3(1, 2, 3) * (id + 1);
    c.m[1] = float3(4, 5, 6) * (id + 1);
    float3 rows[3];
    for (uint i = 0; i < 3; i++)
        rows[i] = patch[(id + i) % 4].rows[i];
    rotate(c, rows, patch[id].pick);
    c.odd = patch[id].pick & 1;
    return c;
}

struct Out
{
    float3 sum : SUM;
    float3 m : PAIR;
    float3 row : ROW;
    uint flags : FLAGS;
    float4 position : SV_Position;
};

[domain("quad")]
Out surface(Factors f, float2 where : SV_DomainLocation, const OutputPatch<Control, 4> patch)
{
    Out o;
    uint at = (uint)(where.x * 3.5), row = (uint)(where.y * 2.5);
    o.sum = f.sums[at];
    o.m = patch[at].m[row & 1] + f.m[row];
    o.row = patch[3 - at].rows[row];
    o.flags = patch[at].odd != 0 ? 1 : 2;
    o.position = float4(where, f.edges[at], f.inside[row & 1]);
    return o;
}
