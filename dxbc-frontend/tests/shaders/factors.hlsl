// Indices into tessellation factors and other patch constants, which are several elements.
// fxc.hull: hs_5_0 hull
// fxc.domain: ds_5_0 domain
struct Point { float4 p : POSITION; };
struct Factors {
    float edges[2] : SV_TessFactor;
    float3 a : A;
    int3 b : B;
    float3 rows[2] : ROWS;
};

Factors factors(InputPatch<Point, 1> patch) {
    Factors f;
    f.edges[0] = 2;
    f.edges[1] = 1;
    f.a = float3(10, 4, 2);
    f.b = int3(12, 3, 3);
    f.rows[0] = patch[0].p.xyz;
    f.rows[1] = 1;
    return f;
}

[domain("isoline")] [partitioning("integer")] [outputtopology("line")] [outputcontrolpoints(1)]
[patchconstantfunc("factors")]
Point hull(InputPatch<Point, 1> patch) { return patch[0]; }

[domain("isoline")]
float4 domain(Factors f, float2 at : SV_DomainLocation, const OutputPatch<Point, 1> patch) : SV_Position {
    uint i = (uint)(at.x + at.y) & 1;
    return patch[0].p * f.edges[1] + float4(f.rows[i] + f.a, f.b.x);
}
