RaytracingAccelerationStructure as : register(t0); RWTexture2D<float4> o : register(u0); Texture2D<float4> ts[] : register(t0, space1);
struct PL { float4 c; }; struct AT { float2 b; };
GlobalRootSignature grs = { "CBV(b0)" };
RaytracingShaderConfig cfg = { 16, 8 };
TriangleHitGroup hg = { "", "ch" };
[shader("raygeneration")] void rg() { RayDesc r; r.Origin=0; r.Direction=float3(0,0,1); r.TMin=0; r.TMax=100; PL p; p.c=0; TraceRay(as, 0, 0xff, 0, 1, 0, r, p); o[DispatchRaysIndex().xy] = p.c; }
[shader("closesthit")] void ch(inout PL p, in AT a) { p.c = ts[NonUniformResourceIndex(InstanceID())].Load(int3(a.b,0)); }
[shader("miss")] void ms(inout PL p) { p.c = 1; }
export float add(float a, float b) { return a + b; }
