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

define void @main() {
  %1 = call i32 @dx.op.outputControlPointID.i32(i32 107)  ; OutputControlPointID()
  %2 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 0, i32 %1)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %3 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 1, i32 %1)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %4 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 2, i32 %1)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %5 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 3, i32 %1)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 0, float %2)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 1, float %3)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 2, float %4)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 3, float %5)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  ret void
}

declare i32 @dx.op.outputControlPointID.i32(i32)

declare float @dx.op.loadInput.f32(i32, i32, i32, i8, i32)

declare void @dx.op.storeOutput.f32(i32, i32, i32, i8, float)

define void @patch_constant() {
  br label %1

; <label>:1                                       ; preds = %4, %0
  %2 = phi i32 [ 0, %0 ], [ %5, %4 ]
  %3 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 0, i32 %2)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  call void @dx.op.storePatchConstant.f32(i32 106, i32 0, i32 %2, i8 0, float %3)  ; StorePatchConstant(outputSigID,row,col,value)
  br label %4

; <label>:4                                       ; preds = %1
  %5 = add i32 %2, 1
  %6 = icmp ult i32 %5, 4
  br i1 %6, label %1, label %7

; <label>:7                                       ; preds = %4
  %8 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 0, i32 1)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %9 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 0, i32 0)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %10 = call float @dx.op.binary.f32(i32 35, float %8, float %9)  ; FMax(a,b)
  %11 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 0, i32 3)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %12 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 0, i32 2)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %13 = call float @dx.op.binary.f32(i32 35, float %11, float %12)  ; FMax(a,b)
  %14 = call float @dx.op.binary.f32(i32 35, float %13, float %10)  ; FMax(a,b)
  call void @dx.op.storePatchConstant.f32(i32 106, i32 1, i32 0, i8 0, float %14)  ; StorePatchConstant(outputSigID,row,col,value)
  br label %15

; <label>:15                                      ; preds = %7
  %16 = call float @dx.op.loadPatchConstant.f32(i32 104, i32 1, i32 0, i8 0)  ; LoadPatchConstant(inputSigId,row,col)
  %17 = fmul fast float 5.000000e-01, %16
  call void @dx.op.storePatchConstant.f32(i32 106, i32 1, i32 1, i8 0, float %17)  ; StorePatchConstant(outputSigID,row,col,value)
  br label %18

; <label>:18                                      ; preds = %15
  ret void
}

declare void @dx.op.storePatchConstant.f32(i32, i32, i32, i8, float)

declare float @dx.op.binary.f32(i32, float, float)

declare float @dx.op.loadPatchConstant.f32(i32, i32, i32, i8)
