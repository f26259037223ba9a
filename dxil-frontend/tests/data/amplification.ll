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
; shader hash: 842213c5229941b007780fee2673f40c
;
; Pipeline Runtime Information: 
;
; Amplification Shader
; NumThreads=(4,1,1)
;
;
; Buffer Definitions:
;
;
; Resource Bindings:
;
; Name                                 Type  Format         Dim      ID      HLSL Bind  Count
; ------------------------------ ---------- ------- ----------- ------- -------------- ------
;
target datalayout = "e-m:e-p:32:32-i1:32-i8:32-i16:32-i32:32-i64:64-f16:32-f32:32-f64:64-n8:16:32:64"
target triple = "dxil-ms-dx"

%struct.P.0 = type { [4 x [4 x float]] }

@"\01?p@@3UP@@A.1" = addrspace(3) global %struct.P.0 undef

define void @main() {
  %1 = call i32 @dx.op.flattenedThreadIdInGroup.i32(i32 96)  ; FlattenedThreadIdInGroup()
  %2 = uitofp i32 %1 to float
  %3 = getelementptr %struct.P.0, %struct.P.0 addrspace(3)* @"\01?p@@3UP@@A.1", i32 0, i32 0, i32 %1, i32 0
  store float %2, float addrspace(3)* %3, align 16
  %4 = getelementptr %struct.P.0, %struct.P.0 addrspace(3)* @"\01?p@@3UP@@A.1", i32 0, i32 0, i32 %1, i32 1
  store float %2, float addrspace(3)* %4, align 4
  %5 = getelementptr %struct.P.0, %struct.P.0 addrspace(3)* @"\01?p@@3UP@@A.1", i32 0, i32 0, i32 %1, i32 2
  store float %2, float addrspace(3)* %5, align 8
  %6 = getelementptr %struct.P.0, %struct.P.0 addrspace(3)* @"\01?p@@3UP@@A.1", i32 0, i32 0, i32 %1, i32 3
  store float %2, float addrspace(3)* %6, align 4
  call void @dx.op.barrier(i32 80, i32 9)  ; Barrier(barrierMode)
  call void @dx.op.dispatchMesh.struct.P.0(i32 173, i32 %1, i32 1, i32 1, %struct.P.0 addrspace(3)* nonnull @"\01?p@@3UP@@A.1")  ; DispatchMesh(threadGroupCountX,threadGroupCountY,threadGroupCountZ,payload)
  ret void
}

; Function Attrs: nounwind readnone
declare i32 @dx.op.flattenedThreadIdInGroup.i32(i32) #0

; Function Attrs: noduplicate nounwind
declare void @dx.op.barrier(i32, i32) #1

; Function Attrs: nounwind
declare void @dx.op.dispatchMesh.struct.P.0(i32, i32, i32, i32, %struct.P.0 addrspace(3)*) #2

attributes #0 = { nounwind readnone }
attributes #1 = { noduplicate nounwind }
attributes #2 = { nounwind }

!llvm.ident = !{!0}
!dx.version = !{!1}
!dx.valver = !{!2}
!dx.shaderModel = !{!3}
!dx.entryPoints = !{!4}

!0 = !{!"dxc(private) 1.7.0.4006 (69e54e290)"}
!1 = !{i32 1, i32 5}
!2 = !{i32 1, i32 7}
!3 = !{!"as", i32 6, i32 5}
!4 = !{void ()* @main, !"main", null, null, !5}
!5 = !{i32 10, !6}
!6 = !{!7, i32 64}
!7 = !{i32 4, i32 1, i32 1}
