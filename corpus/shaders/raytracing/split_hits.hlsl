// trellis: lib_6_3 library
// The other half of split_generate: its payload has other names and the same layout.

struct Weights
{
    float first;
    float2 rest;
};

struct Data
{
    float red;
    float2 others;
    uint number;
    Weights weights;
};

[shader("miss")]
void Missed(inout Data data)
{
    data.others = float2(1, 2);
    data.weights.rest *= 10;
}

[shader("closesthit")]
void Hit(inout Data data, BuiltInTriangleIntersectionAttributes attributes)
{
    data.red = RayTCurrent();
    data.number += 50;
    data.weights.first = attributes.barycentrics.x;
}
