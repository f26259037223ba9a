// trellis: ps_6_0 main
// trellis.scatter: ps_6_0 scatter
// Skin: light that wraps with a colour, two lobes, and a blur along the screen that depth limits.
Texture2D<float4> Light : register(t0);
Texture2D<float> Depth : register(t1);
SamplerState Linear : register(s0);
cbuffer Skin { float3 Sun; float3 Wrap; float2 Way; float Width; };

float4 main(float3 n : NORMAL, float3 view : VIEW, float thick : THICK) : SV_Target {
  n = normalize(n);
  float3 v = normalize(view), h = normalize(Sun + v);
  float nl = dot(n, Sun), nh = saturate(dot(n, h));
  float3 c = saturate((nl + Wrap) / (1 + Wrap));
  c += 0.7f * pow(nh, 64) + 0.3f * pow(nh, 16);
  float3 back = exp2(-thick * float3(1, 4, 8)) * saturate(dot(v, -normalize(Sun + n * 0.3f)));
  return float4(c + back, 1);
}

float4 scatter(float4 at : SV_Position, float2 uv : UV) : SV_Target {
  static const float4 Kernel[7] = {
      float4(0.530605f, 0.613514f, 0.739601f, 0),    float4(0.000973f, 0.00001f, 0.00001f, -3), float4(0.019028f, 0.000007f, 0.000007f, -1.6f),
      float4(0.218434f, 0.182632f, 0.130199f, -0.6f), float4(0.218434f, 0.182632f, 0.130199f, 0.6f), float4(0.019028f, 0.000007f, 0.000007f, 1.6f),
      float4(0.000973f, 0.00001f, 0.00001f, 3)};
  float4 here = Light.SampleLevel(Linear, uv, 0);
  float depth = Depth.SampleLevel(Linear, uv, 0);
  float3 sum = here.rgb * Kernel[0].rgb;
  for (uint i = 1; i < 7; ++i) {
    float2 p = uv + Way * (Kernel[i].a * Width / max(depth, 0.1f));
    float far = saturate(8 * abs(depth - Depth.SampleLevel(Linear, p, 0)));
    sum += lerp(Light.SampleLevel(Linear, p, 0).rgb, here.rgb, far) * Kernel[i].rgb;
  }
  return float4(sum, here.a);
}
