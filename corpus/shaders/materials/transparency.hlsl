// trellis.weighted: ps_6_0 weighted
// trellis.resolve: ps_6_0 resolve
// trellis.list: ps_6_0 list
// trellis.sort: ps_6_0 sort
// trellis.ordered: ps_6_0 ordered
// Order-independent transparency: weights, lists per pixel that are sorted later, and rasterizer order.
struct Piece { uint color; float depth; uint next; };
Texture2D<float4> Sum : register(t0);
Texture2D<float> Seen : register(t1);
RWStructuredBuffer<Piece> Pieces : register(u4);
RWTexture2D<uint> Heads : register(u5);
RasterizerOrderedTexture2D<float4> Layer : register(u6);
cbuffer Surface { float4 Color; };

void weighted(float4 at : SV_Position, out float4 sum : SV_Target0, out float seen : SV_Target1) {
  float w = clamp(pow(Color.a + 0.01f, 3) * 1e3f * pow(1 - at.z * 0.9f, 3), 0.01f, 3e3f);
  sum = float4(Color.rgb * Color.a, Color.a) * w;
  seen = Color.a;
}

float4 resolve(float4 at : SV_Position) : SV_Target {
  int3 p = int3((int2)at.xy, 0);
  float4 s = Sum.Load(p);
  if (any(isinf(s)))
    s.rgb = s.a;
  return float4(s.rgb / max(s.a, 1e-4f), 1 - Seen.Load(p));
}

[earlydepthstencil]
void list(float4 at : SV_Position) {
  uint place = Pieces.IncrementCounter();
  if (place >= 64)
    return;
  uint4 c = (uint4)(saturate(Color) * 255);
  Piece piece;
  piece.color = c.r | c.g << 8 | c.b << 16 | c.a << 24;
  piece.depth = at.z;
  InterlockedExchange(Heads[(uint2)at.xy], place, piece.next);
  Pieces[place] = piece;
}

float4 sort(float4 at : SV_Position) : SV_Target {
  uint2 found[8];
  uint count = 0;
  uint next = Heads[(uint2)at.xy];
  while (next < 64 && count < 8) {
    Piece p = Pieces[next];
    uint i = count++;
    while (i > 0 && asfloat(found[i - 1].y) < p.depth) {
      found[i] = found[i - 1];
      --i;
    }
    found[i] = uint2(p.color, asuint(p.depth));
    if (p.next == next)
      break;
    next = p.next;
  }
  float4 c = 0;
  for (uint k = 0; k < count; ++k) {
    uint v = found[k].x;
    float4 d = float4(v & 255, v >> 8 & 255, v >> 16 & 255, v >> 24) / 255;
    c = lerp(c, d, d.a);
  }
  return c;
}

void ordered(float4 at : SV_Position) {
  float4 below = Layer[(uint2)at.xy];
  if (below.a < 0.99f)
    Layer[(uint2)at.xy] = float4(lerp(Color.rgb, below.rgb, below.a), below.a + Color.a * (1 - below.a));
}
