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

%dx.types.twoi32 = type { i32, i32 }

define void @main() {
  %1 = call i32 @dx.op.outputControlPointID.i32(i32 107)  ; OutputControlPointID()
  %2 = add i32 %1, 1
  %3 = call %dx.types.twoi32 @dx.op.binaryWithTwoOuts.i32(i32 43, i32 %2, i32 3)  ; UDiv(a,b)
  %4 = extractvalue %dx.types.twoi32 %3, 1
  %5 = call float @dx.op.loadInput.f32(i32 4, i32 1, i32 0, i8 0, i32 %4)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %6 = call float @dx.op.loadInput.f32(i32 4, i32 1, i32 0, i8 0, i32 %1)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %7 = fadd fast float %5, %6
  call void @dx.op.storeOutput.f32(i32 5, i32 1, i32 0, i8 0, float %7)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  %8 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 0, i32 %1)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %9 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 1, i32 %1)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %10 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 2, i32 %1)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 0, float %8)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 1, float %9)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 2, float %10)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  ret void
}

declare i32 @dx.op.outputControlPointID.i32(i32)

declare %dx.types.twoi32 @dx.op.binaryWithTwoOuts.i32(i32, i32, i32)

declare float @dx.op.loadInput.f32(i32, i32, i32, i8, i32)

declare void @dx.op.storeOutput.f32(i32, i32, i32, i8, float)

define void @patch_constant() {
  br label %1

; <label>:1                                       ; preds = %5, %0
  %2 = phi i32 [ 0, %0 ], [ %6, %5 ]
  %3 = call float @dx.op.loadInput.f32(i32 4, i32 1, i32 0, i8 0, i32 %2)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %4 = fadd fast float %3, %3
  call void @dx.op.storePatchConstant.f32(i32 106, i32 0, i32 %2, i8 0, float %4)  ; StorePatchConstant(outputSigID,row,col,value)
  br label %5

; <label>:5                                       ; preds = %1
  %6 = add i32 %2, 1
  %7 = icmp ult i32 %6, 3
  br i1 %7, label %1, label %8

; <label>:8                                       ; preds = %5
  %9 = call i32 @dx.op.primitiveID.i32(i32 108)  ; PrimitiveID()
  %10 = uitofp i32 %9 to float
  call void @dx.op.storePatchConstant.f32(i32 106, i32 2, i32 0, i8 0, float %10)  ; StorePatchConstant(outputSigID,row,col,value)
  br label %11

; <label>:11                                      ; preds = %8
  %12 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 0, i32 1)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %13 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 0, i32 0)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %14 = fadd fast float %12, %13
  %15 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 0, i32 2)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %16 = fadd fast float %14, %15
  %17 = fmul fast float %16, 0x3FD5555560000000
  call void @dx.op.storePatchConstant.f32(i32 106, i32 1, i32 0, i8 0, float %17)  ; StorePatchConstant(outputSigID,row,col,value)
  br label %18

; <label>:18                                      ; preds = %11
  %19 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 1, i32 1)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %20 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 1, i32 0)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %21 = fadd fast float %19, %20
  %22 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 1, i32 2)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %23 = fadd fast float %21, %22
  %24 = fmul fast float %23, 0x3FD5555560000000
  call void @dx.op.storePatchConstant.f32(i32 106, i32 1, i32 0, i8 1, float %24)  ; StorePatchConstant(outputSigID,row,col,value)
  br label %25

; <label>:25                                      ; preds = %18
  %26 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 2, i32 1)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %27 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 2, i32 0)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %28 = fadd fast float %26, %27
  %29 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 2, i32 2)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %30 = fadd fast float %28, %29
  %31 = fmul fast float %30, 0x3FD5555560000000
  call void @dx.op.storePatchConstant.f32(i32 106, i32 1, i32 0, i8 2, float %31)  ; StorePatchConstant(outputSigID,row,col,value)
  br label %32

; <label>:32                                      ; preds = %25
  ret void
}

declare void @dx.op.storePatchConstant.f32(i32, i32, i32, i8, float)

declare i32 @dx.op.primitiveID.i32(i32)
