// Types of variables and of elements in `RDEF`, initial values.
// fxc: ps_5_0 main
struct Inner { float2 a; float b; };
struct Outer { Inner first; float x; Inner second[2]; row_major float2x3 m; };
cbuffer Frame : register(b0) {
    float4x4 project = float4x4(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);
    row_major int2x3 rows;
    float2 list[2] = { float2(1, 2), float2(3, 4) };
    bool flag = true;
    uint4 a_name_that_is_longer_than_the_column_of_offsets;
    float not_read;
    Outer outer;
    Outer outers[2];
};
cbuffer Narrow { min16float h; min10float t; min12int w; min16int i; min16uint u; double2 d; };
tbuffer Texels { float4 texel; };
StructuredBuffer<Outer> items;
RWStructuredBuffer<float3> out_ : register(u1);
float global = 2;

float4 main(uint n : N) : SV_Target {
    out_[n] = items[n].second[1].a.xyx;
    float4 sum = a_name_that_is_longer_than_the_column_of_offsets + outers[1].m[1].xyzz + list[1].x;
    sum += project[1] + rows[1][2] + outer.second[1].b + texel + global;
    return sum + (flag ? h + t : w + i + u) + (float)d.x;
}
