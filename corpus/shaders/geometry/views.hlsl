// trellis.cube: gs_6_0 cube
// trellis.cascades: gs_6_0 cascades
// trellis.voxels: gs_6_0 voxels
// trellis.stereo: gs_6_0 stereo
// One triangle in several views: faces of a cube, cascades by instance, the axis it faces, two viewports.
struct In { float4 place : SV_Position; float3 normal : NORMAL; };
struct Face { float4 place : SV_Position; float3 normal : NORMAL; uint layer : SV_RenderTargetArrayIndex; };
struct Port { float4 place : SV_Position; float3 normal : NORMAL; uint port : SV_ViewportArrayIndex; };
struct Cell { float4 place : SV_Position; float3 cell : CELL; nointerpolation uint axis : AXIS; nointerpolation float4 box : BOX; };
cbuffer View : register(b0) { float4x4 Views[6]; float2 Pixel; };

[maxvertexcount(18)]
void cube(triangle In t[3], inout TriangleStream<Face> stream) {
  for (uint face = 0; face < 6; ++face) {
    Face v[3];
    bool left = true, right = true;
    for (uint i = 0; i < 3; ++i) {
      v[i].place = mul(Views[face], t[i].place);
      v[i].normal = t[i].normal;
      v[i].layer = face;
      left = left && v[i].place.x < -v[i].place.w;
      right = right && v[i].place.x > v[i].place.w;
    }
    if (left || right)
      continue;
    for (uint j = 0; j < 3; ++j)
      stream.Append(v[j]);
    stream.RestartStrip();
  }
}

[instance(4)]
[maxvertexcount(3)]
void cascades(triangle In t[3], uint i : SV_GSInstanceID, inout TriangleStream<Face> stream) {
  [unroll]
  for (uint k = 0; k < 3; ++k) {
    Face v;
    v.place = mul(Views[i], t[k].place);
    v.normal = t[k].normal;
    v.layer = i;
    stream.Append(v);
  }
}

[maxvertexcount(3)]
void voxels(triangle In t[3], inout TriangleStream<Cell> stream) {
  float3 n = abs(cross(t[1].place.xyz - t[0].place.xyz, t[2].place.xyz - t[0].place.xyz));
  uint axis = n.x > n.y && n.x > n.z ? 0 : n.y > n.z ? 1 : 2;
  float2 p[3];
  [unroll]
  for (uint i = 0; i < 3; ++i)
    p[i] = axis == 0 ? t[i].place.yz : axis == 1 ? t[i].place.zx : t[i].place.xy;
  float4 box = float4(min(p[0], min(p[1], p[2])) - Pixel, max(p[0], max(p[1], p[2])) + Pixel);
  [unroll]
  for (uint j = 0; j < 3; ++j) {
    Cell v;
    float2 a = normalize(p[j] - p[(j + 1) % 3] + 1e-5f), b = normalize(p[j] - p[(j + 2) % 3] + 1e-5f);
    v.place = float4(p[j] + (a + b) * Pixel, 0, 1);
    v.cell = t[j].place.xyz * 8;
    v.axis = axis;
    v.box = box;
    stream.Append(v);
  }
}

[instance(2)]
[maxvertexcount(3)]
void stereo(triangle In t[3], uint eye : SV_GSInstanceID, inout TriangleStream<Port> stream) {
  for (uint k = 0; k < 3; ++k) {
    Port v;
    v.place = t[k].place + float4((eye == 0 ? -0.05f : 0.05f) * t[k].place.w, 0, 0, 0);
    v.normal = t[k].normal;
    v.port = eye;
    stream.Append(v);
  }
}
