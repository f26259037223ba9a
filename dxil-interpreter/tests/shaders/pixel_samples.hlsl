// trellis: ps_6_0 main
// A shader that reads SV_SampleIndex runs for each sample; coverage has the sample's bit.
float4 main(uint sample_ : SV_SampleIndex, uint covered : SV_Coverage, noperspective sample float x : X) : SV_Target {
    return float4(sample_, covered, GetRenderTargetSamplePosition(sample_).x, x);
}
