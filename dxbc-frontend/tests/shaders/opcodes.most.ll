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

; <label>:1                                       ; preds = %5, %0
  %2 = phi i32 [ 0, %0 ], [ %6, %5 ]
  %3 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 0, i32 %2)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %4 = call float @dx.op.binary.f32(i32 36, float 1.600000e+01, float %3)  ; FMin(a,b)
  call void @dx.op.storePatchConstant.f32(i32 106, i32 0, i32 %2, i8 0, float %4)  ; StorePatchConstant(outputSigID,row,col,value)
  br label %5

; <label>:5                                       ; preds = %1
  %6 = add i32 %2, 1
  %7 = icmp ult i32 %6, 4
  br i1 %7, label %1, label %8

; <label>:8                                       ; preds = %5
  %9 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 0, i32 1)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %10 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 0, i32 0)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %11 = call float @dx.op.binary.f32(i32 35, float %9, float %10)  ; FMax(a,b)
  %12 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 0, i32 3)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %13 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 0, i32 2)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %14 = call float @dx.op.binary.f32(i32 35, float %12, float %13)  ; FMax(a,b)
  %15 = call float @dx.op.binary.f32(i32 35, float %14, float %11)  ; FMax(a,b)
  %16 = fmul fast float %15, 5.000000e-01
  %17 = call float @dx.op.binary.f32(i32 36, float %15, float 1.600000e+01)  ; FMin(a,b)
  %18 = call float @dx.op.binary.f32(i32 36, float %16, float 1.600000e+01)  ; FMin(a,b)
  call void @dx.op.storePatchConstant.f32(i32 106, i32 1, i32 0, i8 0, float %17)  ; StorePatchConstant(outputSigID,row,col,value)
  call void @dx.op.storePatchConstant.f32(i32 106, i32 1, i32 1, i8 0, float %18)  ; StorePatchConstant(outputSigID,row,col,value)
  br label %19

; <label>:19                                      ; preds = %8
  ret void
}

declare float @dx.op.binary.f32(i32, float, float)

declare void @dx.op.storePatchConstant.f32(i32, i32, i32, i8, float)
