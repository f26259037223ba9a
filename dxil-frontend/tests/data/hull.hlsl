struct V { float4 p : POSITION; }; struct PC { float e[3] : SV_TessFactor; float i : SV_InsideTessFactor; float3 n : NRM; };
PC pc(InputPatch<V,3> p, uint id : SV_PrimitiveID) { PC o; o.e[0]=o.e[1]=o.e[2]=p[0].p.x; o.i=2; o.n=p[1].p.xyz; return o; }
[domain("tri")][partitioning("fractional_odd")][outputtopology("triangle_cw")][outputcontrolpoints(3)][patchconstantfunc("pc")][maxtessfactor(15.0)]
V main(InputPatch<V,3> p, uint id : SV_OutputControlPointID) { return p[id]; }
