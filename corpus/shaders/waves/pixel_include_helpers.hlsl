// trellis: ps_6_7 main
// [WaveOpsIncludeHelperLanes]: wave operations count helper lanes (shader model 6.7).

[WaveOpsIncludeHelperLanes]
float4 main(float4 c : COLOR) : SV_Target
{
    return float4(WaveActiveSum(c.x), WaveActiveCountBits(true), WaveReadLaneFirst(c.y), IsHelperLane());
}
