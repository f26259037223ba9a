// Subroutines, and methods of interfaces.
// fxc: ps_5_0 main
interface Shape { float area(float x); };
class Square : Shape { float side; float area(float x) { return side * x; } };
class Circle : Shape { float radius; float area(float x) { return radius * radius * x + 1; } };
Shape shapes[2];
cbuffer Objects { Square square; Circle circle; uint which; };

float4 main(float x : X, nointerpolation uint n : N) : SV_Target {
    float4 c = shapes[which].area(x);
    [call] switch (n) {
        case 0: c.x = sqrt(x); break;
        case 1: c.y = exp(x); break;
        default: c.z = 1 / x; break;
    }
    return c;
}
