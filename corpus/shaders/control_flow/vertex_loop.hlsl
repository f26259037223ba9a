// trellis: vs_6_0 main
// A loop over bones in a vertex shader, with a break on zero weight.

cbuffer Bones : register(b0) { float4x4 bones[32]; };

float4 main(float3 position : POSITION, uint4 index : INDEX, float4 weight : WEIGHT) : SV_Position
{
    float4 sum = 0;
    [loop]
    for (uint i = 0; i < 4; i++)
    {
        if (weight[i] == 0)
            break;
        sum += mul(bones[index[i] & 31], float4(position, 1)) * weight[i];
    }
    return sum;
}
