// trellis: vs_6_0 main
// trellis.packed: vs_6_0 main -DPACKED
// trellis.draw: vs_6_8 main -DDRAW
// trellis.sm66: vs_6_6 main -DHEAP
// Vertices from buffers by index, compressed ones, with the draw's own start, or a buffer of the heap.
#ifdef HEAP
cbuffer Places { uint Place; };
#else
ByteAddressBuffer Vertices : register(t0);
#endif
struct Result { float4 place : SV_Position; float3 normal : NORMAL; float2 uv : UV; nointerpolation uint instance : INSTANCE; };

Result main(uint vertex : SV_VertexID, uint instance : SV_InstanceID
#ifdef DRAW
            , int startVertex : SV_StartVertexLocation, uint startInstance : SV_StartInstanceLocation
#endif
) {
  Result r;
#ifdef HEAP
  ByteAddressBuffer Vertices = ResourceDescriptorHeap[Place];
#endif
  r.instance = instance;
#ifdef DRAW
  vertex += startVertex;
  r.instance += startInstance;
#endif
#ifdef PACKED
  uint3 v = Vertices.Load3((vertex & 31) * 12);
  r.place = float4((float3)(int3(v.x << 16, v.x, v.y << 16) >> 16) / 32767, 1);
  float2 o = float2((int)(v.y << 8) >> 24, (int)v.y >> 24) / 127;
  r.normal = float3(o, 1 - abs(o.x) - abs(o.y));
  if (r.normal.z < 0)
    r.normal.xy = (1 - abs(r.normal.yx)) * select(r.normal.xy >= 0, 1.0f, -1.0f);
  r.uv = f16tof32(uint2(v.z, v.z >> 16));
#else
  uint at = (vertex & 31) * 32;
  r.place = float4(asfloat(Vertices.Load3(at)), 1);
  r.normal = asfloat(Vertices.Load3(at + 12));
  r.uv = asfloat(Vertices.Load2(at + 24));
#endif
  return r;
}
