vs_4_0
dcl_constantbuffer CB1[36], dynamicIndexed
dcl_input v0.xyz
dcl_input v1.xy
dcl_input_sgv v2.x, vertex_id
dcl_input_sgv v3.x, instance_id
dcl_output_siv o0.xyzw, position
dcl_output o1.xyzw
dcl_output_siv o2.x, clip_distance
dcl_temps 3
dcl_indexableTemp x0[4], 4
utof r0.x, v2.x
mul r0.x, r0.x, cb1[32].x
mov x0[0].x, r0.x
iadd r0.xyz, v2.xxxx, l(1, 2, 3, 0)
utof r0.xyz, r0.xyzx
mul r0.x, r0.x, cb1[33].x
mov x0[1].x, r0.x
mul r0.x, r0.y, cb1[34].x
mul r0.y, r0.z, cb1[35].x
mov x0[2].x, r0.x
mov x0[3].x, r0.y
and r0.x, v3.x, l(3)
mov r0.x, x0[r0.x + 0].x
ishl r0.y, v1.y, l(2)
and r0.y, r0.y, l(28)
mov r1.xyz, v0.xyzx
mov r1.w, l(1.000000)
dp4 r2.x, r1.xyzw, cb1[r0.y + 0].xyzw
dp4 r2.y, r1.xyzw, cb1[r0.y + 1].xyzw
dp4 r2.z, r1.xyzw, cb1[r0.y + 2].xyzw
dp4 r2.w, r1.xyzw, cb1[r0.y + 3].xyzw
mul o0.xyzw, r0.xxxx, r2.xyzw
and r0.x, v1.x, l(3)
mov o1.xyzw, cb1[r0.x + 32].xyzw
mov o2.x, v0.y
ret 
