// trellis: cs_6_9 main
// Vectors of 100 components in a loop, with a component that is chosen at run time.

ByteAddressBuffer In : register(t0);
RWByteAddressBuffer Out : register(u0);

typedef vector<float, 100> Many;

[numthreads(4, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  Many a = In.Load<Many>(id.x * 512);
  Many b = In.Load<Many>(id.x * 512 + 64);
  uint word = In.Load<uint>(id.x * 4);
  Many c = a;
  for (uint i = 0; i < (word & 3); ++i)
    c = max(c, b) + a * 0.5;
  c[word % 100] += 1;
  Out.Store<Many>(id.x * 512, c);
  Out.Store<float>(id.x * 512 + 400, c[(word >> 3) % 100]);
  Out.Store<uint>(id.x * 512 + 404, any(c > 3) ? 1 : 0);
}
