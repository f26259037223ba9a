// trellis: ps_6_0 main
// A function that discards and returns from inside two loops, inlined.

Texture2D<float4> Tex : register(t0);
cbuffer Params : register(b0) { uint2 size; float limit; };

float trace(uint2 at)
{
    float sum = 0;
    [loop]
    for (uint y = 0; y < size.y; y++)
    {
        [loop]
        for (uint x = 0; x < size.x; x++)
        {
            float v = Tex.Load(int3(at + uint2(x, y), 0)).x;
            if (v < limit)
            {
                discard;
                return sum;
            }
            sum += v;
            if (sum > 100)
                return 100;
        }
    }
    return sum;
}

float4 main(float4 pos : SV_Position) : SV_Target
{
    return trace((uint2)pos.xy);
}
