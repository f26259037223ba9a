// Methods of interfaces, which are not translated.
// fxc: ps_5_0 main
interface Shape { float area(float x); };
class Square : Shape { float side; float area(float x) { return side * x; } };
class Circle : Shape { float radius; float area(float x) { return radius * radius * x + 1; } };
Shape shapes[2];
cbuffer Objects { Square square; Circle circle; uint which; };

float4 main(float x : X) : SV_Target { return shapes[which].area(x); }
