RWByteAddressBuffer o : register(u0);
SamplerState smp[] : register(s0, space3);
[WaveSize(16)]
[numthreads(16, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
    half2 h = o.Load<half2>(id.x * 4);
    int16_t4 w = o.Load<int16_t4>(id.x * 8);
    Texture2D<float4> t = ResourceDescriptorHeap[id.y];
    uint64_t u = o.Load<uint64_t>(8);
    double d = asdouble(id.x, id.y) * 3.0;
    o.Store(0, t.SampleLevel(smp[NonUniformResourceIndex(id.z)], h, 0.1h));
    o.Store(16, w + (int16_t)h.x);
    o.Store(32, u * 5 + (uint64_t)d);
    min16float m = h.y;
}
