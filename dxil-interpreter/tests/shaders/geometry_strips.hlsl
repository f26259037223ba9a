// trellis: gs_6_0 main
// Strips of a geometry shader: every other triangle has the other winding, a cut begins another strip, vertices beyond
// the declared number have no effect; instances of a primitive follow each other.
struct Out { float4 at : SV_Position; };

[instance(2)]
[maxvertexcount(7)]
void main(point float4 p[1] : SV_Position, uint i : SV_GSInstanceID, uint primitive : SV_PrimitiveID, inout TriangleStream<Out> s) {
    Out o;
    for (uint n = 0; n < 9; n++) {
        o.at = float4(n, i, primitive, p[0].x);
        s.Append(o);
        if (n == 3)
            s.RestartStrip();
    }
}
