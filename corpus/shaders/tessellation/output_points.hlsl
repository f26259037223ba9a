// trellis: hs_6_0 hull
// trellis.ds: ds_6_0 surface
// The patch-constant function reads the control points that all invocations wrote, by an index that it computes in a loop.

struct Point
{
    float4 position : POSITION;
    uint next : NEXT;
};

struct Control
{
    float weight : WEIGHT;
    uint next : NEXT;
};

struct Factors
{
    float edges[4] : SV_TessFactor;
    float inside[2] : SV_InsideTessFactor;
    float sum : SUM;
    uint last : LAST;
};

Factors constants(InputPatch<Point, 4> input, const OutputPatch<Control, 4> patch)
{
    Factors f;
    float sum = 0;
    uint at = 0;
    [loop]
    for (uint i = 0; i < 6; i++)
    {
        sum += patch[at].weight;
        at = patch[at].next;
        if (sum > 6)
            break;
    }
    for (uint edge = 0; edge < 4; edge++)
        f.edges[edge] = 1 + edge % 2;
    f.inside[0] = f.inside[1] = 2;
    f.sum = sum;
    f.last = at;
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
    c.weight = patch[id].position.x + id;
    c.next = (patch[id].next + id) % 4;
    return c;
}

struct Out
{
    float4 position : SV_Position;
    float sum : SUM;
    uint last : LAST;
};

[domain("quad")]
Out surface(Factors f, float2 where : SV_DomainLocation, const OutputPatch<Control, 4> patch)
{
    Out o;
    o.position = float4(where, patch[f.last].weight, 1);
    o.sum = f.sum;
    o.last = f.last;
    return o;
}
