// trellis.yuv: cs_6_0 yuv
// trellis.rgb: cs_6_0 rgb
// trellis.hsv: cs_6_0 hsv
// trellis.pq: cs_6_0 pq
// Planes of luminance and chroma to and from colours, hue rotation, the curve of high dynamic range.
Texture2D<float4> In;
Texture2D<float> Luma;
Texture2D<float2> Chroma;
RWTexture2D<float4> Out;
RWTexture2D<float> LumaOut;
RWTexture2D<float2> ChromaOut;
cbuffer Turn { float Hue; };
static const float3x3 ToYuv = {0.2126f, 0.7152f, 0.0722f, -0.1146f, -0.3854f, 0.5f, 0.5f, -0.4542f, -0.0458f};

[numthreads(8, 8, 1)]
void yuv(uint2 id : SV_DispatchThreadID) {
  float3 sum = 0;
  [unroll]
  for (uint i = 0; i < 4; ++i) {
    uint2 p = id * 2 + uint2(i & 1, i >> 1);
    float3 c = mul(ToYuv, In[p].rgb);
    LumaOut[p] = c.x;
    sum += c;
  }
  ChromaOut[id] = sum.yz * 0.25f;
}

[numthreads(8, 8, 1)]
void rgb(uint2 id : SV_DispatchThreadID) {
  float y = Luma[id];
  float2 c = Chroma[id / 2] - 0.5f;
  Out[id] = float4(y + 1.5748f * c.y, y - 0.1873f * c.x - 0.4681f * c.y, y + 1.8556f * c.x, 1);
}

[numthreads(8, 8, 1)]
void hsv(uint2 id : SV_DispatchThreadID) {
  float3 c = In[id].rgb;
  float most = max(c.r, max(c.g, c.b)), least = min(c.r, min(c.g, c.b)), span = most - least;
  float hue = 0;
  if (span > 0) {
    if (most == c.r) hue = (c.g - c.b) / span;
    else if (most == c.g) hue = 2 + (c.b - c.r) / span;
    else hue = 4 + (c.r - c.g) / span;
  }
  hue = fmod(hue + Hue + 6, 6.0f);
  float x = span * (1 - abs(fmod(hue, 2.0f) - 1));
  float3 r;
  switch ((uint)hue) {
  case 0: r = float3(span, x, 0); break;
  case 1: r = float3(x, span, 0); break;
  case 2: r = float3(0, span, x); break;
  case 3: r = float3(0, x, span); break;
  case 4: r = float3(x, 0, span); break;
  default: r = float3(span, 0, x); break;
  }
  Out[id] = float4(r + least, In[id].a);
}

[numthreads(8, 8, 1)]
void pq(uint2 id : SV_DispatchThreadID) {
  float3 l = pow(saturate(In[id].rgb), 0.1593f);
  Out[id] = float4(pow((0.8359f + 18.8516f * l) / (1 + 18.6875f * l), 78.8438f), 1);
}
