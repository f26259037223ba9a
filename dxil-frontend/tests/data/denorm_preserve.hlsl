RWBuffer<float> b; [numthreads(1,1,1)] void main() { b[0] = b[1]*b[2]; }
