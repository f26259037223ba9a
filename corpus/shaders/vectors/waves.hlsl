// trellis: cs_6_9 main -enable-16bit-types
// Wave and quad operations on vectors of two, three and five components.

ByteAddressBuffer In : register(t0);
RWByteAddressBuffer Out : register(u0);

[numthreads(32, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  uint at = id.x * 32, to = id.x * 256;
  vector<uint, 5> a = In.Load<vector<uint, 5> >(at);
  uint3 b = In.Load<uint3>(at + 20);
  vector<int, 5> s = (vector<int, 5>)a;
  Out.Store<vector<uint, 5> >(to, WaveActiveSum(a));
  Out.Store<vector<int, 5> >(to + 20, WaveActiveMin(s));
  Out.Store<vector<uint, 5> >(to + 40, WaveActiveBitXor(a) + WaveActiveBitOr(a & 0xFF));
  Out.Store<vector<uint, 5> >(to + 60, WavePrefixSum(a));
  Out.Store<uint3>(to + 80, WavePrefixProduct(b | 1) + WaveActiveMax(b));
  Out.Store<vector<uint, 5> >(to + 92, WaveReadLaneFirst(a) + WaveReadLaneAt(a, 2));
  Out.Store<vector<uint, 5> >(to + 112, QuadReadAcrossX(a) + QuadReadLaneAt(a, 1) + QuadReadAcrossDiagonal(a));
  vector<bool, 5> equal = WaveActiveAllEqual(a & vector<uint, 5>(0, 1, 0, 7, 0));
  bool3 same = WaveActiveAllEqual(b & uint3(0, 1, 0));
  Out.Store<vector<uint, 5> >(to + 132, (vector<uint, 5>)equal);
  Out.Store<uint3>(to + 152, (uint3)same);
  uint4 mask = WaveMatch(a & 1);
  Out.Store<uint4>(to + 164, mask);
  uint4 pairs = WaveMatch(b.xy & 1);
  Out.Store<uint4>(to + 180, pairs);
  Out.Store<uint2>(to + 196, WaveMultiPrefixSum(b.xy, pairs));
  Out.Store<vector<uint, 5> >(to + 204, WaveMultiPrefixSum(a, mask));
  Out.Store<uint3>(to + 224, WaveMultiPrefixBitXor(b, mask));
}
