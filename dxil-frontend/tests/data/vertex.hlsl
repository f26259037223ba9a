cbuffer M : register(b0, space1) { row_major float4x4 mvp; float3x2 q; struct { float a; int3 b[2]; } s; };
struct O { float4 p : SV_Position; float2 t[2] : TEXCOORD0; float cd : SV_ClipDistance0; nointerpolation uint k : K; };
O main(float3 p : POSITION, float2 t : TEXCOORD0, uint v : SV_VertexID, uint i : SV_InstanceID) { O o; o.p = mul(mvp, float4(p,1)); o.t[0]=t; o.t[1]=mul(p,q)+s.a; o.cd=v; o.k=i+s.b[1].y; return o; }
