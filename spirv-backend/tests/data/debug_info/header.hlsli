// Lines before the structure, so that its lines are beyond the end of the main file.
//
//
//
//
struct Sample
{
    float weight;
    float bias;
};
RWStructuredBuffer<Sample> Samples : register(u0);
