// trellis.filmic: ps_6_0 main -DCURVE=filmic
// trellis.reinhard: ps_6_0 main -DCURVE=reinhard
// trellis.hable: ps_6_0 main -DCURVE=hable
// trellis.table: ps_6_0 main -DCURVE=table
// trellis.half: ps_6_2 main -DCURVE=filmic -DTHREE=half3 -enable-16bit-types
// From scene light to a display: three curves, and a table of colours.
#ifndef THREE
#define THREE float3
#endif
Texture2D<float4> Scene : register(t0);
Texture3D<float4> Table : register(t1);
StructuredBuffer<float> Exposure : register(t2);
SamplerState Linear : register(s0);

THREE filmic(THREE c) { return saturate(c * (2.51f * c + 0.03f) / (c * (2.43f * c + 0.59f) + 0.14f)); }

THREE reinhard(THREE c) {
  float light = dot((float3)c, float3(0.2126f, 0.7152f, 0.0722f));
  return c * (THREE)((1 + light / 16) / (1 + light));
}

THREE hable(THREE c) {
  return ((c * (0.15f * c + 0.05f) + 0.004f) / (c * (0.15f * c + 0.5f) + 0.06f) - 0.0667f) / 0.74f;
}

THREE table(THREE c) {
  float3 place = saturate(log2((float3)c + 1e-3f) * 0.05f + 0.5f);
  return (THREE)Table.SampleLevel(Linear, place * (31.0f / 32) + 0.5f / 32, 0).rgb;
}

float4 main(float2 uv : UV) : SV_Target {
  THREE c = (THREE)(Scene.Sample(Linear, uv).rgb * Exposure[0]);
  return float4(pow(abs((float3)CURVE(c)), 1 / 2.2f), 1);
}
