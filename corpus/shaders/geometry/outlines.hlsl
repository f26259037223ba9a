// trellis.wire: gs_6_0 wire
// trellis.silhouette: gs_6_0 silhouette
// trellis.volume: gs_6_0 volume
// trellis.normals: gs_6_0 normals
// trellis.explode: gs_6_0 explode
// Distances to edges, silhouettes and shadow volumes by adjacent triangles, lines along normals, pieces that fly.
struct In { float4 place : SV_Position; float3 normal : NORMAL; };
struct Wire { float4 place : SV_Position; noperspective float3 far : FAR; };
struct Out { float4 place : SV_Position; };
cbuffer View : register(b0) { float4x4 Clip; float2 Screen; float3 Light; float Time; };

[maxvertexcount(3)]
void wire(triangle In t[3], inout TriangleStream<Wire> stream) {
  float2 p[3];
  for (uint i = 0; i < 3; ++i)
    p[i] = t[i].place.xy / t[i].place.w * Screen;
  float area = abs(determinant(float2x2(p[1] - p[0], p[2] - p[0])));
  for (uint j = 0; j < 3; ++j) {
    Wire v;
    v.place = t[j].place;
    v.far = 0;
    v.far[j] = area / (distance(p[(j + 1) % 3], p[(j + 2) % 3]) + 1e-3f);
    stream.Append(v);
  }
}

float3 facing(float3 a, float3 b, float3 c) { return cross(b - a, c - a); }

[maxvertexcount(12)]
void silhouette(triangleadj In t[6], inout LineStream<Out> stream) {
  if (dot(facing(t[0].place.xyz, t[2].place.xyz, t[4].place.xyz), Light) <= 0)
    return;
  [unroll]
  for (uint i = 0; i < 6; i += 2) {
    uint n = (i + 2) % 6;
    if (dot(facing(t[i].place.xyz, t[i + 1].place.xyz, t[n].place.xyz), Light) > 0)
      continue;
    Out v;
    v.place = mul(Clip, t[i].place);
    stream.Append(v);
    v.place = mul(Clip, t[n].place);
    stream.Append(v);
    stream.RestartStrip();
  }
}

[maxvertexcount(18)]
void volume(triangleadj In t[6], inout TriangleStream<Out> stream) {
  bool lit = dot(facing(t[0].place.xyz, t[2].place.xyz, t[4].place.xyz), Light) > 0;
  if (!lit)
    return;
  Out v;
  for (uint i = 0; i < 6; i += 2) {
    uint n = (i + 2) % 6;
    if (dot(facing(t[i].place.xyz, t[i + 1].place.xyz, t[n].place.xyz), Light) <= 0) {
      for (uint k = 0; k < 4; ++k) {
        float4 p = t[(k & 1) ? n : i].place;
        v.place = mul(Clip, k < 2 ? p : float4(p.xyz - Light * 100, p.w));
        stream.Append(v);
      }
      stream.RestartStrip();
    }
  }
  for (uint cap = 0; cap < 2; ++cap) {
    for (uint c = 0; c < 6; c += 2) {
      float4 p = t[cap ? 4 - c : c].place;
      v.place = mul(Clip, cap ? float4(p.xyz - Light * 100, p.w) : p);
      stream.Append(v);
    }
    stream.RestartStrip();
  }
}

[maxvertexcount(8)]
void normals(triangle In t[3], inout LineStream<Out> stream) {
  float4 middle = 0;
  float3 sum = 0;
  for (uint i = 0; i < 4; ++i) {
    float4 p = i < 3 ? t[i].place : middle / 3;
    float3 n = i < 3 ? t[i].normal : sum / 3;
    Out v;
    v.place = mul(Clip, p);
    stream.Append(v);
    v.place = mul(Clip, p + float4(n * 0.2f, 0));
    stream.Append(v);
    stream.RestartStrip();
    if (i < 3) {
      middle += t[i].place;
      sum += t[i].normal;
    }
  }
}

[maxvertexcount(3)]
void explode(triangle In t[3], uint number : SV_PrimitiveID, inout TriangleStream<Out> stream) {
  uint h = number * 2654435761u;
  float3 n = normalize(facing(t[0].place.xyz, t[1].place.xyz, t[2].place.xyz) + 1e-4f);
  float3 way = n * Time + float3(0, -0.5f * Time * Time, 0) + float3(h & 0xff, h >> 8 & 0xff, h >> 16 & 0xff) * Time * 0.001f;
  for (uint i = 0; i < 3; ++i) {
    Out v;
    v.place = mul(Clip, float4(t[i].place.xyz + way, 1));
    stream.Append(v);
  }
}
