// Opcodes that the other shaders do not have.
// fxc: cs_5_0 main
// fxc.pixel: ps_5_0 pixel
// fxc.geometry: gs_4_0 geometry
// fxc.hull: hs_5_0 hull
// fxc.most: hs_5_0 hull -DMOST
RWByteAddressBuffer words : register(u0);
RWStructuredBuffer<double> doubles : register(u1);
RWStructuredBuffer<float> floats : register(u2);
groupshared uint cells[4];

[numthreads(4, 1, 1)]
void main(uint i : SV_GroupIndex) {
    uint a = words.Load(4 * i), b = words.Load(4 * i + 16), c = words.Load(4 * i + 32);
    int s = (int)a, t = (int)b;
    uint old, sum = 0;
    cells[i] = a;
    GroupMemoryBarrierWithGroupSync();
    InterlockedAnd(cells[0], b, old); sum += old;
    InterlockedOr(cells[1], b, old); sum ^= old;
    InterlockedXor(cells[2], b, old); sum += old;
    words.InterlockedMin(64, b, old); sum ^= old;
    words.InterlockedMin(68, t, old); sum += old;
    words.InterlockedMax(72, t, old); sum ^= old;
    words.InterlockedMin(76, b);
    sum += max(s, t) ^ min(s, t) ^ max(a, b) ^ min(a, c) ^ (a >> (b & 31)) ^ (s >> (c & 31));
    sum += firstbitlow(a) + firstbithigh(s) + ((a >> 3) & 0x1f) + ((s << 20) >> 27);
    sum ^= s < t ? a : s != t ? b : c;
    uint4 difference = msad4(a, uint2(b, c), uint4(a, b, c, sum));
    words.Store(80 + 12 * i, sum + difference.x + difference.w);

    float x = f16tof32(a), y = asfloat(b), z = asfloat(c);
    float f = frac(x) + log2(y) + min(x, z) + max(y, z) + round(x) + floor(y) + ceil(z) + trunc(x);
    f += rsqrt(y) + rcp(z) + dot(float2(x, y), float2(z, x)) + dot(float3(x, y, z), float3(y, z, z));
    floats[i] = x >= y ? f : y != z ? x : f * x;

    double d = doubles[i], e = doubles[i + 4], g = doubles[i + 8];
    double h = max(d, e) + min(e, g) + d / e + rcp(g) + fma(d, e, g) + (double)x + (double)s + (double)a;
    h = d == e ? h : d != g ? h + d : d >= g ? h + e : h + g;
    doubles[i] = h;
    words.Store2(84 + 12 * i, uint2((int)d, (uint)e));
}

Texture2D<float4> image : register(t0);
Texture2DMS<float4> samples : register(t1);
SamplerState linear_sampler : register(s0);
SamplerComparisonState comparison : register(s1);

float4 pixel(float4 p : SV_Position, float2 uv : UV, int2 offset : OFFSET) : SV_Target {
    uint status, all = 1;
    float4 c = image.GatherRed(linear_sampler, uv, offset, status);
    all &= CheckAccessFullyMapped(status);
    c += image.GatherCmp(comparison, uv, 0.5, offset, status);
    all &= CheckAccessFullyMapped(status);
    c += samples.Load((int2)p.xy, 1, int2(0, 0), status);
    all &= CheckAccessFullyMapped(status);
    c.xy += ddy(uv) + ddx_coarse(uv) + ddy_coarse(uv) + ddx_fine(uv) + ddy_fine(uv);
    return all ? c + EvaluateAttributeCentroid(uv).xyxy : 0;
}

struct Vertex { float4 p : SV_Position; uint primitive : SV_PrimitiveID; };

[maxvertexcount(2)]
void geometry(point float4 p[1] : POSITION, uint i : SV_PrimitiveID, inout PointStream<Vertex> to) {
    Vertex v = { p[0], i };
    to.Append(v);
    to.RestartStrip();
}

struct Point { float4 p : POSITION; };
struct Factors { float edges[4] : SV_TessFactor; float inside[2] : SV_InsideTessFactor; };

Factors factors(InputPatch<Point, 4> patch) {
    Factors f;
    [unroll] for (int i = 0; i < 4; ++i) f.edges[i] = patch[i].p.x;
    float most = max(max(f.edges[0], f.edges[1]), max(f.edges[2], f.edges[3]));
    f.inside[0] = most;
    f.inside[1] = most * 0.5;
    return f;
}

#ifdef MOST
[maxtessfactor(16.0)]
#endif
[domain("quad")] [partitioning("fractional_odd")] [outputtopology("triangle_cw")] [outputcontrolpoints(4)]
[patchconstantfunc("factors")]
Point hull(InputPatch<Point, 4> patch, uint i : SV_OutputControlPointID) { return patch[i]; }
