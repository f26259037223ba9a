// trellis.sprites: gs_6_0 sprites
// trellis.trails: gs_6_0 trails
// trellis.ribbons: gs_6_0 ribbons
// trellis.fins: gs_6_0 fins
// trellis.sprites_half: gs_6_2 sprites -enable-16bit-types -DREAL=half
// Points become sprites or fading trails, lines ribbons, edges of fur fins.
#ifndef REAL
#define REAL float
#endif
struct Point { float3 place : PLACE; REAL age : AGE; float3 way : WAY; };
struct Vertex { float4 place : SV_Position; float2 uv : UV; float fade : FADE; };
cbuffer View : register(b0) { float4x4 Clip; float3 Right; float3 Up; float3 Eye; };

[maxvertexcount(4)]
void sprites(point Point p[1], inout TriangleStream<Vertex> stream) {
  if (p[0].age > 1)
    return;
  float s, c;
  sincos((float)p[0].age * 3, s, c);
  [unroll]
  for (int i = 0; i < 4; ++i) {
    float2 at = float2(i & 1, i >> 1) * 2 - 1;
    at = float2(at.x * c - at.y * s, at.x * s + at.y * c);
    Vertex v;
    v.place = mul(Clip, float4(p[0].place + Right * at.x + Up * at.y, 1));
    v.uv = float2(i & 1, i >> 1);
    v.fade = 1 - (float)p[0].age;
    stream.Append(v);
  }
}

[maxvertexcount(8)]
void trails(point Point p[1], inout LineStream<Vertex> stream) {
  float3 place = p[0].place, way = p[0].way;
  for (uint i = 0; i < 8; ++i) {
    Vertex v;
    v.place = mul(Clip, float4(place, 1));
    v.uv = float2(i / 7.0f, 0);
    v.fade = exp2(-(float)i);
    stream.Append(v);
    way.y -= 0.1f;
    place -= way * 0.1f;
    if (place.y < -10)
      break;
  }
  stream.RestartStrip();
}

[maxvertexcount(6)]
void ribbons(line Point p[2], inout TriangleStream<Vertex> stream) {
  [unroll]
  for (uint i = 0; i < 2; ++i) {
    float3 across = normalize(cross(p[1].place - p[0].place, Eye - p[i].place) + 1e-4f) * 0.1f;
    for (int side = -1; side <= 1; side += 2) {
      Vertex v;
      v.place = mul(Clip, float4(p[i].place + across * side, 1));
      v.uv = float2(i, side * 0.5f + 0.5f);
      v.fade = (float)p[i].age;
      stream.Append(v);
    }
  }
}

[maxvertexcount(4)]
void fins(lineadj Point p[4], inout TriangleStream<Vertex> stream) {
  float3 a = cross(p[1].place - p[0].place, p[2].place - p[0].place), b = cross(p[2].place - p[3].place, p[1].place - p[3].place);
  float3 view = Eye - p[1].place;
  if (dot(a, view) * dot(b, view) > 0)
    return;
  for (uint i = 0; i < 4; ++i) {
    Vertex v;
    uint e = 1 + (i & 1);
    v.place = mul(Clip, float4(p[e].place + normalize(p[e].way + 1e-4f) * (i >> 1) * 0.2f, 1));
    v.uv = float2(i & 1, i >> 1);
    v.fade = 1;
    stream.Append(v);
  }
}
