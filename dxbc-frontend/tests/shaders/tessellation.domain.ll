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
  %4 = call float @dx.op.domainLocation.f32(i32 105, i8 1)  ; DomainLocation(component)
  %5 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 1, i32 1)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %6 = fmul fast float %4, %5
  %7 = call float @dx.op.domainLocation.f32(i32 105, i8 1)  ; DomainLocation(component)
  %8 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 2, i32 1)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %9 = fmul fast float %7, %8
  %10 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 0, i32 0)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %11 = call float @dx.op.domainLocation.f32(i32 105, i8 0)  ; DomainLocation(component)
  %12 = call float @dx.op.tertiary.f32(i32 46, float %10, float %11, float %3)  ; FMad(a,b,c)
  %13 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 1, i32 0)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %14 = call float @dx.op.domainLocation.f32(i32 105, i8 0)  ; DomainLocation(component)
  %15 = call float @dx.op.tertiary.f32(i32 46, float %13, float %14, float %6)  ; FMad(a,b,c)
  %16 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 2, i32 0)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %17 = call float @dx.op.domainLocation.f32(i32 105, i8 0)  ; DomainLocation(component)
  %18 = call float @dx.op.tertiary.f32(i32 46, float %16, float %17, float %9)  ; FMad(a,b,c)
  %19 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 0, i32 2)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %20 = call float @dx.op.domainLocation.f32(i32 105, i8 2)  ; DomainLocation(component)
  %21 = call float @dx.op.tertiary.f32(i32 46, float %19, float %20, float %12)  ; FMad(a,b,c)
  %22 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 1, i32 2)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %23 = call float @dx.op.domainLocation.f32(i32 105, i8 2)  ; DomainLocation(component)
  %24 = call float @dx.op.tertiary.f32(i32 46, float %22, float %23, float %15)  ; FMad(a,b,c)
  %25 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 2, i32 2)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %26 = call float @dx.op.domainLocation.f32(i32 105, i8 2)  ; DomainLocation(component)
  %27 = call float @dx.op.tertiary.f32(i32 46, float %25, float %26, float %18)  ; FMad(a,b,c)
  %28 = fsub fast float -0.000000e+00, %21
  %29 = call float @dx.op.loadPatchConstant.f32(i32 104, i32 1, i32 0, i8 0)  ; LoadPatchConstant(inputSigId,row,col)
  %30 = fadd fast float %28, %29
  %31 = fsub fast float -0.000000e+00, %24
  %32 = call float @dx.op.loadPatchConstant.f32(i32 104, i32 1, i32 0, i8 1)  ; LoadPatchConstant(inputSigId,row,col)
  %33 = fadd fast float %31, %32
  %34 = fsub fast float -0.000000e+00, %27
  %35 = call float @dx.op.loadPatchConstant.f32(i32 104, i32 1, i32 0, i8 2)  ; LoadPatchConstant(inputSigId,row,col)
  %36 = fadd fast float %34, %35
  %37 = call float @dx.op.loadInput.f32(i32 4, i32 1, i32 0, i8 0, i32 0)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %38 = call float @dx.op.tertiary.f32(i32 46, float %37, float %30, float %21)  ; FMad(a,b,c)
  %39 = call float @dx.op.loadInput.f32(i32 4, i32 1, i32 0, i8 0, i32 0)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %40 = call float @dx.op.tertiary.f32(i32 46, float %39, float %33, float %24)  ; FMad(a,b,c)
  %41 = call float @dx.op.loadInput.f32(i32 4, i32 1, i32 0, i8 0, i32 0)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %42 = call float @dx.op.tertiary.f32(i32 46, float %41, float %36, float %27)  ; FMad(a,b,c)
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 0, float %38)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 1, float %40)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 2, float %42)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 3, float 1.000000e+00)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  ret void
}

declare float @dx.op.domainLocation.f32(i32, i8)

declare float @dx.op.loadInput.f32(i32, i32, i32, i8, i32)

declare float @dx.op.tertiary.f32(i32, float, float, float)

declare float @dx.op.loadPatchConstant.f32(i32, i32, i32, i8)

declare void @dx.op.storeOutput.f32(i32, i32, i32, i8, float)
