cs_5_0
dcl_globalFlags refactoringAllowed | enableDoublePrecisionFloatOps
dcl_immediateConstantBuffer { { 1.000000, 0, 0, 0},
                              { 0.500000, 0, 0, 0},
                              { 2999999894026671207801419726848.000000, 0, 0, 0},
                              { -2.000000, 0, 0, 0},
                              { 0, 0, 0, 0} }
dcl_resource_structured t0, 16
dcl_resource_raw t1
dcl_resource_buffer (float,float,float,float) t2
dcl_uav_structured u0, 4
dcl_uav_raw u1
dcl_uav_structured u2, 16
dcl_uav_typed_texture3d_glc (uint,uint,uint,uint) u3
dcl_input vThreadIDInGroupFlattened
dcl_input vThreadGroupID.x
dcl_input vThreadID.xyz
dcl_temps 3
dcl_tgsm_structured g0, 4, 64
dcl_tgsm_structured g1, 12, 32
dcl_thread_group 32, 2, 1
ld_structured_indexable(structured_buffer, stride=16)(mixed,mixed,mixed,mixed) r0.xyzw, vThreadID.x, l(0), t0.xyzw
store_structured g0.x, vThreadIDInGroupFlattened.x, l(0), l(0)
sync_g_t
and r1.x, r0.x, l(63)
mov r1.yw, l(0,0,0,0)
imm_atomic_iadd r2.x, g0, r1.xyxx, l(1)
mov r1.z, vThreadID.x
imm_atomic_cmp_exch r1.x, u0, r1.zwzz, r2.x, l(7)
countbits r1.y, r1.x
firstbit_hi r1.z, r0.x
iadd r1.z, -r1.z, l(31)
movc r1.z, r0.x, r1.z, l(-1)
iadd r1.y, r1.z, r1.y
atomic_umax u3, vThreadID.xyzx, r1.y
and r1.y, vThreadIDInGroupFlattened.x, l(31)
udiv null, r1.z, r1.x, l(5)
mul r1.z, r0.y, icb[r1.z + 0].x
store_structured g1.x, r1.y, l(0), r1.z
sync_uglobal_g_t
ld_raw_indexable(raw_buffer)(mixed,mixed,mixed,mixed) r1.zw, l(4), t1.xxxy
ishl r1.y, vThreadID.x, l(3)
bfrev r2.x, r1.x
dmul r1.zw, r1.zwzw, r1.zwzw
dadd r1.zw, r1.zwzw, d(0.000000l, 1.500000l)
dtof r1.z, r1.zwzw
f32tof16 r2.y, r1.z
store_raw u1.xy, r1.y, r2.xyxx
udiv r1.x, null, r1.x, l(3)
ult r1.x, vThreadGroupID.x, r1.x
if_nz r1.x
  imm_atomic_alloc r1.x, u2
  store_structured u2.xyzw, r1.x, l(0), r0.xyzw
endif 
ld_structured r0.x, l(0), l(0), g1.xxxx
ld_indexable(buffer)(float,float,float,float) r0.y, vThreadID.xxxx, t2.xwyz
add r0.x, r0.y, r0.x
ld_structured r0.y, l(63), l(0), g0.xxxx
iadd r0.x, r0.y, r0.x
store_structured u0.x, vThreadID.y, l(0), r0.x
store_uav_typed u3.xyzw, vThreadID.zyxx, l(0.000000,0.000000,0.000000,0.000000)
ret 
