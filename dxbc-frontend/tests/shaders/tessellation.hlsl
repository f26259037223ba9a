// Hull shader phases with instances, and a domain shader.
// fxc.hull: hs_5_0 hull
// fxc.domain: ds_5_0 domain
struct Point { float3 p : POSITION; float w : WEIGHT; };
struct Factors { float edges[3] : SV_TessFactor; float inside : SV_InsideTessFactor; float3 center : CENTER; };

Factors factors(InputPatch<Point, 3> patch, uint id : SV_PrimitiveID) {
    Factors f;
    [unroll] for (uint i = 0; i < 3; i++) f.edges[i] = patch[i].w * 2;
    f.inside = id;
    f.center = (patch[0].p + patch[1].p + patch[2].p) / 3;
    return f;
}

[domain("tri")] [partitioning("fractional_odd")] [outputtopology("triangle_cw")] [outputcontrolpoints(3)]
[patchconstantfunc("factors")] [maxtessfactor(16)]
Point hull(InputPatch<Point, 3> patch, uint i : SV_OutputControlPointID) {
    Point o = patch[i];
    o.w += patch[(i + 1) % 3].w;
    return o;
}

[domain("tri")]
float4 domain(Factors f, float3 at : SV_DomainLocation, const OutputPatch<Point, 3> patch) : SV_Position {
    float3 p = patch[0].p * at.x + patch[1].p * at.y + patch[2].p * at.z;
    return float4(lerp(p, f.center, patch[0].w), 1);
}
