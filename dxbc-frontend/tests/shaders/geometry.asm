gs_5_0
dcl_globalFlags refactoringAllowed
dcl_input_siv v[2][0].xyzw, position
dcl_input v[2][1].xy
dcl_input vGSInstanceID
dcl_input vPrim
dcl_temps 1
dcl_gsinstances 2
dcl_inputprimitive line 
dcl_stream m0
dcl_outputtopology pointlist 
dcl_output_siv o0.xyzw, position
dcl_output o1.xy
dcl_stream m1
dcl_outputtopology pointlist 
dcl_output o0.x
dcl_maxout 4
utof r0.x, vGSInstanceID.x
mov r0.y, l(0)
loop 
  uge r0.z, r0.y, l(2)
  breakc_nz r0.z
  mul r0.zw, r0.xxxx, v[r0.y + 0][1].xxxy
  mov o0.xyzw, v[r0.y + 0][0].xyzw
  mov o1.xy, r0.zwzz
  emit_stream m0
  iadd r0.y, r0.y, l(1)
endloop 
cut_stream m0
utof r0.x, vPrim
add r0.x, r0.x, v[0][0].x
mov o0.x, r0.x
emit_stream m1
ret 
