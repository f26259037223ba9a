// Compiled by DXC 1.9:
//   dxc -T vs_6_6 -E main -Zi -Qembed_debug wave.hlsl -Fo wave.dxil

#include "wave.hlsli"

struct Output
{
    float4 position : SV_Position;
    float3 normal : NORMAL;
};

Output main(float3 position : POSITION, uint vertex : SV_VertexID)
{
    Output output;
    float2 slopes[2];
    for (uint k = 0; k < 2; ++k)
        slopes[k] = slope(position.xz, k);
    float height = position.y;
    switch (vertex & 3)
    {
    case 0:
        height += slopes[0].x;
        break;
    case 1:
        height -= slopes[1].y;
        break;
    default:
        height *= 0.5;
        break;
    }
    output.position = mul(View, float4(position.x, height, position.z, 1));
    output.normal = normalize(float3(slopes[0], 1));
    return output;
}
