// trellis: lib_6_3 library
// trellis.sm66: lib_6_6 library
// Arrays of arrays of resources, whose place is computed; and an array without end.

Texture2D<float> Grid[2][3] : register(t8);
StructuredBuffer<uint> Lists[] : register(t0, space1);
RWStructuredBuffer<float> Out[2][2] : register(u0);

[shader("raygeneration")]
void Generate()
{
    uint2 at = DispatchRaysIndex().xy;
    float value = Grid[NonUniformResourceIndex(at.y & 1)][NonUniformResourceIndex(at.x % 3)].Load(int3(0, 0, 0));
    value += Lists[NonUniformResourceIndex(at.x & 1)][at.y];
    Out[1][NonUniformResourceIndex(at.x & 1)][at.y * 4 + at.x] = value;
}
