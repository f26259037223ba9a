// trellis.particles: gs_6_0 particles
// trellis.sort: gs_6_0 sort
// Particles that a geometry shader advances into a stream, with children; and two streams by kind.
struct Particle { float3 place : PLACE; float3 way : WAY; float age : AGE; uint kind : KIND; };
StructuredBuffer<float4> Random : register(t0);
cbuffer Step : register(b0) { float Delta; uint Frame; };

[maxvertexcount(5)]
void particles(point Particle p[1], inout PointStream<Particle> stream, uint number : SV_PrimitiveID) {
  Particle q = p[0];
  q.age += Delta;
  if (q.kind == 0) {
    if (q.age > 0.5f) {
      q.age = 0;
      for (uint i = 0; i < 4; ++i) {
        Particle child = q;
        child.kind = 1;
        child.way = Random[(number * 4 + i + Frame) & 31].xyz;
        stream.Append(child);
      }
    }
    stream.Append(q);
  } else if (q.age < 2) {
    q.way.y -= 9.8f * Delta;
    q.place += q.way * Delta;
    stream.Append(q);
  }
}

[maxvertexcount(2)]
void sort(point Particle p[1], inout PointStream<Particle> alive, inout PointStream<Particle> dead) {
  if (p[0].age < 1)
    alive.Append(p[0]);
  else
    dead.Append(p[0]);
}
