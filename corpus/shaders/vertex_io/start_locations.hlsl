// trellis: vs_6_8 main
// The first vertex and instance of a draw (shader model 6.8), next to the numbers that do not
// include them.

struct Output {
    float4 position : SV_Position;
    nointerpolation uint4 numbers : NUMBERS;
};

Output main(uint vertex : SV_VertexID, uint instance : SV_InstanceID,
            int firstVertex : SV_StartVertexLocation, uint firstInstance : SV_StartInstanceLocation)
{
    Output output;
    output.position = float4(vertex, instance, 0, 1);
    output.numbers = uint4(vertex, instance, firstVertex, firstInstance);
    return output;
}
