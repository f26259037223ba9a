// trellis: cs_6_9 main -enable-16bit-types
// trellis.od: cs_6_9 main -enable-16bit-types -Od
// Long vectors in groupshared memory, local arrays and constant tables, with components that are
// chosen at run time.

ByteAddressBuffer In : register(t0);
RWByteAddressBuffer Out : register(u0);

groupshared vector<float, 7> Shared[16];
groupshared vector<uint16_t, 3> Small[16];

static const vector<int, 6> Table[3] = {
  vector<int, 6>(1, 2, 3, 4, 5, 6), vector<int, 6>(-1, 7, -2, 8, -3, 9), vector<int, 6>(10, 20, 30, 40, 50, 60)
};

[numthreads(16, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  uint at = id.x * 64, to = id.x * 128;
  uint word = In.Load<uint>(at + 60);
  Shared[id.x] = In.Load<vector<float, 7> >(at);
  Small[id.x] = In.Load<vector<uint16_t, 3> >(at + 8);
  GroupMemoryBarrierWithGroupSync();
  vector<float, 7> other = Shared[(id.x + 5) & 15];
  other[word % 7] += 1;
  Out.Store<vector<float, 7> >(to, other);
  Out.Store<float>(to + 28, Shared[id.x ^ 1][word % 7]);
  Out.Store<vector<uint16_t, 3> >(to + 32, Small[id.x ^ 3].zxy);
  GroupMemoryBarrierWithGroupSync();
  Shared[id.x][word % 5] = 3;
  Out.Store<vector<float, 7> >(to + 40, Shared[id.x]);

  vector<float, 5> local[4];
  for (uint i = 0; i < 4; ++i)
    local[i] = In.Load<vector<float, 5> >(at + i * 8);
  local[word & 3] += 1;
  local[word & 1][(word >> 4) % 5] *= 2;
  Out.Store<vector<float, 5> >(to + 68, local[(word >> 2) & 3] + local[1]);
  Out.Store<vector<int, 6> >(to + 88, Table[word % 3] * Table[0][word % 6]);
  vector<float, 1> one = In.Load<vector<float, 1> >(at);
  Out.Store<vector<float, 1> >(to + 112, one + Shared[id.x][1]);
}
