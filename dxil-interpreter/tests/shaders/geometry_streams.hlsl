// trellis: gs_6_0 main
// Streams of points.
struct A { uint n : N; };
struct B { uint m : M; };

[maxvertexcount(4)]
void main(line float4 p[2] : SV_Position, inout PointStream<A> a, inout PointStream<B> b) {
    A x = { 1 };
    B y = { 2 };
    a.Append(x);
    b.Append(y);
    y.m = 3;
    b.Append(y);
}
