;
; Input signature:
;
; Name                 Index   Mask Register SysValue  Format   Used
; -------------------- ----- ------ -------- -------- ------- ------
; SV_Position              0   xyzw        0      POS   float   xy  
; TEXCOORD                 0   xy          1     NONE   float   xy  
; ID                       0   x           2     NONE    uint       
;
;
; Output signature:
;
; Name                 Index   Mask Register SysValue  Format   Used
; -------------------- ----- ------ -------- -------- ------- ------
; SV_Target                0   xyzw        0   TARGET   float   xyzw
;
; shader debug name: 6b12cba62d8ec1a2bb18fcf5521af009.pdb
; shader hash: 6b12cba62d8ec1a2bb18fcf5521af009
;
; Pipeline Runtime Information: 
;
; Pixel Shader
; DepthOutput=0
; SampleFrequency=0
;
;
; Input signature:
;
; Name                 Index             InterpMode DynIdx
; -------------------- ----- ---------------------- ------
; SV_Position              0          noperspective       
; TEXCOORD                 0                 linear       
; ID                       0        nointerpolation       
;
; Output signature:
;
; Name                 Index             InterpMode DynIdx
; -------------------- ----- ---------------------- ------
; SV_Target                0                              
;
; Buffer Definitions:
;
; cbuffer C
; {
;
;   struct C
;   {
;
;       float4 k;                                     ; Offset:    0
;       float2 uvs[3];                                ; Offset:   16
;       int n;                                        ; Offset:   56
;   
;   } C;                                              ; Offset:    0 Size:    60
;
; }
;
; Resource bind info for sb
; {
;
;   struct struct.S
;   {
;
;       float4 a;                                     ; Offset:    0
;       uint2 b;                                      ; Offset:   16
;   
;   } $Element;                                       ; Offset:    0 Size:    24
;
; }
;
;
; Resource Bindings:
;
; Name                                 Type  Format         Dim      ID      HLSL Bind  Count
; ------------------------------ ---------- ------- ----------- ------- -------------- ------
; C                                 cbuffer      NA          NA     CB0            cb0     1
; smp                               sampler      NA          NA      S0             s0     1
; tex                               texture     f32          2d      T0             t0     1
; sb                                texture  struct         r/o      T1             t1     1
; rw                                    UAV     f32          2d      U0      u0,space2     4
;
;
; ViewId state:
;
; Number of inputs: 9, outputs: 4
; Outputs dependent on ViewId: {  }
; Inputs contributing to computation of Outputs:
;   output 0 depends on inputs: { 4, 5 }
;   output 1 depends on inputs: { 4, 5 }
;   output 2 depends on inputs: { 4, 5 }
;   output 3 depends on inputs: { 4, 5 }
;
target datalayout = "e-m:e-p:32:32-i1:32-i8:32-i16:32-i32:32-i64:64-f16:32-f32:32-f64:64-n8:16:32:64"
target triple = "dxil-ms-dx"

%dx.types.Handle = type { i8* }
%dx.types.CBufRet.i32 = type { i32, i32, i32, i32 }
%dx.types.CBufRet.f32 = type { float, float, float, float }
%dx.types.ResRet.f32 = type { float, float, float, float, i32 }
%"class.Texture2D<vector<float, 4> >" = type { <4 x float>, %"class.Texture2D<vector<float, 4> >::mips_type" }
%"class.Texture2D<vector<float, 4> >::mips_type" = type { i32 }
%"class.StructuredBuffer<S>" = type { %struct.S }
%struct.S = type { <4 x float>, <2 x i32> }
%"class.RWTexture2D<float>" = type { float }
%C = type { <4 x float>, [3 x <2 x float>], i32 }
%struct.SamplerState = type { i32 }

@dx.nothing.a = internal constant [1 x i32] zeroinitializer

define void @main() {
  %sb_texture_structbuf = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 0, i32 1, i32 1, i1 false), !dbg !113 ; line:8 col:37  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %tex_texture_2d = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 0, i32 0, i32 0, i1 false), !dbg !113 ; line:8 col:37  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %smp_sampler = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 3, i32 0, i32 0, i1 false), !dbg !113 ; line:8 col:37  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %C_cbuffer = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 2, i32 0, i32 0, i1 false), !dbg !113 ; line:8 col:37  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %1 = call float @dx.op.loadInput.f32(i32 4, i32 1, i32 0, i8 0, i32 undef)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  call void @llvm.dbg.value(metadata float %1, i64 0, metadata !117, metadata !118), !dbg !119 ; var:"uv" !DIExpression(DW_OP_bit_piece, 0, 32) func:"main"
  %2 = call float @dx.op.loadInput.f32(i32 4, i32 1, i32 0, i8 1, i32 undef)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  call void @llvm.dbg.value(metadata float %2, i64 0, metadata !117, metadata !120), !dbg !119 ; var:"uv" !DIExpression(DW_OP_bit_piece, 32, 32) func:"main"
  %3 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 0, i32 undef)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  call void @llvm.dbg.value(metadata float %3, i64 0, metadata !121, metadata !118), !dbg !122 ; var:"p" !DIExpression(DW_OP_bit_piece, 0, 32) func:"main"
  %4 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 1, i32 undef)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  call void @llvm.dbg.value(metadata float %1, i64 0, metadata !117, metadata !118), !dbg !119 ; var:"uv" !DIExpression(DW_OP_bit_piece, 0, 32) func:"main"
  call void @llvm.dbg.value(metadata float %2, i64 0, metadata !117, metadata !120), !dbg !119 ; var:"uv" !DIExpression(DW_OP_bit_piece, 32, 32) func:"main"
  call void @llvm.dbg.value(metadata float %3, i64 0, metadata !121, metadata !118), !dbg !122 ; var:"p" !DIExpression(DW_OP_bit_piece, 0, 32) func:"main"
  call void @llvm.dbg.value(metadata float %4, i64 0, metadata !121, metadata !120), !dbg !122 ; var:"p" !DIExpression(DW_OP_bit_piece, 32, 32) func:"main"
  %5 = load i32, i32* getelementptr inbounds ([1 x i32], [1 x i32]* @dx.nothing.a, i32 0, i32 0), !dbg !123 ; line:7 col:9
  call void @llvm.dbg.value(metadata <4 x float> zeroinitializer, i64 0, metadata !124, metadata !125), !dbg !123 ; var:"s" !DIExpression() func:"main"
  %6 = load i32, i32* getelementptr inbounds ([1 x i32], [1 x i32]* @dx.nothing.a, i32 0, i32 0), !dbg !126 ; line:8 col:11
  call void @llvm.dbg.value(metadata i32 0, i64 0, metadata !127, metadata !125), !dbg !126 ; var:"j" !DIExpression() func:"main"
  %7 = call %dx.types.CBufRet.i32 @dx.op.cbufferLoadLegacy.i32(i32 59, %dx.types.Handle %C_cbuffer, i32 3), !dbg !128 ; line:8 col:22  ; CBufferLoadLegacy(handle,regIndex)
  %8 = extractvalue %dx.types.CBufRet.i32 %7, 2, !dbg !128 ; line:8 col:22
  %9 = icmp slt i32 0, %8, !dbg !129 ; line:8 col:20
  br i1 %9, label %.lr.ph, label %43, !dbg !130 ; line:8 col:2

.lr.ph:                                           ; preds = %0
  br label %10, !dbg !130 ; line:8 col:2

; <label>:10                                      ; preds = %35, %.lr.ph
  %s.0.i0 = phi float [ 0.000000e+00, %.lr.ph ], [ %.i0, %35 ]
  %s.0.i1 = phi float [ 0.000000e+00, %.lr.ph ], [ %.i1, %35 ]
  %s.0.i2 = phi float [ 0.000000e+00, %.lr.ph ], [ %.i2, %35 ]
  %s.0.i3 = phi float [ 0.000000e+00, %.lr.ph ], [ %.i3, %35 ]
  %j.0 = phi i32 [ 0, %.lr.ph ], [ %36, %35 ]
  call void @llvm.dbg.value(metadata i32 %j.0, i64 0, metadata !127, metadata !125), !dbg !126 ; var:"j" !DIExpression() func:"main"
  call void @llvm.dbg.value(metadata float %s.0.i0, i64 0, metadata !124, metadata !118), !dbg !123 ; var:"s" !DIExpression(DW_OP_bit_piece, 0, 32) func:"main"
  call void @llvm.dbg.value(metadata float %s.0.i1, i64 0, metadata !124, metadata !120), !dbg !123 ; var:"s" !DIExpression(DW_OP_bit_piece, 32, 32) func:"main"
  call void @llvm.dbg.value(metadata float %s.0.i2, i64 0, metadata !124, metadata !131), !dbg !123 ; var:"s" !DIExpression(DW_OP_bit_piece, 64, 32) func:"main"
  call void @llvm.dbg.value(metadata float %s.0.i3, i64 0, metadata !124, metadata !132), !dbg !123 ; var:"s" !DIExpression(DW_OP_bit_piece, 96, 32) func:"main"
  %11 = call %dx.types.CBufRet.f32 @dx.op.cbufferLoadLegacy.f32(i32 59, %dx.types.Handle %C_cbuffer, i32 0), !dbg !133 ; line:8 col:58  ; CBufferLoadLegacy(handle,regIndex)
  %12 = extractvalue %dx.types.CBufRet.f32 %11, 0, !dbg !133 ; line:8 col:58
  %13 = extractvalue %dx.types.CBufRet.f32 %11, 1, !dbg !133 ; line:8 col:58
  %.i02 = fmul fast float %1, %12, !dbg !134 ; line:8 col:56
  %.i13 = fmul fast float %2, %13, !dbg !134 ; line:8 col:56
  %14 = mul i32 %j.0, 1, !dbg !135 ; line:8 col:65
  %15 = add i32 1, %14, !dbg !135 ; line:8 col:65
  %16 = call %dx.types.CBufRet.f32 @dx.op.cbufferLoadLegacy.f32(i32 59, %dx.types.Handle %C_cbuffer, i32 %15), !dbg !135 ; line:8 col:65  ; CBufferLoadLegacy(handle,regIndex)
  %17 = extractvalue %dx.types.CBufRet.f32 %16, 0, !dbg !135 ; line:8 col:65
  %18 = extractvalue %dx.types.CBufRet.f32 %16, 1, !dbg !135 ; line:8 col:65
  %.i04 = fadd fast float %.i02, %17, !dbg !136 ; line:8 col:63
  %.i15 = fadd fast float %.i13, %18, !dbg !136 ; line:8 col:63
  %19 = call %dx.types.ResRet.f32 @dx.op.sample.f32(i32 60, %dx.types.Handle %tex_texture_2d, %dx.types.Handle %smp_sampler, float %.i04, float %.i15, float undef, float undef, i32 0, i32 0, i32 undef, float undef), !dbg !113 ; line:8 col:37  ; Sample(srv,sampler,coord0,coord1,coord2,coord3,offset0,offset1,offset2,clamp)
  %20 = extractvalue %dx.types.ResRet.f32 %19, 0, !dbg !113 ; line:8 col:37
  %21 = extractvalue %dx.types.ResRet.f32 %19, 1, !dbg !113 ; line:8 col:37
  %22 = extractvalue %dx.types.ResRet.f32 %19, 2, !dbg !113 ; line:8 col:37
  %23 = extractvalue %dx.types.ResRet.f32 %19, 3, !dbg !113 ; line:8 col:37
  %24 = call %dx.types.ResRet.f32 @dx.op.bufferLoad.f32(i32 68, %dx.types.Handle %sb_texture_structbuf, i32 %j.0, i32 0), !dbg !137 ; line:8 col:81  ; BufferLoad(srv,index,wot)
  %25 = extractvalue %dx.types.ResRet.f32 %24, 0, !dbg !137 ; line:8 col:81
  %26 = extractvalue %dx.types.ResRet.f32 %24, 1, !dbg !137 ; line:8 col:81
  %27 = extractvalue %dx.types.ResRet.f32 %24, 2, !dbg !137 ; line:8 col:81
  %28 = extractvalue %dx.types.ResRet.f32 %24, 3, !dbg !137 ; line:8 col:81
  %.i06 = fmul fast float %20, %25, !dbg !138 ; line:8 col:73
  %.i17 = fmul fast float %21, %26, !dbg !138 ; line:8 col:73
  %.i28 = fmul fast float %22, %27, !dbg !138 ; line:8 col:73
  %.i39 = fmul fast float %23, %28, !dbg !138 ; line:8 col:73
  %.i0 = fadd fast float %s.0.i0, %.i06, !dbg !139 ; line:8 col:34
  %.i1 = fadd fast float %s.0.i1, %.i17, !dbg !139 ; line:8 col:34
  %.i2 = fadd fast float %s.0.i2, %.i28, !dbg !139 ; line:8 col:34
  %.i3 = fadd fast float %s.0.i3, %.i39, !dbg !139 ; line:8 col:34
  %29 = load i32, i32* getelementptr inbounds ([1 x i32], [1 x i32]* @dx.nothing.a, i32 0, i32 0), !dbg !139 ; line:8 col:34
  call void @llvm.dbg.value(metadata float %.i0, i64 0, metadata !124, metadata !118), !dbg !123 ; var:"s" !DIExpression(DW_OP_bit_piece, 0, 32) func:"main"
  call void @llvm.dbg.value(metadata float %.i1, i64 0, metadata !124, metadata !120), !dbg !123 ; var:"s" !DIExpression(DW_OP_bit_piece, 32, 32) func:"main"
  call void @llvm.dbg.value(metadata float %.i2, i64 0, metadata !124, metadata !131), !dbg !123 ; var:"s" !DIExpression(DW_OP_bit_piece, 64, 32) func:"main"
  call void @llvm.dbg.value(metadata float %.i3, i64 0, metadata !124, metadata !132), !dbg !123 ; var:"s" !DIExpression(DW_OP_bit_piece, 96, 32) func:"main"
  %30 = fcmp fast ogt float %.i0, 4.000000e+00, !dbg !140 ; line:8 col:92
  %31 = icmp ne i1 %30, false, !dbg !140 ; line:8 col:92
  %32 = icmp ne i1 %31, false, !dbg !140 ; line:8 col:92
  br i1 %32, label %33, label %34, !dbg !142 ; line:8 col:88

; <label>:33                                      ; preds = %10
  br label %._crit_edge, !dbg !143 ; line:8 col:97

; <label>:34                                      ; preds = %10
  br label %35, !dbg !144 ; line:8 col:104

; <label>:35                                      ; preds = %34
  %36 = add nsw i32 %j.0, 1, !dbg !145 ; line:8 col:26
  %37 = load i32, i32* getelementptr inbounds ([1 x i32], [1 x i32]* @dx.nothing.a, i32 0, i32 0), !dbg !145 ; line:8 col:26
  call void @llvm.dbg.value(metadata i32 %36, i64 0, metadata !127, metadata !125), !dbg !126 ; var:"j" !DIExpression() func:"main"
  %38 = call %dx.types.CBufRet.i32 @dx.op.cbufferLoadLegacy.i32(i32 59, %dx.types.Handle %C_cbuffer, i32 3), !dbg !128 ; line:8 col:22  ; CBufferLoadLegacy(handle,regIndex)
  %39 = extractvalue %dx.types.CBufRet.i32 %38, 2, !dbg !128 ; line:8 col:22
  %40 = icmp slt i32 %36, %39, !dbg !129 ; line:8 col:20
  %41 = icmp ne i1 %40, false, !dbg !129 ; line:8 col:20
  %42 = icmp ne i1 %41, false, !dbg !130 ; line:8 col:2
  br i1 %42, label %10, label %._crit_edge.1, !dbg !130 ; line:8 col:2

._crit_edge:                                      ; preds = %33
  %.i3.lcssa = phi float [ %.i3, %33 ]
  %.i2.lcssa = phi float [ %.i2, %33 ]
  %.i1.lcssa = phi float [ %.i1, %33 ]
  %.i0.lcssa = phi float [ %.i0, %33 ]
  br label %43, !dbg !143 ; line:8 col:97

._crit_edge.1:                                    ; preds = %35
  %.i3.lcssa20 = phi float [ %.i3, %35 ]
  %.i2.lcssa19 = phi float [ %.i2, %35 ]
  %.i1.lcssa18 = phi float [ %.i1, %35 ]
  %.i0.lcssa17 = phi float [ %.i0, %35 ]
  br label %43, !dbg !130 ; line:8 col:2

; <label>:43                                      ; preds = %._crit_edge.1, %._crit_edge, %0
  %s.1.i0 = phi float [ %.i0.lcssa, %._crit_edge ], [ %.i0.lcssa17, %._crit_edge.1 ], [ 0.000000e+00, %0 ]
  %s.1.i1 = phi float [ %.i1.lcssa, %._crit_edge ], [ %.i1.lcssa18, %._crit_edge.1 ], [ 0.000000e+00, %0 ]
  %s.1.i2 = phi float [ %.i2.lcssa, %._crit_edge ], [ %.i2.lcssa19, %._crit_edge.1 ], [ 0.000000e+00, %0 ]
  %s.1.i3 = phi float [ %.i3.lcssa, %._crit_edge ], [ %.i3.lcssa20, %._crit_edge.1 ], [ 0.000000e+00, %0 ]
  call void @llvm.dbg.value(metadata float %s.1.i0, i64 0, metadata !124, metadata !118), !dbg !123 ; var:"s" !DIExpression(DW_OP_bit_piece, 0, 32) func:"main"
  call void @llvm.dbg.value(metadata float %s.1.i1, i64 0, metadata !124, metadata !120), !dbg !123 ; var:"s" !DIExpression(DW_OP_bit_piece, 32, 32) func:"main"
  call void @llvm.dbg.value(metadata float %s.1.i2, i64 0, metadata !124, metadata !131), !dbg !123 ; var:"s" !DIExpression(DW_OP_bit_piece, 64, 32) func:"main"
  call void @llvm.dbg.value(metadata float %s.1.i3, i64 0, metadata !124, metadata !132), !dbg !123 ; var:"s" !DIExpression(DW_OP_bit_piece, 96, 32) func:"main"
  %44 = fptoui float %3 to i32, !dbg !146 ; line:9 col:8
  %45 = fptoui float %4 to i32, !dbg !146 ; line:9 col:8
  %rw_UAV_2d = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 0, i32 2, i1 false), !dbg !147 ; line:9 col:2  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  call void @dx.op.textureStore.f32(i32 67, %dx.types.Handle %rw_UAV_2d, i32 %44, i32 %45, i32 undef, float %s.1.i1, float %s.1.i1, float %s.1.i1, float %s.1.i1, i8 15), !dbg !148 ; line:9 col:21  ; TextureStore(srv,coord0,coord1,coord2,value0,value1,value2,value3,mask)
  %46 = load i32, i32* getelementptr inbounds ([1 x i32], [1 x i32]* @dx.nothing.a, i32 0, i32 0), !dbg !149 ; line:10 col:2
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 0, float %s.1.i0), !dbg !149 ; line:10 col:2  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 1, float %s.1.i1), !dbg !149 ; line:10 col:2  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 2, float %s.1.i2), !dbg !149 ; line:10 col:2  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 3, float %s.1.i3), !dbg !149 ; line:10 col:2  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  ret void, !dbg !149 ; line:10 col:2
}

; Function Attrs: nounwind readnone
declare void @llvm.dbg.value(metadata, i64, metadata, metadata) #0

; Function Attrs: nounwind readnone
declare float @dx.op.loadInput.f32(i32, i32, i32, i8, i32) #0

; Function Attrs: nounwind
declare void @dx.op.storeOutput.f32(i32, i32, i32, i8, float) #1

; Function Attrs: nounwind readonly
declare %dx.types.ResRet.f32 @dx.op.sample.f32(i32, %dx.types.Handle, %dx.types.Handle, float, float, float, float, i32, i32, i32, float) #2

; Function Attrs: nounwind
declare void @dx.op.textureStore.f32(i32, %dx.types.Handle, i32, i32, i32, float, float, float, float, i8) #1

; Function Attrs: nounwind readonly
declare %dx.types.CBufRet.f32 @dx.op.cbufferLoadLegacy.f32(i32, %dx.types.Handle, i32) #2

; Function Attrs: nounwind readonly
declare %dx.types.CBufRet.i32 @dx.op.cbufferLoadLegacy.i32(i32, %dx.types.Handle, i32) #2

; Function Attrs: nounwind readonly
declare %dx.types.Handle @dx.op.createHandle(i32, i8, i32, i32, i1) #2

; Function Attrs: nounwind readonly
declare %dx.types.ResRet.f32 @dx.op.bufferLoad.f32(i32, %dx.types.Handle, i32, i32) #2

attributes #0 = { nounwind readnone }
attributes #1 = { nounwind }
attributes #2 = { nounwind readonly }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!66, !67}
!llvm.ident = !{!68}
!dx.source.contents = !{!69}
!dx.source.defines = !{!2}
!dx.source.mainFileName = !{!70}
!dx.source.args = !{!71}
!dx.version = !{!72}
!dx.valver = !{!73}
!dx.shaderModel = !{!74}
!dx.resources = !{!75}
!dx.typeAnnotations = !{!87, !97}
!dx.viewIdState = !{!100}
!dx.entryPoints = !{!101}

!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, producer: "dxc(private) 1.7.0.4006 (69e54e290)", isOptimized: false, runtimeVersion: 0, emissionKind: 1, enums: !2, retainedTypes: !3, subprograms: !14, globals: !36)
!1 = !DIFile(filename: "pixel.hlsl", directory: "")
!2 = !{}
!3 = !{!4}
!4 = !DIDerivedType(tag: DW_TAG_typedef, name: "uint2", file: !1, line: 9, baseType: !5)
!5 = !DICompositeType(tag: DW_TAG_class_type, name: "vector<unsigned int, 2>", file: !1, line: 9, size: 64, align: 32, elements: !6, templateParams: !10)
!6 = !{!7, !9}
!7 = !DIDerivedType(tag: DW_TAG_member, name: "x", scope: !5, file: !1, line: 9, baseType: !8, size: 32, align: 32, flags: DIFlagPublic)
!8 = !DIBasicType(name: "unsigned int", size: 32, align: 32, encoding: DW_ATE_unsigned)
!9 = !DIDerivedType(tag: DW_TAG_member, name: "y", scope: !5, file: !1, line: 9, baseType: !8, size: 32, align: 32, offset: 32, flags: DIFlagPublic)
!10 = !{!11, !12}
!11 = !DITemplateTypeParameter(name: "element", type: !8)
!12 = !DITemplateValueParameter(name: "element_count", type: !13, value: i32 2)
!13 = !DIBasicType(name: "int", size: 32, align: 32, encoding: DW_ATE_signed)
!14 = !{!15}
!15 = !DISubprogram(name: "main", scope: !1, file: !1, line: 6, type: !16, isLocal: false, isDefinition: true, scopeLine: 6, flags: DIFlagPrototyped, isOptimized: false, function: void ()* @main)
!16 = !DISubroutineType(types: !17)
!17 = !{!18, !18, !29, !35}
!18 = !DIDerivedType(tag: DW_TAG_typedef, name: "float4", file: !1, line: 2, baseType: !19)
!19 = !DICompositeType(tag: DW_TAG_class_type, name: "vector<float, 4>", file: !1, line: 2, size: 128, align: 32, elements: !20, templateParams: !26)
!20 = !{!21, !23, !24, !25}
!21 = !DIDerivedType(tag: DW_TAG_member, name: "x", scope: !19, file: !1, line: 2, baseType: !22, size: 32, align: 32, flags: DIFlagPublic)
!22 = !DIBasicType(name: "float", size: 32, align: 32, encoding: DW_ATE_float)
!23 = !DIDerivedType(tag: DW_TAG_member, name: "y", scope: !19, file: !1, line: 2, baseType: !22, size: 32, align: 32, offset: 32, flags: DIFlagPublic)
!24 = !DIDerivedType(tag: DW_TAG_member, name: "z", scope: !19, file: !1, line: 2, baseType: !22, size: 32, align: 32, offset: 64, flags: DIFlagPublic)
!25 = !DIDerivedType(tag: DW_TAG_member, name: "w", scope: !19, file: !1, line: 2, baseType: !22, size: 32, align: 32, offset: 96, flags: DIFlagPublic)
!26 = !{!27, !28}
!27 = !DITemplateTypeParameter(name: "element", type: !22)
!28 = !DITemplateValueParameter(name: "element_count", type: !13, value: i32 4)
!29 = !DIDerivedType(tag: DW_TAG_typedef, name: "float2", file: !1, line: 2, baseType: !30)
!30 = !DICompositeType(tag: DW_TAG_class_type, name: "vector<float, 2>", file: !1, line: 2, size: 64, align: 32, elements: !31, templateParams: !34)
!31 = !{!32, !33}
!32 = !DIDerivedType(tag: DW_TAG_member, name: "x", scope: !30, file: !1, line: 2, baseType: !22, size: 32, align: 32, flags: DIFlagPublic)
!33 = !DIDerivedType(tag: DW_TAG_member, name: "y", scope: !30, file: !1, line: 2, baseType: !22, size: 32, align: 32, offset: 32, flags: DIFlagPublic)
!34 = !{!27, !12}
!35 = !DIDerivedType(tag: DW_TAG_typedef, name: "uint", file: !1, line: 2, baseType: !8)
!36 = !{!37, !39, !44, !46, !50, !52, !60}
!37 = !DIGlobalVariable(name: "k", linkageName: "\01?k@C@@3V?$vector@M$03@@B", scope: !0, file: !1, line: 2, type: !38, isLocal: false, isDefinition: true)
!38 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !18)
!39 = !DIGlobalVariable(name: "uvs", linkageName: "\01?uvs@C@@3QBV?$vector@M$01@@B", scope: !0, file: !1, line: 2, type: !40, isLocal: false, isDefinition: true)
!40 = !DICompositeType(tag: DW_TAG_array_type, baseType: !41, size: 192, align: 32, elements: !42)
!41 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !29)
!42 = !{!43}
!43 = !DISubrange(count: 3)
!44 = !DIGlobalVariable(name: "n", linkageName: "\01?n@C@@3HB", scope: !0, file: !1, line: 2, type: !45, isLocal: false, isDefinition: true)
!45 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !13)
!46 = !DIGlobalVariable(name: "tex", linkageName: "\01?tex@@3V?$Texture2D@V?$vector@M$03@@@@A", scope: !0, file: !1, line: 1, type: !47, isLocal: false, isDefinition: true)
!47 = !DICompositeType(tag: DW_TAG_class_type, name: "Texture2D<vector<float, 4> >", file: !1, line: 1, size: 160, align: 32, elements: !2, templateParams: !48)
!48 = !{!49}
!49 = !DITemplateTypeParameter(name: "element", type: !19)
!50 = !DIGlobalVariable(name: "smp", linkageName: "\01?smp@@3USamplerState@@A", scope: !0, file: !1, line: 1, type: !51, isLocal: false, isDefinition: true)
!51 = !DICompositeType(tag: DW_TAG_structure_type, name: "SamplerState", file: !1, line: 1, size: 32, align: 32, elements: !2)
!52 = !DIGlobalVariable(name: "sb", linkageName: "\01?sb@@3V?$StructuredBuffer@US@@@@A", scope: !0, file: !1, line: 4, type: !53, isLocal: false, isDefinition: true)
!53 = !DICompositeType(tag: DW_TAG_class_type, name: "StructuredBuffer<S>", file: !1, line: 4, size: 192, align: 32, elements: !2, templateParams: !54)
!54 = !{!55}
!55 = !DITemplateTypeParameter(name: "element", type: !56)
!56 = !DICompositeType(tag: DW_TAG_structure_type, name: "S", file: !1, line: 3, size: 192, align: 32, elements: !57)
!57 = !{!58, !59}
!58 = !DIDerivedType(tag: DW_TAG_member, name: "a", scope: !56, file: !1, line: 3, baseType: !18, size: 128, align: 32)
!59 = !DIDerivedType(tag: DW_TAG_member, name: "b", scope: !56, file: !1, line: 3, baseType: !4, size: 64, align: 32, offset: 128)
!60 = !DIGlobalVariable(name: "rw", linkageName: "\01?rw@@3PAV?$RWTexture2D@M@@A", scope: !0, file: !1, line: 5, type: !61, isLocal: false, isDefinition: true)
!61 = !DICompositeType(tag: DW_TAG_array_type, baseType: !62, size: 128, align: 32, elements: !64)
!62 = !DICompositeType(tag: DW_TAG_class_type, name: "RWTexture2D<float>", file: !1, line: 5, size: 32, align: 32, elements: !2, templateParams: !63)
!63 = !{!27}
!64 = !{!65}
!65 = !DISubrange(count: 4)
!66 = !{i32 2, !"Dwarf Version", i32 4}
!67 = !{i32 2, !"Debug Info Version", i32 3}
!68 = !{!"dxc(private) 1.7.0.4006 (69e54e290)"}
!69 = !{!"pixel.hlsl", !"Texture2D<float4> tex : register(t0); SamplerState smp : register(s0);\0Acbuffer C : register(b0) { float4 k; float2 uvs[3]; int n; };\0Astruct S { float4 a; uint2 b; };\0AStructuredBuffer<S> sb : register(t1);\0ARWTexture2D<float> rw[4] : register(u0, space2);\0Afloat4 main(float4 p : SV_Position, float2 uv : TEXCOORD0, nointerpolation uint i : ID) : SV_Target {\0A float4 s = 0;\0A for (int j = 0; j < n; j++) { s += tex.Sample(smp, uv * k.xy + uvs[j]) * sb[j].a; if (s.x > 4) break; }\0A rw[2][uint2(p.xy)] = s.y;\0A return s;\0A}\0A"}
!70 = !{!"pixel.hlsl"}
!71 = !{!"-T", !"ps_6_0", !"-E", !"main", !"-Zi", !"-Qembed_debug", !"-Od"}
!72 = !{i32 1, i32 0}
!73 = !{i32 1, i32 7}
!74 = !{!"ps", i32 6, i32 0}
!75 = !{!76, !81, !83, !85}
!76 = !{!77, !79}
!77 = !{i32 0, %"class.Texture2D<vector<float, 4> >"* undef, !"tex", i32 0, i32 0, i32 1, i32 2, i32 0, !78}
!78 = !{i32 0, i32 9}
!79 = !{i32 1, %"class.StructuredBuffer<S>"* undef, !"sb", i32 0, i32 1, i32 1, i32 12, i32 0, !80}
!80 = !{i32 1, i32 24}
!81 = !{!82}
!82 = !{i32 0, [4 x %"class.RWTexture2D<float>"]* undef, !"rw", i32 2, i32 0, i32 4, i32 2, i1 false, i1 false, i1 false, !78}
!83 = !{!84}
!84 = !{i32 0, %C* undef, !"C", i32 0, i32 0, i32 1, i32 60, null}
!85 = !{!86}
!86 = !{i32 0, %struct.SamplerState* undef, !"smp", i32 0, i32 0, i32 1, i32 0, null}
!87 = !{i32 0, %"class.StructuredBuffer<S>" undef, !88, %struct.S undef, !90, %C undef, !93}
!88 = !{i32 24, !89}
!89 = !{i32 6, !"h", i32 3, i32 0}
!90 = !{i32 24, !91, !92}
!91 = !{i32 6, !"a", i32 3, i32 0, i32 7, i32 9}
!92 = !{i32 6, !"b", i32 3, i32 16, i32 7, i32 5}
!93 = !{i32 60, !94, !95, !96}
!94 = !{i32 6, !"k", i32 3, i32 0, i32 7, i32 9}
!95 = !{i32 6, !"uvs", i32 3, i32 16, i32 7, i32 9}
!96 = !{i32 6, !"n", i32 3, i32 56, i32 7, i32 4}
!97 = !{i32 1, void ()* @main, !98}
!98 = !{!99}
!99 = !{i32 0, !2, !2}
!100 = !{[11 x i32] [i32 9, i32 4, i32 0, i32 0, i32 0, i32 0, i32 15, i32 15, i32 0, i32 0, i32 0]}
!101 = !{void ()* @main, !"main", !102, !75, !112}
!102 = !{!103, !109, null}
!103 = !{!104, !107, !108}
!104 = !{i32 0, !"SV_Position", i8 9, i8 3, !105, i8 4, i32 1, i8 4, i32 0, i8 0, !106}
!105 = !{i32 0}
!106 = !{i32 3, i32 3}
!107 = !{i32 1, !"TEXCOORD", i8 9, i8 0, !105, i8 2, i32 1, i8 2, i32 1, i8 0, !106}
!108 = !{i32 2, !"ID", i8 5, i8 0, !105, i8 1, i32 1, i8 1, i32 2, i8 0, null}
!109 = !{!110}
!110 = !{i32 0, !"SV_Target", i8 9, i8 16, !105, i8 0, i32 1, i8 4, i32 0, i8 0, !111}
!111 = !{i32 3, i32 15}
!112 = !{i32 0, i64 17}
!113 = !DILocation(line: 8, column: 37, scope: !114)
!114 = distinct !DILexicalBlock(scope: !115, file: !1, line: 8, column: 30)
!115 = distinct !DILexicalBlock(scope: !116, file: !1, line: 8, column: 2)
!116 = distinct !DILexicalBlock(scope: !15, file: !1, line: 8, column: 2)
!117 = !DILocalVariable(tag: DW_TAG_arg_variable, name: "uv", arg: 2, scope: !15, file: !1, line: 6, type: !29)
!118 = !DIExpression(DW_OP_bit_piece, 0, 32)
!119 = !DILocation(line: 6, column: 44, scope: !15)
!120 = !DIExpression(DW_OP_bit_piece, 32, 32)
!121 = !DILocalVariable(tag: DW_TAG_arg_variable, name: "p", arg: 1, scope: !15, file: !1, line: 6, type: !18)
!122 = !DILocation(line: 6, column: 20, scope: !15)
!123 = !DILocation(line: 7, column: 9, scope: !15)
!124 = !DILocalVariable(tag: DW_TAG_auto_variable, name: "s", scope: !15, file: !1, line: 7, type: !18)
!125 = !DIExpression()
!126 = !DILocation(line: 8, column: 11, scope: !116)
!127 = !DILocalVariable(tag: DW_TAG_auto_variable, name: "j", scope: !116, file: !1, line: 8, type: !13)
!128 = !DILocation(line: 8, column: 22, scope: !115)
!129 = !DILocation(line: 8, column: 20, scope: !115)
!130 = !DILocation(line: 8, column: 2, scope: !116)
!131 = !DIExpression(DW_OP_bit_piece, 64, 32)
!132 = !DIExpression(DW_OP_bit_piece, 96, 32)
!133 = !DILocation(line: 8, column: 58, scope: !114)
!134 = !DILocation(line: 8, column: 56, scope: !114)
!135 = !DILocation(line: 8, column: 65, scope: !114)
!136 = !DILocation(line: 8, column: 63, scope: !114)
!137 = !DILocation(line: 8, column: 81, scope: !114)
!138 = !DILocation(line: 8, column: 73, scope: !114)
!139 = !DILocation(line: 8, column: 34, scope: !114)
!140 = !DILocation(line: 8, column: 92, scope: !141)
!141 = distinct !DILexicalBlock(scope: !114, file: !1, line: 8, column: 88)
!142 = !DILocation(line: 8, column: 88, scope: !114)
!143 = !DILocation(line: 8, column: 97, scope: !141)
!144 = !DILocation(line: 8, column: 104, scope: !114)
!145 = !DILocation(line: 8, column: 26, scope: !115)
!146 = !DILocation(line: 9, column: 8, scope: !15)
!147 = !DILocation(line: 9, column: 2, scope: !15)
!148 = !DILocation(line: 9, column: 21, scope: !15)
!149 = !DILocation(line: 10, column: 2, scope: !15)
