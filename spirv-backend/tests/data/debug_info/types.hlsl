// Compiled by DXC 1.7:
//   dxc -T cs_6_6 -HV 2021 -E main -Zi -Qembed_debug -Od types.hlsl -Fo types.dxil

typedef float Real;
typedef vector<Real, 3> Color;
enum Mode { Add, Multiply = 5 };
enum class Side : uint { Left, Right };
struct Base { Real weight; bool3 flags; float scaled(float x) { return x * weight; } };
struct Derived : Base { float2x3 m; Color tint[2]; static const int Count = 3; Mode mode; };
namespace A
{
    namespace B
    {
        struct Inner { double d; min16float h; min16int4 s; };
        float f(Inner i) { return (float)i.d + i.h + i.s.x; }
    }
}
RWStructuredBuffer<Derived> Items : register(u0);
RWByteAddressBuffer Raw : register(u1);
groupshared Derived SharedItems[8];
static float Counter = 3;
static const float Table[4] = { 1, 2, 3, 4 };

void swapped(inout float a, out float b) { float t = a; b = t * 2; a = b + 1; Counter += a; }
template<typename T> T twice(T x) { T y = x + x; return y; }

[numthreads(8, 1, 1)]
void main(uint3 id : SV_DispatchThreadID, uint lane : SV_GroupIndex)
{
    Derived d = Items[id.x];
    A::B::Inner inner;
    inner.d = d.weight * 2.0L;
    inner.h = (min16float)d.m[0][1];
    inner.s = min16int4(1, 2, 3, 4);
    float a = d.scaled(3), b;
    swapped(a, b);
    float4x4 big = { a, b, 1, 2, 3, 4, 5, 6, 7, 8, 9, a, b, a, b, 1 };
    float grid[2][3];
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 3; ++j)
            grid[i][j] = big[i][j] + Table[(id.y + i) & 3];
    Derived copies[2];
    copies[0] = d; copies[1] = SharedItems[lane]; copies[id.x & 1].tint[1].y = a;
    if (d.mode == Multiply)
        d.tint[0] *= twice(grid[id.x & 1][id.y % 3]);
    else
        d.flags = d.flags.zyx;
    Side side = id.z > 3 ? Side::Left : Side::Right;
    d.weight = A::B::f(inner) + (uint)side + Counter + copies[id.z & 1].tint[1].y;
    SharedItems[lane ^ 1] = d;
    GroupMemoryBarrierWithGroupSync();
    int64_t big2 = (int64_t)id.x << 33;
    Raw.Store<int64_t>(8 * id.x, big2 + copies[0].mode);
    Items[id.x] = SharedItems[lane];
}
