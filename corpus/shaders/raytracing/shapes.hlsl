// trellis: lib_6_3 library
// trellis.od: lib_6_3 library -Od
// trellis.sm66: lib_6_6 library
// Intersection shaders of simple shapes in their boxes: sphere, box, plane, disc, cylinder, cone.
struct Payload { float4 color; uint depth; };
struct Surface { float3 normal; uint part; };
RaytracingAccelerationStructure Scene : register(t0);
RWStructuredBuffer<float4> Out : register(u0);
StructuredBuffer<float4> Shapes : register(t1);

[shader("raygeneration")]
void Generate() {
  uint at = DispatchRaysIndex().y * DispatchRaysDimensions().x + DispatchRaysIndex().x;
  RayDesc ray;
  ray.Origin = float3(DispatchRaysIndex().xy, -5);
  ray.Direction = float3(0, 0, 1);
  ray.TMin = 0;
  ray.TMax = 100;
  Payload p = {float4(0, 0, 0, 0), 0};
  TraceRay(Scene, RAY_FLAG_NONE, 0xff, 0, 1, 0, ray, p);
  Out[at] = p.color;
}

[shader("miss")]
void Missed(inout Payload p) { p.color = float4(0.2f, 0.3f, WorldRayDirection().y, 1); }

[shader("closesthit")]
void Hit(inout Payload p, Surface s) { p.color = float4(s.normal * 0.5f + 0.5f, s.part + RayTCurrent() * 0.01f); }

void report(float t, float3 n, uint part) {
  Surface s = {normalize(n), part};
  if (t >= RayTMin())
    ReportHit(t, part, s);
}

[shader("intersection")]
void Sphere() {
  float4 shape = Shapes[PrimitiveIndex() & 15];
  float3 o = ObjectRayOrigin() - shape.xyz, d = ObjectRayDirection();
  float a = dot(d, d), b = dot(o, d), c = dot(o, o) - shape.w * shape.w, h = b * b - a * c;
  if (h < 0)
    return;
  float root = sqrt(h), t = (-b - root) / a;
  if (t < RayTMin())
    t = (-b + root) / a;
  report(t, o + d * t, 0);
}

[shader("intersection")]
void Box() {
  float3 o = ObjectRayOrigin(), d = ObjectRayDirection(), inverse = 1 / select(abs(d) < 1e-6f, 1e-6f, d);
  float3 a = (-1 - o) * inverse, b = (1 - o) * inverse, low = min(a, b), high = max(a, b);
  float near = max(low.x, max(low.y, low.z)), far = min(high.x, min(high.y, high.z));
  if (near > far || far < RayTMin())
    return;
  uint axis = near == low.x ? 0 : near == low.y ? 1 : 2;
  float3 n = 0;
  n[axis] = d[axis] > 0 ? -1 : 1;
  report(near, n, axis);
}

[shader("intersection")]
void Plane() {
  float3 o = ObjectRayOrigin(), d = ObjectRayDirection();
  if (abs(d.y) < 1e-5f)
    return;
  float t = -o.y / d.y;
  float3 p = o + d * t;
  uint check = ((int)floor(p.x) ^ (int)floor(p.z)) & 1;
  report(t, float3(0, sign(-d.y), 0), check);
}

[shader("intersection")]
void Disc() {
  float4 shape = Shapes[PrimitiveIndex() & 15];
  float3 o = ObjectRayOrigin(), d = ObjectRayDirection();
  float t = dot(shape.xyz - o, shape.xyz) / max(dot(d, shape.xyz), 1e-4f);
  float3 p = o + d * t - shape.xyz;
  float r = dot(p, p);
  if (r > shape.w * shape.w || r < 0.25f * shape.w * shape.w)
    return;
  report(t, shape.xyz, r > 0.5f ? 1 : 0);
}

[shader("intersection")]
void Cylinder() {
  float3 o = ObjectRayOrigin(), d = ObjectRayDirection();
  float a = dot(d.xz, d.xz), b = dot(o.xz, d.xz), c = dot(o.xz, o.xz) - 1, h = b * b - a * c;
  if (h < 0)
    return;
  h = sqrt(h);
  for (int side = -1; side <= 1; side += 2) {
    float t = (-b + side * h) / a, y = o.y + t * d.y;
    if (abs(y) <= 1)
      report(t, float3(o.x + t * d.x, 0, o.z + t * d.z), side < 0 ? 0 : 1);
    float cap = (side - o.y) / d.y;
    float2 p = o.xz + d.xz * cap;
    if (dot(p, p) <= 1)
      report(cap, float3(0, side, 0), 2);
  }
}

[shader("intersection")]
void Cone() {
  float3 o = ObjectRayOrigin(), d = ObjectRayDirection();
  float a = d.x * d.x + d.z * d.z - d.y * d.y, b = o.x * d.x + o.z * d.z - o.y * d.y, c = o.x * o.x + o.z * o.z - o.y * o.y;
  float h = b * b - a * c;
  if (h < 0 || abs(a) < 1e-5f)
    return;
  float t = (-b - sqrt(h)) / a;
  float3 p = o + d * t;
  if (p.y < 0 || p.y > 1) {
    t = (-b + sqrt(h)) / a;
    p = o + d * t;
    if (p.y < 0 || p.y > 1)
      return;
  }
  report(t, float3(p.x, -p.y, p.z), 0);
}
