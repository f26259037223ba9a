// trellis: ps_6_0 main
// Loose uniform globals: they land in $Globals.

float4 tint;
float2 scale[2];
bool enabled;
uint mode;

float4 main(float4 c : COLOR) : SV_Target
{
    return enabled ? c * tint + mode : scale[mode & 1].xyxy;
}
