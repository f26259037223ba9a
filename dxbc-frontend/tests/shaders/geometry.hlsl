// Two streams and instances.
// fxc: gs_5_0 main
struct In { float4 p : SV_Position; float2 uv : TEXCOORD; };
struct Other { float v : VALUE; };

[maxvertexcount(4)] [instance(2)]
void main(line In v[2], uint id : SV_GSInstanceID, uint primitive : SV_PrimitiveID,
          inout PointStream<In> a, inout PointStream<Other> b) {
    for (uint i = 0; i < 2; i++) {
        In o = v[i];
        o.uv *= id;
        a.Append(o);
    }
    a.RestartStrip();
    Other other;
    other.v = v[0].p.x + primitive;
    b.Append(other);
}
