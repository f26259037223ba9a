// trellis: hs_6_0 hull
// trellis.domain: ds_6_0 domain
// A hull shader's control points, its patch constants after them, and the points of a domain.
struct Corner { float4 at : SV_Position; float x : X; };
struct Factors { float edges[4] : SV_TessFactor; float inside[2] : SV_InsideTessFactor; float sum : SUM; };

Factors constants(InputPatch<Corner, 2> p, OutputPatch<Corner, 3> q, uint id : SV_PrimitiveID) {
    Factors f = { { 1, 1, 1, 1 }, { 1, 1 }, p[1].x + 10 * q[2].x + 100 * id };
    return f;
}

[domain("quad")]
[partitioning("integer")]
[outputtopology("triangle_ccw")]
[outputcontrolpoints(3)]
[patchconstantfunc("constants")]
Corner hull(InputPatch<Corner, 2> p, uint i : SV_OutputControlPointID) {
    Corner c;
    c.at = i;
    c.x = p[0].x + i;
    return c;
}

[domain("quad")]
float4 domain(Factors f, float2 at : SV_DomainLocation, const OutputPatch<Corner, 3> p) : SV_Position {
    return float4(at, f.sum, p[1].x);
}
