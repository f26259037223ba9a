// trellis: ps_6_0 main
// trellis.half: ps_6_2 main -enable-16bit-types -DF=half
// Coarse and fine derivatives, and fwidth.

#ifndef F
#define F float
#endif

vector<F, 4> main(vector<F, 4> c : COLOR) : SV_Target
{
    vector<F, 4> r = ddx(c) + ddy(c);
    r.x += ddx_coarse(c.y) + ddy_coarse(c.z);
    r.y += ddx_fine(c.z) + ddy_fine(c.w);
    r.zw += fwidth(c.xy);
    return r;
}
