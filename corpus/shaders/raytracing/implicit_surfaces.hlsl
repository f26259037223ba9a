// trellis: lib_6_3 library
// trellis.sm65: lib_6_5 library
// Intersection shaders that walk: distance fields, a torus by Newton's method, voxels, height fields, curves, blobs.
struct Payload { float3 color; };
struct Surface { float3 normal; };
RaytracingAccelerationStructure Scene : register(t0);
RWTexture2D<float4> Picture : register(u0);
StructuredBuffer<uint> Bricks : register(t1);
Texture2D<float> Height : register(t2);
StructuredBuffer<float4> Points : register(t3);

[shader("raygeneration")]
void Camera() {
  float2 uv = ((float2)DispatchRaysIndex().xy + 0.5f) / (float2)DispatchRaysDimensions().xy * 2 - 1;
  RayDesc ray = {float3(0, 0, -4), 0.01f, normalize(float3(uv, 2)), 50};
  Payload p = {float3(0, 0, 0)};
  TraceRay(Scene, RAY_FLAG_SKIP_TRIANGLES, 0xff, 0, 0, 0, ray, p);
  Picture[DispatchRaysIndex().xy] = float4(p.color, 1);
}

[shader("miss")]
void Sky(inout Payload p) { p.color = saturate(WorldRayDirection() * 0.5f + 0.5f); }

[shader("closesthit")]
void Shade(inout Payload p, Surface s) { p.color = saturate(dot(s.normal, float3(0.5f, 0.7f, -0.5f))) + 0.1f * HitKind(); }

float field(float3 p) {
  float3 q = abs(p) - 0.5f;
  float box = length(max(q, 0)) - 0.1f;
  return max(box, 0.6f - length(p));
}

[shader("intersection")]
void DistanceField() {
  float3 o = ObjectRayOrigin(), d = normalize(ObjectRayDirection());
  float scale = 1 / length(ObjectRayDirection()), t = RayTMin() / scale;
  for (uint i = 0; i < 64; ++i) {
    float h = field(o + d * t);
    if (h < 0.001f) {
      float3 p = o + d * t;
      Surface s;
      s.normal = normalize(float3(field(p + float3(0.01f, 0, 0)), field(p + float3(0, 0.01f, 0)), field(p + float3(0, 0, 0.01f))) - h);
      ReportHit(t * scale, 1, s);
      return;
    }
    t += h;
    if (t * scale > RayTCurrent())
      return;
  }
}

[shader("intersection")]
void Torus() {
  float3 o = ObjectRayOrigin(), d = normalize(ObjectRayDirection());
  float t = 0;
  for (uint i = 0; i < 32; ++i) {
    float3 p = o + d * t;
    float k = dot(p, p) + 0.75f - 0.0625f;
    float f = k * k - 3 * dot(p.xz, p.xz);
    float3 slope = 4 * k * p - 6 * float3(p.x, 0, p.z);
    float change = dot(slope, d);
    if (abs(f) < 1e-3f) {
      Surface s;
      s.normal = normalize(slope);
      if (ReportHit(t, 2, s))
        break;
    }
    if (abs(change) < 1e-4f)
      break;
    t -= clamp(f / change, -0.25f, 0.25f);
    if (t < 0 || t > 10)
      return;
  }
}

[shader("intersection")]
void Voxels() {
  float3 d = ObjectRayDirection(), o = (ObjectRayOrigin() + d * RayTMin()) * 4 + 4;
  int3 cell = (int3)floor(o), step_ = (int3)sign(d);
  float3 delta = 1 / max(abs(d) * 4, 1e-5f), side = select(step_ > 0, 1 - frac(o), frac(o)) * delta;
  uint axis = 0;
  float t = RayTMin();
  [loop]
  for (uint i = 0; i < 24; ++i) {
    if (all(cell >= 0) && all(cell < 8)) {
      uint bit = cell.x + cell.y * 8;
      if ((Bricks[cell.z * 2 + bit / 32] >> (bit & 31) & 1) != 0) {
        Surface s;
        s.normal = 0;
        s.normal[axis] = -step_[axis];
        ReportHit(t, axis, s);
        return;
      }
    } else if (i > 12) {
      return;
    }
    axis = side.x < side.y ? (side.x < side.z ? 0 : 2) : (side.y < side.z ? 1 : 2);
    t = RayTMin() + side[axis];
    side[axis] += delta[axis];
    cell[axis] += step_[axis];
  }
}

[shader("intersection")]
void Ground() {
  float3 o = ObjectRayOrigin(), d = ObjectRayDirection();
  float before = 0, last = 0;
  for (uint i = 1; i <= 16; ++i) {
    float t = i * 0.25f;
    float3 p = o + d * t;
    float above = p.y - Height.Load(int3((int2)(p.xz * 8) & 15, 0));
    if (above < 0) {
      float hit = last + (t - last) * before / max(before - above, 1e-4f);
      Surface s = {float3(0, 1, 0)};
      ReportHit(hit, 3, s);
      return;
    }
    before = above;
    last = t;
  }
}

[shader("intersection")]
void Curve() {
  uint first = PrimitiveIndex() * 3;
  float3 o = ObjectRayOrigin(), d = normalize(ObjectRayDirection());
  float nearest = 1e9f;
  float3 normal = 0;
  for (uint i = 0; i < 8; ++i) {
    float u = (i + 0.5f) / 8, w = 1 - u;
    float4 p = w * w * Points[first & 15] + 2 * u * w * Points[(first + 1) & 15] + u * u * Points[(first + 2) & 15];
    float3 to = p.xyz - o;
    float t = dot(to, d);
    float3 off = to - d * t;
    if (dot(off, off) > p.w * p.w || t > nearest || t < RayTMin())
      continue;
    nearest = t;
    normal = -off;
  }
  if (nearest < RayTCurrent()) {
    Surface s = {normalize(normal - d * 0.01f)};
    ReportHit(nearest, 4, s);
  }
}

[shader("intersection")]
void Blobs() {
  float3 o = ObjectRayOrigin(), d = ObjectRayDirection();
  float t = RayTMin();
  bool inside = false;
  do {
    float3 p = o + d * t, slope = 0;
    float sum = 0;
    for (uint i = 0; i < 4; ++i) {
      float3 v = p - Points[i].xyz;
      float r = 1 / max(dot(v, v), 1e-3f);
      sum += r * Points[i].w;
      slope += v * r * r;
    }
    inside = sum > 1;
    if (inside) {
      Surface s = {normalize(slope)};
      ReportHit(t, 5, s);
    }
    t += 0.125f;
  } while (!inside && t < 4);
}
