struct V { float4 p : POSITION; }; struct PC { float e[3] : SV_TessFactor; float i : SV_InsideTessFactor; float3 n : NRM; };
[domain("tri")] float4 main(PC pc, float3 b : SV_DomainLocation, const OutputPatch<V,3> p) : SV_Position { return p[0].p*b.x+p[1].p*b.y+p[2].p*b.z+pc.n.xyzz; }
