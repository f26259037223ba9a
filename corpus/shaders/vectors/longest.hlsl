// trellis: cs_6_9 main
// Vectors of 1,024 components: memory, arithmetic and a reduction.

ByteAddressBuffer In : register(t0);
RWByteAddressBuffer Out : register(u0);

typedef vector<float, 1024> Longest;

[numthreads(1, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  Longest a = In.Load<Longest>(id.x * 4096);
  Longest b = In.Load<Longest>(id.x * 4096 + 64);
  Longest c = max(a, b) + a * 0.5;
  Out.Store<Longest>(id.x * 4096, c);
  Out.Store<uint>(8192 + id.x * 4, any(c > 3) ? 1 : 0);
}
