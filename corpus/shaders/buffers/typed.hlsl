// trellis: cs_6_0 main
// Typed buffers of float, unsigned, signed and normalized elements, read and written.

Buffer<float4> F : register(t0);
Buffer<uint2> U : register(t1);
Buffer<int> I : register(t2);
Buffer<unorm float4> N : register(t3);
RWBuffer<float4> OutF : register(u0);
RWBuffer<uint> OutU : register(u1);
RWBuffer<int4> OutI : register(u2);
RWBuffer<snorm float2> OutN : register(u3);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    OutF[id] = F[id] + N[id];
    OutU[id] = U[id].x + U[id + 1].y;
    OutI[id] = I[id] * int4(1, 2, 3, 4);
    OutN[id] = F[id].zw;
    OutU[id + 64] += 1;
}
