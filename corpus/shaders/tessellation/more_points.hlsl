// trellis: hs_6_0 hull
// trellis.ds: ds_6_0 surface
// Six control points from three: corners and middles of the edges, chosen by a switch.

struct Point { float4 position : POSITION; };

struct Factors
{
    float edges[3] : SV_TessFactor;
    float inside : SV_InsideTessFactor;
};

Factors constants(const OutputPatch<Point, 6> patch)
{
    Factors f;
    f.edges[0] = 2;
    f.edges[1] = 3;
    f.edges[2] = patch[5].position.w > 0.5 ? 4 : 1;
    f.inside = 3;
    return f;
}

[domain("tri")]
[partitioning("integer")]
[outputtopology("triangle_cw")]
[outputcontrolpoints(6)]
[patchconstantfunc("constants")]
Point hull(InputPatch<Point, 3> patch, uint id : SV_OutputControlPointID)
{
    Point p;
    switch (id)
    {
    case 0:
    case 1:
    case 2:
        p.position = patch[id].position;
        break;
    case 3:
        p.position = (patch[0].position + patch[1].position) / 2;
        break;
    case 4:
        p.position = (patch[1].position + patch[2].position) / 2;
        break;
    default:
        p.position = (patch[2].position + patch[0].position) / 2;
        break;
    }
    return p;
}

[domain("tri")]
float4 surface(Factors f, float3 where : SV_DomainLocation, const OutputPatch<Point, 6> patch) : SV_Position
{
    float weights[6];
    [unroll]
    for (uint i = 0; i < 3; i++)
    {
        weights[i] = where[i] * (2 * where[i] - 1);
        weights[3 + i] = 4 * where[i] * where[(i + 1) % 3];
    }
    float4 sum = 0;
    for (uint k = 0; k < 6; k++)
        sum += patch[k].position * weights[k];
    return sum;
}
