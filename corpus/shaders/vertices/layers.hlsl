// trellis.cascades: vs_6_0 cascades
// trellis.cube: vs_6_0 cube
// trellis.stereo: vs_6_1 stereo
// trellis.clip: vs_6_0 clip_
// Instances that choose a layer or a viewport, views by number, and clip planes.
cbuffer Frame : register(b0) { float4x4 Views[6]; float4 Planes[6]; };
struct Layered { float4 place : SV_Position; uint layer : SV_RenderTargetArrayIndex; };
struct Clipped { float4 place : SV_Position; float4 clip0 : SV_ClipDistance0; float2 clip1 : SV_ClipDistance1; float cull : SV_CullDistance; };

Layered cascades(float3 p : POSITION, uint i : SV_InstanceID) {
  Layered r;
  r.layer = i & 3;
  r.place = mul(Views[r.layer], float4(p, 1));
  r.place.z = max(r.place.z, 0);
  return r;
}

Layered cube(float3 p : POSITION, uint i : SV_InstanceID) {
  Layered r;
  r.layer = i % 6;
  float3 x = r.layer < 2 ? p.zyx : r.layer < 4 ? p.xzy : p.xyz;
  r.place = float4((r.layer & 1) != 0 ? float3(-x.x, x.y, -x.z) : x, 1);
  return r;
}

float4 stereo(float3 p : POSITION, uint view : SV_ViewID) : SV_Position {
  float4 c = mul(Views[view & 1], float4(p, 1));
  c.x += (view == 0 ? -0.03f : 0.03f) * c.w;
  return c;
}

Clipped clip_(float3 p : POSITION) {
  Clipped r;
  float4 h = float4(p, 1);
  r.place = mul(Views[0], h);
  r.clip0 = float4(dot(Planes[0], h), dot(Planes[1], h), dot(Planes[2], h), dot(Planes[3], h));
  r.clip1 = float2(dot(Planes[4], h), dot(Planes[5], h));
  r.cull = r.place.w;
  return r;
}
