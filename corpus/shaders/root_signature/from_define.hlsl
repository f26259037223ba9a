// trellis: cs_6_0 main -rootsig-define SIGNATURE
// A root signature from a macro that the command line names.

#define SIGNATURE "DescriptorTable(SRV(t0), UAV(u0, offset=DESCRIPTOR_RANGE_OFFSET_APPEND))"

StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);


[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID)
{
    Out[id] = In[id] + 3;
}
