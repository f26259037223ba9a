ps_5_1
dcl_globalFlags refactoringAllowed
dcl_constantbuffer CB0[1:3][2], dynamicIndexed, space=1
dcl_sampler S0[1:4], mode_default, space=0
dcl_resource_texture2d (float,float,float,float) T0[3:*], space=2
dcl_uav_typed_texture2d_rov (float,float,float,float) U0[1:1], space=0
dcl_input_ps linear v0.xy
dcl_input_ps constant v1.x
dcl_output o0.xyzw
dcl_temps 2
mov r0.x, v1.x
mov r0.y, CB0[r0.x + 1][1].x
sample r0.xyzw, v0.xyxx, T0[r0.x + 3].xyzw { nonuniform }, S0[r0.y + 1]
ftou r1.xyzw, v0.xyyy
store_uav_typed U0[1].xyzw, r1.xyzw, r0.xyzw
mul o0.xyzw, r0.xyzw, CB0[3][0].xyzw
ret 
