hs_5_0
hs_decls 
dcl_input_control_point_count 3
dcl_output_control_point_count 3
dcl_tessellator_domain domain_tri
dcl_tessellator_partitioning partitioning_fractional_odd
dcl_tessellator_output_primitive output_triangle_cw
dcl_globalFlags refactoringAllowed
hs_control_point_phase 
dcl_input vOutputControlPointID
dcl_input v[3][0].xyz
dcl_input v[3][0].w
dcl_output o0.xyz
dcl_output o0.w
dcl_temps 1
iadd r0.x, vOutputControlPointID, l(1)
udiv null, r0.x, r0.x, l(3)
mov r0.y, vOutputControlPointID
add o0.w, v[r0.x + 0][0].w, v[r0.y + 0][0].w
mov o0.xyz, v[r0.y + 0][0].xyzx
ret 
hs_fork_phase 
dcl_hs_fork_phase_instance_count 3
dcl_input vForkInstanceID
dcl_input vicp[3][0].w
dcl_output_siv o0.x, finalTriUeq0EdgeTessFactor
dcl_output_siv o1.x, finalTriVeq0EdgeTessFactor
dcl_output_siv o2.x, finalTriWeq0EdgeTessFactor
dcl_temps 1
dcl_indexrange o0.x 3
mov r0.x, vForkInstanceID.x
add r0.y, vicp[r0.x + 0][0].w, vicp[r0.x + 0][0].w
mov o[r0.x + 0].x, r0.y
ret 
hs_fork_phase 
dcl_input vPrim
dcl_output_siv o3.x, finalTriInsideTessFactor
utof o3.x, vPrim
ret 
hs_fork_phase 
dcl_input vicp[3][0].x
dcl_output o0.y
dcl_temps 1
add r0.x, vicp[1][0].x, vicp[0][0].x
add r0.x, r0.x, vicp[2][0].x
mul o0.y, r0.x, l(0.333333)
ret 
hs_fork_phase 
dcl_input vicp[3][0].y
dcl_output o0.z
dcl_temps 1
add r0.x, vicp[1][0].y, vicp[0][0].y
add r0.x, r0.x, vicp[2][0].y
mul o0.z, r0.x, l(0.333333)
ret 
hs_fork_phase 
dcl_input vicp[3][0].z
dcl_output o0.w
dcl_temps 1
add r0.x, vicp[1][0].z, vicp[0][0].z
add r0.x, r0.x, vicp[2][0].z
mul o0.w, r0.x, l(0.333333)
ret 
