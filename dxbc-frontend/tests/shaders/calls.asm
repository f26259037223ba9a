ps_5_0
dcl_globalFlags refactoringAllowed
dcl_constantbuffer CB0[2], immediateIndexed
dcl_function_body fb0
dcl_function_body fb1
dcl_function_table ft0 = {fb0}
dcl_function_table ft1 = {fb1}
dcl_interface_dynamicindexed fp0[2][1] = {ft0, ft1}
dcl_input_ps linear v0.x
dcl_input_ps constant v1.x
dcl_output o0.xyzw
dcl_temps 2
mov r0.x, cb0[1].y
fcall fp0[r0.x + 0][0]
switch v1.x
  case l(0)
  call label0
  break 
  case l(1)
  call label1
  break 
  default 
  call label2
  break 
endswitch 
mov o0.xyz, r0.xyzx
mov o0.w, r1.y
ret 
label label0
sqrt r1.x, v0.x
mov r0.xyz, r1.xyyx
ret 
label label1
mul r0.w, v0.x, l(1.442695)
exp r1.z, r0.w
mov r0.xyz, r1.yzyy
ret 
label label2
div r1.w, l(1.000000, 1.000000, 1.000000, 1.000000), v0.x
mov r0.xyz, r1.yywy
ret 
label fb0
mov r0.yz, this[r0.x + 0].yyxy
mul r0.y, cb[r0.z + 0][r0.y + 0].x, cb[r0.z + 0][r0.y + 0].x
mad r1.y, r0.y, v0.x, l(1.000000)
ret 
label fb1
mov r0.y, this[r0.x + 0].y
mov r0.x, this[r0.x + 0].x
mul r1.y, v0.x, cb[r0.x + 0][r0.y + 0].x
ret 
