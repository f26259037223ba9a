// trellis: lib_6_8 library
// trellis.od: lib_6_8 library -Od
// Deferred shading by a graph: tiles are classified by their materials, each kind has its node.
struct Screen { uint2 grid : SV_DispatchGrid; uint materials; };
struct Tile { uint place; uint mask; };
Texture2D<uint> Kinds : register(t0);
RWStructuredBuffer<uint> Out : register(u0);
groupshared uint Mask;

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeMaxDispatchGrid(16, 16, 1)]
[NumThreads(8, 8, 1)]
void Classify(DispatchNodeInputRecord<Screen> screen, uint2 pixel : SV_DispatchThreadID, uint2 group : SV_GroupID, uint thread : SV_GroupIndex,
              [MaxRecords(4)] [NodeArraySize(4)] [NodeID("Material")] NodeOutputArray<Tile> materials) {
  if (thread == 0)
    Mask = 0;
  Barrier(GROUP_SHARED_MEMORY, GROUP_SYNC | GROUP_SCOPE);
  InterlockedOr(Mask, 1u << (Kinds[pixel] & 3));
  Barrier(GROUP_SHARED_MEMORY, GROUP_SYNC | GROUP_SCOPE);
  uint mask = Mask & screen.Get().materials;
  for (uint kind = 0; kind < 4; ++kind) {
    bool wanted = (mask >> kind & 1) != 0;
    GroupNodeOutputRecords<Tile> tile = materials[kind].GetGroupNodeOutputRecords(wanted ? 1 : 0);
    if (wanted && thread == 0) {
      tile.Get().place = group.y * 16 + group.x;
      tile.Get().mask = mask;
    }
    tile.OutputComplete();
  }
}

void shade(uint place, uint mask, uint thread, uint weight) {
  uint old;
  InterlockedAdd(Out[(place * 64 + thread) & 1023], weight * countbits(mask), old);
}

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(1, 1, 1)]
[NodeID("Material", 0)]
[NumThreads(64, 1, 1)]
void Metal(DispatchNodeInputRecord<Tile> tile, uint thread : SV_GroupIndex) { shade(tile.Get().place, tile.Get().mask, thread, 1); }

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(1, 1, 1)]
[NodeID("Material", 1)]
[NumThreads(64, 1, 1)]
void Skin(DispatchNodeInputRecord<Tile> tile, uint thread : SV_GroupIndex) { shade(tile.Get().place, tile.Get().mask, thread ^ 1, 100); }

[Shader("node")]
[NodeLaunch("coalescing")]
[NodeID("Material", 2)]
[NumThreads(64, 1, 1)]
void Cloth([MaxRecords(4)] GroupNodeInputRecords<Tile> tiles, uint thread : SV_GroupIndex) {
  for (uint i = 0; i < tiles.Count(); ++i)
    shade(tiles[i].place, tiles[i].mask, thread, 10000);
}

[Shader("node")]
[NodeLaunch("thread")]
[NodeID("Material", 3)]
void Sky(ThreadNodeInputRecord<Tile> tile) { shade(tile.Get().place, tile.Get().mask, 0, 1000000); }
