// trellis: ps_6_0 main
// Four render targets of float, signed and unsigned type, and a depth.

struct Output
{
    float4 color : SV_Target0;
    uint2 ids : SV_Target2;
    int4 offsets : SV_Target3;
    float single : SV_Target5;
    float depth : SV_Depth;
};

Output main(float4 pos : SV_Position, float4 c : COLOR)
{
    Output o;
    o.color = c;
    o.ids = (uint2)pos.xy;
    o.offsets = (int4)(c * 100 - 50);
    o.single = c.x + c.y;
    o.depth = pos.z * 0.5;
    return o;
}
