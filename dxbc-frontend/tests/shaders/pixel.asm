ps_4_1
dcl_globalFlags refactoringAllowed
dcl_sampler s0, mode_default
dcl_sampler s1, mode_comparison
dcl_resource_texture2d (float,float,float,float) t0
dcl_resource_texture2dms(0) (float,float,float,float) t1
dcl_resource_texture2darray (float,float,float,float) t2
dcl_input_ps linear v0.xy
dcl_input_ps constant v1.x
dcl_input_ps_siv linear noperspective v2.xy, position
dcl_input_ps_sgv constant v3.x, is_front_face
dcl_input_ps_sgv constant v3.y, sampleIndex
dcl_output o0.xyzw
dcl_temps 4
sample_aoffimmi(-3,7,0) r0.xyzw, v0.xyxx, t0.xyzw, s0
lt r1.x, r0.w, l(0.500000)
discard_nz r1.x
mov r1.xyzw, r0.xyzw
mov r2.x, l(0)
loop 
  ige r2.y, r2.x, v1.x
  breakc_nz r2.y
  lt r2.y, l(9.000000), r1.x
  if_nz r2.y
    sincos r2.y, null, r1.y
    iadd r2.z, r2.x, l(1)
    mov r1.y, r2.y
    mov r2.x, r2.z
    continue 
  endif 
  itof r2.y, r2.x
  add r2.yz, r2.yyyy, v0.xxyx
  sample_l r3.xyzw, r2.yzyy, t0.xyzw, s0, l(1.000000)
  mad r3.xyzw, r3.xyzw, -|r1.wwww|, r1.xyzw
  eq r2.y, r3.y, l(3.000000)
  if_nz r2.y
    mov r1.xyzw, r3.xyzw
    break 
  endif 
  mov r1.xyzw, r3.xyzw
  iadd r2.x, r2.x, l(1)
endloop 
switch v1.x
  case l(1)
  ftoi r0.xy, v2.xyxx
  mov r0.zw, l(0,0,0,0)
  ldms r0.xyzw, r0.xyzw, t1.xyzw, v3.y
  add r1.xyzw, r0.xyzw, r1.xyzw
  break 
  case l(2)
  mov r0.xy, v0.xyxx
  mov r0.z, l(2.000000)
  sample_c_lz r0.x, r0.xyzx, t2.xxxx, s1, l(0.250000)
  add r1.x, r0.x, r1.x
  break 
  default 
  gather4 r0.xyzw, v0.xyxx, t0.xyzw, s0.x
  add r1.xyzw, r0.xyzw, r1.xyzw
  break 
endswitch 
resinfo_uint r0.x, l(0), t0.xyzw
deriv_rtx r0.y, v0.x
lod r0.z, v0.xyxx, t0.x, s0
add r0.y, r0.z, r0.y
utof r0.x, r0.x
add r0.x, r0.x, r0.y
samplepos r0.xy, t1.yxxx, l(1)
add r0.x, r0.y, r0.x
add r1.z, r0.x, r1.z
sample_d r0.xyzw, v0.xyxx, t0.xyzw, s0, v0.yxyy, v0.xyxx
sample_b r2.xyzw, v0.xyxx, t0.xyzw, s0, l(0.500000)
add r0.xyzw, r0.xyzw, r2.xyzw
add r0.xyzw, r0.xyzw, r1.xyzw
mov_sat r1.xyzw, r0.xyzw
movc o0.xyzw, v3.xxxx, r1.xyzw, r0.xyzw
ret 
