ds_5_0
dcl_input_control_point_count 3
dcl_tessellator_domain domain_tri
dcl_globalFlags refactoringAllowed
dcl_input vpc0.yzw
dcl_input vDomain.xyz
dcl_input vicp[3][0].xyz
dcl_input vicp[3][0].w
dcl_output_siv o0.xyzw, position
dcl_temps 2
mul r0.xyz, vDomain.yyyy, vicp[1][0].xyzx
mad r0.xyz, vicp[0][0].xyzx, vDomain.xxxx, r0.xyzx
mad r0.xyz, vicp[2][0].xyzx, vDomain.zzzz, r0.xyzx
add r1.xyz, -r0.xyzx, vpc0.yzwy
mad o0.xyz, vicp[0][0].wwww, r1.xyzx, r0.xyzx
mov o0.w, l(1.000000)
ret 
