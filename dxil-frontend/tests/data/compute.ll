;
; Note: shader requires additional functionality:
;       Wave level operations
;
;
; Input signature:
;
; Name                 Index   Mask Register SysValue  Format   Used
; -------------------- ----- ------ -------- -------- ------- ------
; no parameters
;
; Output signature:
;
; Name                 Index   Mask Register SysValue  Format   Used
; -------------------- ----- ------ -------- -------- ------- ------
; no parameters
; shader hash: b5e7bcae009f11cd1158f3acb75511f0
;
; Pipeline Runtime Information: 
;
; Compute Shader
; NumThreads=(8,4,2)
;
;
; Buffer Definitions:
;
; Resource bind info for o
; {
;
;   struct struct.S
;   {
;
;       float3 a;                                     ; Offset:    0
;       uint b;                                       ; Offset:   12
;   
;   } $Element;                                       ; Offset:    0 Size:    16
;
; }
;
;
; Resource Bindings:
;
; Name                                 Type  Format         Dim      ID      HLSL Bind  Count
; ------------------------------ ---------- ------- ----------- ------- -------------- ------
; i                                 texture    byte         r/o      T0             t0     1
; o                                     UAV  struct         r/w      U0             u0     1
; g                                     UAVunorm_f32          3d      U1             u1     1
;
target datalayout = "e-m:e-p:32:32-i1:32-i8:32-i16:32-i32:32-i64:64-f16:32-f32:32-f64:64-n8:16:32:64"
target triple = "dxil-ms-dx"

%dx.types.Handle = type { i8* }
%dx.types.ResRet.i32 = type { i32, i32, i32, i32, i32 }
%struct.ByteAddressBuffer = type { i32 }
%"class.RWStructuredBuffer<S>" = type { %struct.S }
%struct.S = type { <3 x float>, i32 }
%"class.RWTexture3D<vector<float, 2> >" = type { <2 x float> }

@"\01?sh@@3PAIA" = external addrspace(3) global [64 x i32], align 4
@tab = internal unnamed_addr constant [4 x float] [float 1.500000e+00, float 2.250000e+00, float 0x46293E5940000000, float 0x3FB99999A0000000], align 4

define void @main() {
  %1 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 1, i32 1, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %2 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 0, i32 0, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %3 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 0, i32 0, i32 0, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %4 = call i32 @dx.op.threadId.i32(i32 93, i32 0)  ; ThreadId(component)
  %5 = call i32 @dx.op.threadId.i32(i32 93, i32 1)  ; ThreadId(component)
  %6 = call i32 @dx.op.threadId.i32(i32 93, i32 2)  ; ThreadId(component)
  %7 = call i32 @dx.op.flattenedThreadIdInGroup.i32(i32 96)  ; FlattenedThreadIdInGroup()
  %8 = shl i32 %4, 2
  %9 = call %dx.types.ResRet.i32 @dx.op.bufferLoad.i32(i32 68, %dx.types.Handle %3, i32 %8, i32 undef)  ; BufferLoad(srv,index,wot)
  %10 = extractvalue %dx.types.ResRet.i32 %9, 0
  %11 = getelementptr [64 x i32], [64 x i32] addrspace(3)* @"\01?sh@@3PAIA", i32 0, i32 %7
  store i32 %10, i32 addrspace(3)* %11, align 4, !tbaa !15
  call void @dx.op.barrier(i32 80, i32 9)  ; Barrier(barrierMode)
  %12 = atomicrmw add i32 addrspace(3)* getelementptr inbounds ([64 x i32], [64 x i32] addrspace(3)* @"\01?sh@@3PAIA", i32 0, i32 0), i32 %7 seq_cst
  %13 = xor i32 %7, 1
  %14 = getelementptr [64 x i32], [64 x i32] addrspace(3)* @"\01?sh@@3PAIA", i32 0, i32 %13
  %15 = load i32, i32 addrspace(3)* %14, align 4, !tbaa !15
  %16 = and i32 %15, 3
  %17 = getelementptr inbounds [4 x float], [4 x float]* @tab, i32 0, i32 %16
  %18 = load float, float* %17, align 4, !tbaa !19
  call void @dx.op.bufferStore.f32(i32 69, %dx.types.Handle %2, i32 %4, i32 0, float %18, float %18, float %18, float undef, i8 7)  ; BufferStore(uav,coord0,coord1,value0,value1,value2,value3,mask)
  call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %2, i32 %4, i32 12, i32 %12, i32 undef, i32 undef, i32 undef, i8 1)  ; BufferStore(uav,coord0,coord1,value0,value1,value2,value3,mask)
  %19 = call float @dx.op.waveActiveOp.f32(i32 119, float %18, i8 0, i8 0)  ; WaveActiveOp(value,op,sop)
  %20 = call float @dx.op.waveActiveOp.f32(i32 119, float %18, i8 0, i8 0)  ; WaveActiveOp(value,op,sop)
  call void @dx.op.textureStore.f32(i32 67, %dx.types.Handle %1, i32 %4, i32 %5, i32 %6, float %19, float %20, float %19, float %19, i8 15)  ; TextureStore(srv,coord0,coord1,coord2,value0,value1,value2,value3,mask)
  %21 = icmp eq i32 %5, 3
  br i1 %21, label %22, label %25

; <label>:22                                      ; preds = %0
  %23 = cmpxchg i32 addrspace(3)* getelementptr inbounds ([64 x i32], [64 x i32] addrspace(3)* @"\01?sh@@3PAIA", i32 0, i32 5), i32 4, i32 2 seq_cst seq_cst
  %24 = extractvalue { i32, i1 } %23, 0
  br label %25

; <label>:25                                      ; preds = %22, %0
  %26 = phi i32 [ %24, %22 ], [ %12, %0 ]
  %27 = icmp eq i32 %26, 0
  br i1 %27, label %42, label %28

; <label>:28                                      ; preds = %25
  br label %29

; <label>:29                                      ; preds = %38, %28
  %30 = phi i32 [ %39, %38 ], [ 0, %28 ]
  %31 = getelementptr [64 x i32], [64 x i32] addrspace(3)* @"\01?sh@@3PAIA", i32 0, i32 %30
  %32 = load i32, i32 addrspace(3)* %31, align 4, !tbaa !15
  %33 = icmp eq i32 %32, 3
  br i1 %33, label %38, label %34

; <label>:34                                      ; preds = %29
  %35 = call %dx.types.ResRet.i32 @dx.op.bufferLoad.i32(i32 68, %dx.types.Handle %2, i32 %30, i32 12)  ; BufferLoad(srv,index,wot)
  %36 = extractvalue %dx.types.ResRet.i32 %35, 0
  %37 = add i32 %36, %30
  call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %2, i32 %30, i32 12, i32 %37, i32 undef, i32 undef, i32 undef, i8 1)  ; BufferStore(uav,coord0,coord1,value0,value1,value2,value3,mask)
  br label %38

; <label>:38                                      ; preds = %34, %29
  %39 = add nuw i32 %30, 1
  %40 = icmp eq i32 %39, %26
  br i1 %40, label %41, label %29, !llvm.loop !21

; <label>:41                                      ; preds = %38
  br label %42

; <label>:42                                      ; preds = %41, %25
  %43 = load i32, i32 addrspace(3)* getelementptr inbounds ([64 x i32], [64 x i32] addrspace(3)* @"\01?sh@@3PAIA", i32 0, i32 2), align 4, !tbaa !15
  switch i32 %43, label %46 [
    i32 1, label %44
    i32 7, label %45
  ]

; <label>:44                                      ; preds = %42
  call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %2, i32 3, i32 12, i32 1, i32 undef, i32 undef, i32 undef, i8 1)  ; BufferStore(uav,coord0,coord1,value0,value1,value2,value3,mask)
  br label %47

; <label>:45                                      ; preds = %42
  call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %2, i32 4, i32 12, i32 2, i32 undef, i32 undef, i32 undef, i8 1)  ; BufferStore(uav,coord0,coord1,value0,value1,value2,value3,mask)
  br label %47

; <label>:46                                      ; preds = %42
  call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %2, i32 5, i32 12, i32 9, i32 undef, i32 undef, i32 undef, i8 1)  ; BufferStore(uav,coord0,coord1,value0,value1,value2,value3,mask)
  br label %47

; <label>:47                                      ; preds = %46, %45, %44
  ret void
}

; Function Attrs: nounwind readnone
declare i32 @dx.op.threadId.i32(i32, i32) #0

; Function Attrs: nounwind readnone
declare i32 @dx.op.flattenedThreadIdInGroup.i32(i32) #0

; Function Attrs: noduplicate nounwind
declare void @dx.op.barrier(i32, i32) #1

; Function Attrs: nounwind
declare float @dx.op.waveActiveOp.f32(i32, float, i8, i8) #2

; Function Attrs: nounwind
declare void @dx.op.textureStore.f32(i32, %dx.types.Handle, i32, i32, i32, float, float, float, float, i8) #2

; Function Attrs: nounwind readonly
declare %dx.types.Handle @dx.op.createHandle(i32, i8, i32, i32, i1) #3

; Function Attrs: nounwind readonly
declare %dx.types.ResRet.i32 @dx.op.bufferLoad.i32(i32, %dx.types.Handle, i32, i32) #3

; Function Attrs: nounwind
declare void @dx.op.bufferStore.i32(i32, %dx.types.Handle, i32, i32, i32, i32, i32, i32, i8) #2

; Function Attrs: nounwind
declare void @dx.op.bufferStore.f32(i32, %dx.types.Handle, i32, i32, float, float, float, float, i8) #2

attributes #0 = { nounwind readnone }
attributes #1 = { noduplicate nounwind }
attributes #2 = { nounwind }
attributes #3 = { nounwind readonly }

!llvm.ident = !{!0}
!dx.version = !{!1}
!dx.valver = !{!2}
!dx.shaderModel = !{!3}
!dx.resources = !{!4}
!dx.entryPoints = !{!12}

!0 = !{!"dxc(private) 1.7.0.4006 (69e54e290)"}
!1 = !{i32 1, i32 0}
!2 = !{i32 1, i32 7}
!3 = !{!"cs", i32 6, i32 0}
!4 = !{!5, !7, null, null}
!5 = !{!6}
!6 = !{i32 0, %struct.ByteAddressBuffer* undef, !"", i32 0, i32 0, i32 1, i32 11, i32 0, null}
!7 = !{!8, !10}
!8 = !{i32 0, %"class.RWStructuredBuffer<S>"* undef, !"", i32 0, i32 0, i32 1, i32 12, i1 false, i1 false, i1 false, !9}
!9 = !{i32 1, i32 16}
!10 = !{i32 1, %"class.RWTexture3D<vector<float, 2> >"* undef, !"", i32 0, i32 1, i32 1, i32 4, i1 true, i1 false, i1 false, !11}
!11 = !{i32 0, i32 14}
!12 = !{void ()* @main, !"main", null, !4, !13}
!13 = !{i32 0, i64 524304, i32 4, !14}
!14 = !{i32 8, i32 4, i32 2}
!15 = !{!16, !16, i64 0}
!16 = !{!"int", !17, i64 0}
!17 = !{!"omnipotent char", !18, i64 0}
!18 = !{!"Simple C/C++ TBAA"}
!19 = !{!20, !20, i64 0}
!20 = !{!"float", !17, i64 0}
!21 = distinct !{!21, !22}
!22 = !{!"llvm.loop.unroll.disable"}
