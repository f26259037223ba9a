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
  %1 = call i32 @dx.op.loadInput.i32(i32 4, i32 1, i32 0, i8 0, i32 undef)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  switch i32 %1, label %11 [
    i32 0, label %2
    i32 1, label %6
  ]

; <label>:2                                       ; preds = %0
  %3 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 0, i32 undef)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %4 = call float @dx.op.unary.f32(i32 24, float %3)  ; Sqrt(value)
  br label %5

; <label>:5                                       ; preds = %2
  br label %15

; <label>:6                                       ; preds = %0
  %7 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 0, i32 undef)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %8 = fmul fast float %7, 0x3FF7154760000000
  %9 = call float @dx.op.unary.f32(i32 21, float %8)  ; Exp(value)
  br label %10

; <label>:10                                      ; preds = %6
  br label %15

; <label>:11                                      ; preds = %0
  %12 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 0, i32 undef)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %13 = fdiv fast float 1.000000e+00, %12
  br label %14

; <label>:14                                      ; preds = %11
  br label %15

; <label>:15                                      ; preds = %14, %10, %5
  %16 = phi float [ %4, %5 ], [ %7, %10 ], [ %12, %14 ]
  %17 = phi float [ %3, %5 ], [ %9, %10 ], [ %12, %14 ]
  %18 = phi float [ %3, %5 ], [ %7, %10 ], [ %13, %14 ]
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 0, float %16)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 1, float %17)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 2, float %18)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  %19 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 0, i32 undef)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 3, float %19)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  ret void
}

declare i32 @dx.op.loadInput.i32(i32, i32, i32, i8, i32)

declare float @dx.op.loadInput.f32(i32, i32, i32, i8, i32)

declare float @dx.op.unary.f32(i32, float)

declare void @dx.op.storeOutput.f32(i32, i32, i32, i8, float)
