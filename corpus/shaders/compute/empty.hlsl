// trellis: cs_6_0 main
// A shader that does nothing.

[numthreads(1, 1, 1)]
void main()
{
}
