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
  %1 = call float @dx.op.domainLocation.f32(i32 105, i8 1)  ; DomainLocation(component)
  %2 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 0, i32 1)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %3 = fmul fast float %1, %2
  %4 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 1, i32 1)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %5 = fmul fast float %1, %4
  %6 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 2, i32 1)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %7 = fmul fast float %1, %6
  %8 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 0, i32 0)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %9 = call float @dx.op.domainLocation.f32(i32 105, i8 0)  ; DomainLocation(component)
  %10 = call float @dx.op.tertiary.f32(i32 46, float %8, float %9, float %3)  ; FMad(a,b,c)
  %11 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 1, i32 0)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %12 = call float @dx.op.tertiary.f32(i32 46, float %11, float %9, float %5)  ; FMad(a,b,c)
  %13 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 2, i32 0)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %14 = call float @dx.op.tertiary.f32(i32 46, float %13, float %9, float %7)  ; FMad(a,b,c)
  %15 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 0, i32 2)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %16 = call float @dx.op.domainLocation.f32(i32 105, i8 2)  ; DomainLocation(component)
  %17 = call float @dx.op.tertiary.f32(i32 46, float %15, float %16, float %10)  ; FMad(a,b,c)
  %18 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 1, i32 2)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %19 = call float @dx.op.tertiary.f32(i32 46, float %18, float %16, float %12)  ; FMad(a,b,c)
  %20 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 2, i32 2)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %21 = call float @dx.op.tertiary.f32(i32 46, float %20, float %16, float %14)  ; FMad(a,b,c)
  %22 = call float @dx.op.loadPatchConstant.f32(i32 104, i32 1, i32 0, i8 0)  ; LoadPatchConstant(inputSigId,row,col)
  %23 = fsub fast float %22, %17
  %24 = call float @dx.op.loadPatchConstant.f32(i32 104, i32 1, i32 0, i8 1)  ; LoadPatchConstant(inputSigId,row,col)
  %25 = fsub fast float %24, %19
  %26 = call float @dx.op.loadPatchConstant.f32(i32 104, i32 1, i32 0, i8 2)  ; LoadPatchConstant(inputSigId,row,col)
  %27 = fsub fast float %26, %21
  %28 = call float @dx.op.loadInput.f32(i32 4, i32 1, i32 0, i8 0, i32 0)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %29 = call float @dx.op.tertiary.f32(i32 46, float %28, float %23, float %17)  ; FMad(a,b,c)
  %30 = call float @dx.op.tertiary.f32(i32 46, float %28, float %25, float %19)  ; FMad(a,b,c)
  %31 = call float @dx.op.tertiary.f32(i32 46, float %28, float %27, float %21)  ; FMad(a,b,c)
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 0, float %29)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 1, float %30)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 2, float %31)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 3, float 1.000000e+00)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  ret void
}

declare float @dx.op.domainLocation.f32(i32, i8)

declare float @dx.op.loadInput.f32(i32, i32, i32, i8, i32)

declare float @dx.op.tertiary.f32(i32, float, float, float)

declare float @dx.op.loadPatchConstant.f32(i32, i32, i32, i8)

declare void @dx.op.storeOutput.f32(i32, i32, i32, i8, float)
