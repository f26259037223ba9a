struct V { float4 p : SV_Position; float2 t : TEXCOORD0; };
[maxvertexcount(6)] void main(triangle V i[3], inout TriangleStream<V> o, uint id : SV_PrimitiveID) { for (int k=0;k<3;k++){ V v=i[k]; v.t+=id; o.Append(v);} o.RestartStrip(); }
