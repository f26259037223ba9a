// trellis: ps_6_1 main
// trellis.flat: ps_6_1 flat_
// trellis.views: ps_6_1 views
// trellis.sm67: ps_6_7 main
// Pixel shaders of model 6.1: lines by barycentrics, attributes of one vertex, colours by view.
struct Corner { nointerpolation float3 place : PLACE; nointerpolation uint id : ID; };

float4 main(float4 at : SV_Position, float3 w : SV_Barycentrics) : SV_Target {
  float3 d = fwidth(w), a = smoothstep(0, d * 1.5f, w);
  return 1 - min(a.x, min(a.y, a.z));
}

float4 flat_(Corner c, float3 w : SV_Barycentrics) : SV_Target {
  float3 p = GetAttributeAtVertex(c.place, 0), q = GetAttributeAtVertex(c.place, 1), r = GetAttributeAtVertex(c.place, 2);
  uint id = GetAttributeAtVertex(c.id, 0) ^ GetAttributeAtVertex(c.id, 2);
  float3 n = normalize(cross(q - p, r - p) + 1e-4f);
  return float4(n * w.x, id & 1);
}

float4 views(float4 at : SV_Position, uint view : SV_ViewID, uint primitive : SV_PrimitiveID) : SV_Target {
  float4 c = view == 0 ? float4(1, 0, 0, 1) : float4(0, 1, 1, 1);
  return (primitive & 1) != 0 ? c * 0.5f : c;
}
