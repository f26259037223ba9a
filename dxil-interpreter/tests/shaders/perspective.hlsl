// trellis: vs_6_0 vertex
// trellis.pixel: ps_6_0 pixel
// A vertex and a pixel shader: linear inputs heed the corners' w, noperspective ones do not, nointerpolation ones are
// the first corner's.
struct Corner {
    float4 at : SV_Position;
    float x : X;
    noperspective float y : Y;
    nointerpolation uint z : Z;
};

Corner vertex(uint i : SV_VertexID) {
    Corner c;
    float w = i == 2 ? 3 : 1;
    c.at = float4(i == 2 ? 3 : -1, i == 1 ? 3 : -1, 0.5, 1) * w;
    c.x = c.y = i == 2 ? 4 : 0;
    c.z = 5 + i;
    return c;
}

float4 pixel(Corner c) : SV_Target { return float4(c.x, c.y, c.z, c.at.w); }
