// Subroutines.
// fxc: ps_5_0 main
float4 main(float x : X, nointerpolation uint n : N) : SV_Target {
    float4 c = x;
    [call] switch (n) {
        case 0: c.x = sqrt(x); break;
        case 1: c.y = exp(x); break;
        default: c.z = 1 / x; break;
    }
    return c;
}
