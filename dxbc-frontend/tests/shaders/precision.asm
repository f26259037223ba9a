ps_5_0
dcl_globalFlags refactoringAllowed | enableMinimumPrecision
dcl_sampler s0, mode_default
dcl_resource_texture2d (float,float,float,float) t0
dcl_input_ps linear v0.xy {min16f}
dcl_input_ps constant v1.x {min16u}
dcl_input_ps linear centroid v2.xyzw
dcl_output o0.xyzw
dcl_temps 4
sample_indexable(texture2d)(float,float,float,float) r0.xyzw {min16f}, v0.xyxx {min16f}, t0.xyzw, s0
mad r0.xyzw {min16f}, r0.xyzw {min16f}, v0.xxxx {min16f}, l(0.250000, 0.250000, 0.250000, 0.250000) {def32 as min16f}
ishl r1.x {min16i}, v1.x {min16u as min16i}, l(2)
itof r2.x {min16f}, r1.x {min16i}
add r0.xyzw {min16f}, r0.xyzw {min16f}, r2.xxxx {min16f}
mul [precise(x)] r3.x, v2.y, v2.x
add [precise(x)] r3.x, r3.x, v2.z
add r0.xyzw, r0.xyzw {min16f as def32}, r3.xxxx
eval_sample_index r1.xyzw, v2.xyzw, l(1)
add r0.xyzw, r0.xyzw, r1.xyzw
eval_snapped r1.xyzw, v2.xyzw, l(-3, 4, 0, 0)
add o0.xyzw, r0.xyzw, r1.xyzw
ret 
