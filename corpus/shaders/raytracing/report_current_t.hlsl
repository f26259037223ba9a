// trellis: lib_6_3 library
// RayTCurrent before and after a report: each is what the ray has then.

RWStructuredBuffer<float2> Out : register(u0);

struct Attributes
{
    float2 place;
};

[shader("intersection")]
void Reports()
{
    float before = RayTCurrent();
    Attributes attributes;
    attributes.place = before;
    ReportHit(before * 0.5, 1, attributes);
    float between = RayTCurrent();
    attributes.place = between;
    ReportHit(between * 0.5, 2, attributes);
    Out[DispatchRaysIndex().x] = float2(before, RayTCurrent() + between);
}
