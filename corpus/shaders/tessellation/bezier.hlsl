// trellis: hs_6_0 hull
// trellis.ds: ds_6_0 surface
// A bicubic patch: sixteen control points, read by loops that stay.

struct Point { float3 position : POSITION; };

struct Factors
{
    float edges[4] : SV_TessFactor;
    float inside[2] : SV_InsideTessFactor;
};

Factors constants(InputPatch<Point, 16> patch)
{
    Factors f;
    float far = 0;
    [loop]
    for (uint i = 0; i < 16; i++)
        far = max(far, patch[i].position.z);
    for (uint edge = 0; edge < 4; edge++)
        f.edges[edge] = 1 + floor(far * 2);
    f.inside[0] = f.inside[1] = 3;
    return f;
}

[domain("quad")]
[partitioning("integer")]
[outputtopology("triangle_cw")]
[outputcontrolpoints(16)]
[patchconstantfunc("constants")]
Point hull(InputPatch<Point, 16> patch, uint id : SV_OutputControlPointID)
{
    return patch[id];
}

float4 basis(float t)
{
    float s = 1 - t;
    return float4(s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t);
}

[domain("quad")]
float4 surface(Factors f, float2 where : SV_DomainLocation, const OutputPatch<Point, 16> patch) : SV_Position
{
    float4 u = basis(where.x), v = basis(where.y);
    float3 sum = 0;
    [loop]
    for (uint row = 0; row < 4; row++)
    {
        [loop]
        for (uint column = 0; column < 4; column++)
            sum += patch[row * 4 + column].position * u[column] * v[row];
    }
    return float4(sum, 1);
}
