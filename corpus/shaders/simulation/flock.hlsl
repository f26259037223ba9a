// trellis: cs_6_0 main
// trellis.fear: cs_6_0 main -DFEAR
// Birds in a flock: separation, alignment and cohesion over neighbours.
struct Bird { float3 place; float3 way; };
StructuredBuffer<Bird> Birds;
RWStructuredBuffer<Bird> Next;
cbuffer Rules { float Near; float Speed; float3 Hunter; };

[numthreads(32, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  Bird me = Birds[id];
  float3 apart = 0, along = 0, together = 0;
  uint seen = 0;
  for (uint i = 0; i < 64; ++i) {
    if (i == id)
      continue;
    Bird other = Birds[i];
    float3 d = other.place - me.place;
    float square = dot(d, d);
    if (square > Near * Near)
      continue;
    if (dot(d, me.way) < -0.5f * sqrt(square))
      continue;
    apart -= d / (square + 0.1f);
    along += other.way;
    together += other.place;
    if (++seen == 16)
      break;
  }
  if (seen > 0)
    me.way += apart * 0.1f + (along / seen - me.way) * 0.05f + (together / seen - me.place) * 0.01f;
#ifdef FEAR
  float3 flee = me.place - Hunter;
  if (dot(flee, flee) < 4)
    me.way += normalize(flee + 1e-3f);
#endif
  float speed = length(me.way);
  me.way *= clamp(speed, 0.1f, max(Speed, 0.2f)) / max(speed, 1e-3f);
  me.place += me.way;
  Next[id] = me;
}
