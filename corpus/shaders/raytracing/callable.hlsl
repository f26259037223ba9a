// trellis: lib_6_3 library
// trellis.od: lib_6_3 library -Od
// Callable shaders chosen at run time, one of which calls another; called in a loop and under a condition.

RWStructuredBuffer<float4> Out : register(u0);

struct Shading
{
    float4 value;
    uint steps;
};

struct Small
{
    uint number;
};

[shader("raygeneration")]
void Generate()
{
    uint at = DispatchRaysIndex().x;
    Shading shading;
    shading.value = float4(at, 1, 2, 3);
    shading.steps = 0;
    for (uint k = 0; k < at; k++)
    {
        CallShader((at + k) % 3, shading);
        if (shading.value.x > 20)
            break;
    }
    Small small = { at };
    if (at & 1)
        CallShader(3, small);
    shading.value.w = shading.steps * 100 + small.number;
    Out[at] = shading.value;
}

[shader("callable")]
void Double(inout Shading shading)
{
    shading.value.xyz *= 2;
    shading.steps++;
}

[shader("callable")]
void Add(inout Shading shading)
{
    shading.value += float4(1, 10, 0, 0);
    shading.steps++;
}

[shader("callable")]
void AddAndDouble(inout Shading shading)
{
    Shading inner = shading;
    inner.value.z += 0.5;
    CallShader(1, inner);
    CallShader(0, shading);
    shading.value.x += inner.value.y;
    shading.steps += inner.steps;
}

[shader("callable")]
void Square(inout Small small)
{
    small.number *= small.number;
}
