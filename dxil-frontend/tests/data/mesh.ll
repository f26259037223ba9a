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
; SV_Position              0   xyzw        0      POS   float   xyzw
; COLOR                    0   x           1     NONE   float   x   
;
;
; Patch Constant signature signature:
;
; Name                 Index   Mask Register SysValue  Format   Used
; -------------------- ----- ------ -------- -------- ------- ------
; SV_PrimitiveID           0   x           0   PRIMID    uint   x   
;
; shader hash: 9440b5a8062173c68e32f3479428bc1b
;
; Pipeline Runtime Information: 
;
; Mesh Shader
; MeshOutputTopology=triangle
; NumThreads=(32,1,1)
;
;
; Vertex Output signature:
;
; Name                 Index             InterpMode DynIdx
; -------------------- ----- ---------------------- ------
; SV_Position              0          noperspective       
; COLOR                    0                 linear       
;
; Primitive Output signature:
;
; Name                 Index             InterpMode DynIdx
; -------------------- ----- ---------------------- ------
; SV_PrimitiveID           0        nointerpolation       
;
; Buffer Definitions:
;
;
; Resource Bindings:
;
; Name                                 Type  Format         Dim      ID      HLSL Bind  Count
; ------------------------------ ---------- ------- ----------- ------- -------------- ------
;
;
; ViewId state:
;
; Number of inputs: 0, outputs: 5, primitive outputs: 1
; Outputs dependent on ViewId: {  }
; Primitive Outputs dependent on ViewId: {  }
; Inputs contributing to computation of Outputs:
; Inputs contributing to computation of Primitive Outputs:
;
target datalayout = "e-m:e-p:32:32-i1:32-i8:32-i16:32-i32:32-i64:64-f16:32-f32:32-f64:64-n8:16:32:64"
target triple = "dxil-ms-dx"

%struct.P.0 = type { [4 x [4 x float]] }

define void @main() {
  %1 = call i32 @dx.op.flattenedThreadIdInGroup.i32(i32 96)  ; FlattenedThreadIdInGroup()
  %2 = call %struct.P.0* @dx.op.getMeshPayload.struct.P.0(i32 170)  ; GetMeshPayload()
  call void @dx.op.setMeshOutputCounts(i32 168, i32 32, i32 16)  ; SetMeshOutputCounts(numVertices,numPrimitives)
  %3 = and i32 %1, 3
  %4 = getelementptr inbounds %struct.P.0, %struct.P.0* %2, i32 0, i32 0, i32 %3, i32 0
  %5 = load float, float* %4, align 4
  %6 = getelementptr inbounds %struct.P.0, %struct.P.0* %2, i32 0, i32 0, i32 %3, i32 1
  %7 = load float, float* %6, align 4
  %8 = getelementptr inbounds %struct.P.0, %struct.P.0* %2, i32 0, i32 0, i32 %3, i32 2
  %9 = load float, float* %8, align 4
  %10 = getelementptr inbounds %struct.P.0, %struct.P.0* %2, i32 0, i32 0, i32 %3, i32 3
  %11 = load float, float* %10, align 4
  call void @dx.op.storeVertexOutput.f32(i32 171, i32 0, i32 0, i8 0, float %5, i32 %1)  ; StoreVertexOutput(outputSigId,rowIndex,colIndex,value,vertexIndex)
  call void @dx.op.storeVertexOutput.f32(i32 171, i32 0, i32 0, i8 1, float %7, i32 %1)  ; StoreVertexOutput(outputSigId,rowIndex,colIndex,value,vertexIndex)
  call void @dx.op.storeVertexOutput.f32(i32 171, i32 0, i32 0, i8 2, float %9, i32 %1)  ; StoreVertexOutput(outputSigId,rowIndex,colIndex,value,vertexIndex)
  call void @dx.op.storeVertexOutput.f32(i32 171, i32 0, i32 0, i8 3, float %11, i32 %1)  ; StoreVertexOutput(outputSigId,rowIndex,colIndex,value,vertexIndex)
  %12 = uitofp i32 %1 to float
  call void @dx.op.storeVertexOutput.f32(i32 171, i32 1, i32 0, i8 0, float %12, i32 %1)  ; StoreVertexOutput(outputSigId,rowIndex,colIndex,value,vertexIndex)
  %13 = add i32 %1, 1
  %14 = add i32 %1, 2
  call void @dx.op.emitIndices(i32 169, i32 %1, i32 %1, i32 %13, i32 %14)  ; EmitIndices(PrimitiveIndex,VertexIndex0,VertexIndex1,VertexIndex2)
  call void @dx.op.storePrimitiveOutput.i32(i32 172, i32 0, i32 0, i8 0, i32 %1, i32 %1)  ; StorePrimitiveOutput(outputSigId,rowIndex,colIndex,value,primitiveIndex)
  ret void
}

; Function Attrs: nounwind
declare void @dx.op.emitIndices(i32, i32, i32, i32, i32) #0

; Function Attrs: nounwind readonly
declare %struct.P.0* @dx.op.getMeshPayload.struct.P.0(i32) #1

; Function Attrs: nounwind readnone
declare i32 @dx.op.flattenedThreadIdInGroup.i32(i32) #2

; Function Attrs: nounwind
declare void @dx.op.storeVertexOutput.f32(i32, i32, i32, i8, float, i32) #0

; Function Attrs: nounwind
declare void @dx.op.storePrimitiveOutput.i32(i32, i32, i32, i8, i32, i32) #0

; Function Attrs: nounwind
declare void @dx.op.setMeshOutputCounts(i32, i32, i32) #0

attributes #0 = { nounwind }
attributes #1 = { nounwind readonly }
attributes #2 = { nounwind readnone }

!llvm.ident = !{!0}
!dx.version = !{!1}
!dx.valver = !{!2}
!dx.shaderModel = !{!3}
!dx.viewIdState = !{!4}
!dx.entryPoints = !{!5}

!0 = !{!"dxc(private) 1.7.0.4006 (69e54e290)"}
!1 = !{i32 1, i32 5}
!2 = !{i32 1, i32 7}
!3 = !{!"ms", i32 6, i32 5}
!4 = !{[3 x i32] [i32 0, i32 5, i32 1]}
!5 = !{void ()* @main, !"main", !6, null, !15}
!6 = !{null, !7, !13}
!7 = !{!8, !11}
!8 = !{i32 0, !"SV_Position", i8 9, i8 3, !9, i8 4, i32 1, i8 4, i32 0, i8 0, !10}
!9 = !{i32 0}
!10 = !{i32 3, i32 15}
!11 = !{i32 1, !"COLOR", i8 9, i8 0, !9, i8 2, i32 1, i8 1, i32 1, i8 0, !12}
!12 = !{i32 3, i32 1}
!13 = !{!14}
!14 = !{i32 0, !"SV_PrimitiveID", i8 5, i8 10, !9, i8 1, i32 1, i8 1, i32 0, i8 0, !12}
!15 = !{i32 9, !16}
!16 = !{!17, i32 64, i32 32, i32 2, i32 64}
!17 = !{i32 32, i32 1, i32 1}
