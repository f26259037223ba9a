struct P { float4 a[4]; }; groupshared P p;
[numthreads(4,1,1)] void main(uint gi : SV_GroupIndex) { p.a[gi]=gi; GroupMemoryBarrierWithGroupSync(); DispatchMesh(gi,1,1,p); }
