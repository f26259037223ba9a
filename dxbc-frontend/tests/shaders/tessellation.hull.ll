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
  %5 = call i32 @dx.op.outputControlPointID.i32(i32 107)  ; OutputControlPointID()
  %6 = call float @dx.op.loadInput.f32(i32 4, i32 1, i32 0, i8 0, i32 %4)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %7 = call float @dx.op.loadInput.f32(i32 4, i32 1, i32 0, i8 0, i32 %5)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %8 = fadd fast float %6, %7
  call void @dx.op.storeOutput.f32(i32 5, i32 1, i32 0, i8 0, float %8)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  %9 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 0, i32 %5)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %10 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 1, i32 %5)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %11 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 2, i32 %5)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 0, float %9)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 1, float %10)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 2, float %11)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  ret void
}

declare i32 @dx.op.outputControlPointID.i32(i32)

declare %dx.types.twoi32 @dx.op.binaryWithTwoOuts.i32(i32, i32, i32)

declare float @dx.op.loadInput.f32(i32, i32, i32, i8, i32)

declare void @dx.op.storeOutput.f32(i32, i32, i32, i8, float)

define void @patch_constant() {
  br label %1

; <label>:1                                       ; preds = %6, %0
  %2 = phi i32 [ 0, %0 ], [ %7, %6 ]
  %3 = call float @dx.op.loadInput.f32(i32 4, i32 1, i32 0, i8 0, i32 %2)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %4 = call float @dx.op.loadInput.f32(i32 4, i32 1, i32 0, i8 0, i32 %2)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %5 = fadd fast float %3, %4
  call void @dx.op.storePatchConstant.f32(i32 106, i32 0, i32 %2, i8 0, float %5)  ; StorePatchConstant(outputSigID,row,col,value)
  br label %6

; <label>:6                                       ; preds = %1
  %7 = add i32 %2, 1
  %8 = icmp ult i32 %7, 3
  br i1 %8, label %1, label %9

; <label>:9                                       ; preds = %6
  %10 = call i32 @dx.op.primitiveID.i32(i32 108)  ; PrimitiveID()
  %11 = uitofp i32 %10 to float
  call void @dx.op.storePatchConstant.f32(i32 106, i32 2, i32 0, i8 0, float %11)  ; StorePatchConstant(outputSigID,row,col,value)
  br label %12

; <label>:12                                      ; preds = %9
  %13 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 0, i32 1)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %14 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 0, i32 0)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %15 = fadd fast float %13, %14
  %16 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 0, i32 2)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %17 = fadd fast float %15, %16
  %18 = fmul fast float %17, 0x3FD5555560000000
  call void @dx.op.storePatchConstant.f32(i32 106, i32 1, i32 0, i8 0, float %18)  ; StorePatchConstant(outputSigID,row,col,value)
  br label %19

; <label>:19                                      ; preds = %12
  %20 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 1, i32 1)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %21 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 1, i32 0)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %22 = fadd fast float %20, %21
  %23 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 1, i32 2)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %24 = fadd fast float %22, %23
  %25 = fmul fast float %24, 0x3FD5555560000000
  call void @dx.op.storePatchConstant.f32(i32 106, i32 1, i32 0, i8 1, float %25)  ; StorePatchConstant(outputSigID,row,col,value)
  br label %26

; <label>:26                                      ; preds = %19
  %27 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 2, i32 1)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %28 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 2, i32 0)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %29 = fadd fast float %27, %28
  %30 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 2, i32 2)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %31 = fadd fast float %29, %30
  %32 = fmul fast float %31, 0x3FD5555560000000
  call void @dx.op.storePatchConstant.f32(i32 106, i32 1, i32 0, i8 2, float %32)  ; StorePatchConstant(outputSigID,row,col,value)
  br label %33

; <label>:33                                      ; preds = %26
  ret void
}

declare void @dx.op.storePatchConstant.f32(i32, i32, i32, i8, float)

declare i32 @dx.op.primitiveID.i32(i32)
