// trellis: lib_6_8 library
// Words of a text: a node per block finds them, one per word hashes it, one counts lengths; missing nodes are skipped.
struct Block { uint first; uint grid : SV_DispatchGrid; };
struct Word { uint first; uint length; };
ByteAddressBuffer Text : register(t0);
RWStructuredBuffer<uint> Table : register(u0);

uint letter(uint at) { return Text.Load(at & ~3u & 1023) >> (at & 3) * 8 & 0xff; }
bool isWord(uint c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeMaxDispatchGrid(8, 1, 1)]
[NumThreads(32, 1, 1)]
void Find(DispatchNodeInputRecord<Block> block, uint id : SV_DispatchThreadID, [MaxRecords(32)] [NodeID("Hash")] NodeOutput<Word> words,
          [MaxRecords(32)] [NodeID("Lengths")] [UnboundedSparseNodes] NodeOutputArray<Word> lengths) {
  uint at = block.Get().first + id;
  bool starts = isWord(letter(at)) && (at == 0 || !isWord(letter(at - 1)));
  uint length = 0;
  if (starts)
    while (length < 31 && isWord(letter(at + length)))
      ++length;
  ThreadNodeOutputRecords<Word> word = words.GetThreadNodeOutputRecords(starts ? 1 : 0);
  if (starts) {
    word.Get().first = at;
    word.Get().length = length;
  }
  word.OutputComplete();
  bool exists = starts && lengths[length].IsValid();
  ThreadNodeOutputRecords<Word> counted = lengths[length].GetThreadNodeOutputRecords(exists ? 1 : 0);
  if (exists) {
    counted.Get().first = at;
    counted.Get().length = length;
  }
  counted.OutputComplete();
}

[Shader("node")]
[NodeLaunch("thread")]
void Hash(ThreadNodeInputRecord<Word> word) {
  uint h = 2166136261u;
  for (uint i = 0; i < word.Get().length; ++i)
    h = (h ^ letter(word.Get().first + i)) * 16777619u;
  InterlockedAdd(Table[h & 255], 1);
}

[Shader("node")]
[NodeLaunch("thread")]
[NodeID("Lengths", 1)]
void Single(ThreadNodeInputRecord<Word> word) { InterlockedAdd(Table[256], letter(word.Get().first)); }

[Shader("node")]
[NodeLaunch("coalescing")]
[NodeID("Lengths", 3)]
[NumThreads(8, 1, 1)]
void Three([MaxRecords(8)] GroupNodeInputRecords<Word> words, uint thread : SV_GroupIndex) {
  if (thread < words.Count())
    InterlockedMax(Table[257], words[thread].first);
}
