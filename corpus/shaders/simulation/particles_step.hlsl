// trellis: cs_6_0 main
// trellis.collide: cs_6_0 main -DCOLLIDE
// trellis.curl: cs_6_0 main -DCURL
// Particles move: drag, gravity, a plane, attractors, or a field without sources.
struct Particle {
  float3 position;
  float age;
  float3 velocity;
  float life;
};
cbuffer Step {
  float Delta;
  float Drag;
  uint Attractors;
  float4 Plane;
  float4 Places[4];
};
RWStructuredBuffer<Particle> Particles;

float3 potential(float3 p) {
  return float3(sin(p.y * 1.7f + p.z), sin(p.z * 1.3f + p.x), sin(p.x * 1.9f + p.y));
}

float3 curl(float3 p) {
  const float e = 0.125f;
  float3 x = potential(p + float3(e, 0, 0)) - potential(p - float3(e, 0, 0));
  float3 y = potential(p + float3(0, e, 0)) - potential(p - float3(0, e, 0));
  float3 z = potential(p + float3(0, 0, e)) - potential(p - float3(0, 0, e));
  return float3(y.z - z.y, z.x - x.z, x.y - y.x) / (2 * e);
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  Particle p = Particles[id];
  if (p.age > p.life && p.life > 40)
    return;
  float3 force = float3(0, -9.8f, 0) - p.velocity * Drag;
  for (uint i = 0; i < min(Attractors, 4u); ++i) {
    float3 to = Places[i].xyz - p.position;
    float far = max(dot(to, to), 0.25f);
    if (far > 1e6f)
      continue;
    force += to * (Places[i].w / (far * sqrt(far)));
  }
#ifdef CURL
  p.velocity = lerp(p.velocity, curl(p.position * 0.125f), 0.5f);
#endif
  p.velocity += force * Delta;
  p.position += p.velocity * Delta;
#ifdef COLLIDE
  float below = dot(Plane.xyz, p.position) - Plane.w;
  if (below < 0) {
    p.position -= below * Plane.xyz;
    p.velocity = reflect(p.velocity, Plane.xyz) * 0.5f;
    if (dot(p.velocity, p.velocity) < 0.01f)
      p.velocity = 0;
  }
#endif
  p.age += Delta;
  Particles[id] = p;
}
