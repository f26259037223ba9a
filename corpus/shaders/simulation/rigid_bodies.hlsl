// trellis: cs_6_0 main
// trellis.double: cs_6_0 main -DREAL=double
// Rigid bodies: quaternions of orientation, tensors of inertia, impulses of a ground plane.
#ifndef REAL
#define REAL float
#endif
typedef vector<REAL, 3> Three;
typedef vector<REAL, 4> Four;
struct Body { Three place; Three velocity; Four turn; Three spin; REAL mass; };
RWStructuredBuffer<Body> Bodies;

Four product(Four a, Four b) {
  return Four(a.w * b.xyz + b.w * a.xyz + Three(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x),
              a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z);
}

Three turned(Four q, Three v) {
  Four r = product(product(q, Four(v, 0)), Four(-q.xyz, q.w));
  return r.xyz;
}

[numthreads(32, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  Body b = Bodies[id];
  const REAL dt = (REAL)0.0625f;
  b.velocity.y -= (REAL)9.75f * dt;
  for (uint corner = 0; corner < 8; ++corner) {
    Three local = Three((corner & 1) ? 1 : -1, (corner & 2) ? 1 : -1, (corner & 4) ? 1 : -1);
    Three arm = turned(b.turn, local);
    REAL depth = -(b.place.y + arm.y);
    if (depth <= 0)
      continue;
    REAL speed = b.velocity.y + b.spin.z * arm.x - b.spin.x * arm.z;
    if (speed < 0)
      b.velocity.y -= speed * (REAL)0.125f;
    b.spin += Three(-arm.z, 0, arm.x) * (depth * (REAL)0.03125f);
  }
  b.place += b.velocity * dt;
  Four change = product(Four(b.spin, 0), b.turn);
  b.turn += change * (dt * (REAL)0.5f);
  REAL square = b.turn.x * b.turn.x + b.turn.y * b.turn.y + b.turn.z * b.turn.z + b.turn.w * b.turn.w;
  if (square > (REAL)0.0625f)
    b.turn = b.turn * ((REAL)1.0f / square);
  Bodies[id] = b;
}
