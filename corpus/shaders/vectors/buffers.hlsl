// trellis: cs_6_9 main -enable-16bit-types
// trellis.od: cs_6_9 main -enable-16bit-types -Od
// Long vectors in raw and structured buffers: each width, lengths above and below four, and the
// status of a load.

struct Record {
  vector<float, 5> f;
  vector<uint16_t, 6> h;
  vector<int, 3> i;
};

ByteAddressBuffer In : register(t0);
StructuredBuffer<Record> Records : register(t1);
RWByteAddressBuffer Out : register(u0);
RWStructuredBuffer<Record> RecordsOut : register(u1);

[numthreads(8, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  uint at = id.x * 64;
  uint status;
  vector<float, 9> f = In.Load<vector<float, 9> >(at, status);
  vector<int, 7> i = In.Load<vector<int, 7> >(at + 4);
  vector<uint16_t, 11> w = In.Load<vector<uint16_t, 11> >(at + 2);
  vector<float16_t, 5> h = In.Load<vector<float16_t, 5> >(at + 6);
  vector<uint64_t, 5> l = In.Load<vector<uint64_t, 5> >(at + 8);
  vector<double, 2> d = In.Load<vector<double, 2> >(at + 16);
  vector<uint, 3> three = In.Load<vector<uint, 3> >(at + 12);
  vector<uint, 1> one = In.Load<vector<uint, 1> >(at + 20);
  uint to = id.x * 256;
  Out.Store<vector<float, 9> >(to, f + (CheckAccessFullyMapped(status) ? 1.0 : 2.0));
  Out.Store<vector<int, 7> >(to + 36, i - 3);
  Out.Store<vector<uint16_t, 11> >(to + 64, w + (uint16_t)1);
  Out.Store<vector<float16_t, 5> >(to + 88, h * (float16_t)2);
  Out.Store<vector<uint64_t, 5> >(to + 104, l + 1);
  Out.Store<vector<double, 2> >(to + 144, d + d);
  Out.Store<vector<uint, 3> >(to + 160, three * 5);
  Out.Store<vector<uint, 1> >(to + 172, one ^ 7);

  Record record = Records[id.x ^ 1];
  record.f = record.f * 2 + f[0];
  record.h += (uint16_t)id.x;
  record.i = -record.i;
  RecordsOut[id.x] = record;
}
