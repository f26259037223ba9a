// trellis: cs_6_0 main
// Cloth of a character: one group solves a patch in shared memory by coloured constraints of distance and
// bending, with wind, capsules, planes, friction, tearing and attachments.

#define WIDTH 16
#define COUNT (WIDTH * WIDTH)

cbuffer Solver : register(b0) {
  float3 Gravity;
  float TimeStep;
  float3 Wind;
  float Drag;
  float Stretch;
  float Shear;
  float Bend;
  float Damping;
  float Friction;
  float Thickness;
  float TearLength;
  uint Iterations;
  uint Substeps;
  uint CapsuleCount;
  uint PlaneCount;
  uint FrameIndex;
  float RestLength;
};

struct Particle {
  float3 position;
  float inverseMass;
  float3 velocity;
  uint flags;  // One bit per torn link to the right, below, and of both diagonals; 16: attached.
};

struct Capsule {
  float3 a;
  float radius;
  float3 b;
  float radiusB;
  float3 velocity;
  float friction;
};

StructuredBuffer<Capsule> Capsules : register(t0);
StructuredBuffer<float4> Planes : register(t1);
StructuredBuffer<float4> Attachments : register(t2);
RWStructuredBuffer<Particle> Particles : register(u0);
RWStructuredBuffer<float4> Normals : register(u1);
RWStructuredBuffer<uint> TearCount : register(u2);

groupshared float4 Positions[COUNT];  // With the inverse mass.
groupshared uint Torn[COUNT];

float3 noise(float3 p) {
  float3 q = float3(dot(p, float3(12.99f, 78.23f, 37.72f)), dot(p, float3(39.35f, 11.14f, 83.16f)),
                    dot(p, float3(73.16f, 52.24f, 9.15f)));
  return frac(sin(q) * 43758.55f) * 2 - 1;
}

// Wind pushes on the area that faces it.
float3 aerodynamics(uint2 at, float3 velocity) {
  uint2 low = max(at, 1) - 1, high = min(at + 1, WIDTH - 1);
  float3 across = Positions[at.y * WIDTH + high.x].xyz - Positions[at.y * WIDTH + low.x].xyz;
  float3 down = Positions[high.y * WIDTH + at.x].xyz - Positions[low.y * WIDTH + at.x].xyz;
  float3 normal = cross(across, down);
  float area = length(normal);
  if (area < 1e-8f) {
    return 0;
  }
  normal /= area;
  float3 gust = Wind * (1 + 0.3f * noise(float3(at, FrameIndex * 0.1f)));
  float3 relative = gust - velocity;
  float pressure = dot(relative, normal);
  float3 lift = cross(cross(relative, normal), relative) * 0.1f;
  return (normal * pressure * abs(pressure) + lift) * Drag * area;
}

// Moves both ends towards the rest length; a link that is too long tears.
void solveLink(uint i, uint j, float rest, float stiffness, uint bit, bool tears) {
  if (Torn[i] & bit) {
    return;
  }
  float4 a = Positions[i], b = Positions[j];
  float weights = a.w + b.w;
  if (weights <= 0) {
    return;
  }
  float3 d = b.xyz - a.xyz;
  float distance = length(d);
  if (tears && distance > rest * TearLength) {
    InterlockedOr(Torn[i], bit);
    InterlockedAdd(TearCount[0], 1);
    return;
  }
  float3 move = d * (stiffness * (distance - rest) / max(distance, 1e-6f) / weights);
  Positions[i].xyz = a.xyz + move * a.w;
  Positions[j].xyz = b.xyz - move * b.w;
}

// Links of one colour share no particle; `step` is the link, `phase` its parity.
void solveColor(uint2 at, int2 step, uint phase, float stiffness, uint bit, bool tears) {
  int2 other = int2(at) + step;
  bool isInside = all(other >= 0) && all(other < WIDTH);
  uint length = max(abs(step.x), abs(step.y));
  uint along = step.x != 0 ? at.x : at.y;
  if (isInside && (along / length & 1) == phase) {
    float rest = RestLength * sqrt(float(step.x * step.x + step.y * step.y));
    solveLink(at.y * WIDTH + at.x, other.y * WIDTH + other.x, rest, stiffness, bit, tears);
  }
  GroupMemoryBarrierWithGroupSync();
}

float3 collide(float3 position, float3 before, float step) {
  for (uint i = 0; i < CapsuleCount; ++i) {
    Capsule c = Capsules[i];
    float3 axis = c.b - c.a;
    float t = saturate(dot(position - c.a, axis) / max(dot(axis, axis), 1e-6f));
    float3 away = position - (c.a + axis * t);
    float radius = lerp(c.radius, c.radiusB, t) + Thickness;
    float squared = dot(away, away);
    if (squared >= radius * radius) {
      continue;
    }
    float distance = sqrt(squared);
    float3 normal = distance > 1e-5f ? away / distance : float3(0, 1, 0);
    position += normal * (radius - distance);
    float3 slide = position - before - c.velocity * step;
    slide -= normal * dot(slide, normal);
    float most = Friction * c.friction * (radius - distance);
    float moved = length(slide);
    position -= moved < most ? slide : slide * (most / max(moved, 1e-6f));
  }
  for (uint j = 0; j < PlaneCount; ++j) {
    float4 plane = Planes[j];
    float below = dot(plane.xyz, position) + plane.w - Thickness;
    if (below < 0) {
      position -= plane.xyz * below;
      float3 slide = position - before;
      slide -= plane.xyz * dot(slide, plane.xyz);
      position -= slide * saturate(Friction);
    }
  }
  return position;
}

[numthreads(WIDTH, WIDTH, 1)]
void main(uint3 group : SV_GroupID, uint3 local : SV_GroupThreadID, uint index : SV_GroupIndex) {
  uint global = group.x * COUNT + index;
  Particle p = Particles[global];
  bool isAttached = p.flags & 16;
  Positions[index] = float4(p.position, isAttached ? 0 : p.inverseMass);
  Torn[index] = p.flags & 15;
  GroupMemoryBarrierWithGroupSync();

  float step = TimeStep / Substeps;
  for (uint substep = 0; substep < Substeps; ++substep) {
    float3 before = Positions[index].xyz;
    float3 force = aerodynamics(local.xy, p.velocity);
    GroupMemoryBarrierWithGroupSync();
    if (isAttached) {
      float4 target = Attachments[global];
      Positions[index].xyz = lerp(before, target.xyz, (substep + 1.0f) / Substeps * target.w);
    } else {
      p.velocity += (Gravity + force * p.inverseMass) * step;
      p.velocity *= exp(-Damping * step);
      Positions[index].xyz = before + p.velocity * step;
    }
    GroupMemoryBarrierWithGroupSync();
    for (uint i = 0; i < Iterations; ++i) {
      for (uint phase = 0; phase < 2; ++phase) {
        solveColor(local.xy, int2(1, 0), phase, Stretch, 1, true);
        solveColor(local.xy, int2(0, 1), phase, Stretch, 2, true);
        solveColor(local.xy, int2(1, 1), phase, Shear, 4, false);
        solveColor(local.xy, int2(-1, 1), phase, Shear, 8, false);
        solveColor(local.xy, int2(2, 0), phase, Bend, 1, false);
        solveColor(local.xy, int2(0, 2), phase, Bend, 2, false);
      }
      if (!isAttached) {
        Positions[index].xyz = collide(Positions[index].xyz, before, step);
      }
      GroupMemoryBarrierWithGroupSync();
    }
    p.velocity = (Positions[index].xyz - before) / step;
    float speed = length(p.velocity);
    if (speed > 50) {
      p.velocity *= 50 / speed;
    }
  }

  p.position = Positions[index].xyz;
  p.flags = (p.flags & ~15u) | Torn[index];
  Particles[global] = p;
  uint2 low = max(local.xy, 1) - 1, high = min(local.xy + 1, WIDTH - 1);
  float3 across = Positions[local.y * WIDTH + high.x].xyz - Positions[local.y * WIDTH + low.x].xyz;
  float3 down = Positions[high.y * WIDTH + local.x].xyz - Positions[low.y * WIDTH + local.x].xyz;
  Normals[global] = float4(normalize(cross(down, across)), length(p.velocity));
}
