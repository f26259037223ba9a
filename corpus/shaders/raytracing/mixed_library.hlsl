// trellis: lib_6_3 library
// A library with a compute shader, a ray generation shader, and functions that are exported but no shaders.

RWStructuredBuffer<uint> Out : register(u0);

export uint Triple(uint number)
{
    return number * 3;
}

export float Unused(float x)
{
    return x + 1;
}

[shader("compute")]
[numthreads(8, 1, 1)]
void Fill(uint3 id : SV_DispatchThreadID)
{
    Out[id.x] = Triple(id.x);
}

[shader("raygeneration")]
void Generate()
{
    uint3 at = DispatchRaysIndex();
    Out[at.x] = Triple(at.x) + 1;
}
