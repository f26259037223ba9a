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
  %2 = call float @dx.op.domainLocation.f32(i32 105, i8 0)  ; DomainLocation(component)
  %3 = fadd fast float %1, %2
  %4 = fptoui float %3 to i32
  %5 = and i32 %4, 1
  %6 = call float @dx.op.loadPatchConstant.f32(i32 104, i32 1, i32 0, i8 0)  ; LoadPatchConstant(inputSigId,row,col)
  %7 = call float @dx.op.loadPatchConstant.f32(i32 104, i32 3, i32 %5, i8 0)  ; LoadPatchConstant(inputSigId,row,col)
  %8 = fadd fast float %6, %7
  %9 = call float @dx.op.loadPatchConstant.f32(i32 104, i32 1, i32 0, i8 1)  ; LoadPatchConstant(inputSigId,row,col)
  %10 = call float @dx.op.loadPatchConstant.f32(i32 104, i32 3, i32 %5, i8 1)  ; LoadPatchConstant(inputSigId,row,col)
  %11 = fadd fast float %9, %10
  %12 = call float @dx.op.loadPatchConstant.f32(i32 104, i32 1, i32 0, i8 2)  ; LoadPatchConstant(inputSigId,row,col)
  %13 = call float @dx.op.loadPatchConstant.f32(i32 104, i32 3, i32 %5, i8 2)  ; LoadPatchConstant(inputSigId,row,col)
  %14 = fadd fast float %12, %13
  %15 = call i32 @dx.op.loadPatchConstant.i32(i32 104, i32 2, i32 0, i8 0)  ; LoadPatchConstant(inputSigId,row,col)
  %16 = sitofp i32 %15 to float
  %17 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 0, i32 0)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %18 = call float @dx.op.loadPatchConstant.f32(i32 104, i32 0, i32 1, i8 0)  ; LoadPatchConstant(inputSigId,row,col)
  %19 = call float @dx.op.tertiary.f32(i32 46, float %17, float %18, float %8)  ; FMad(a,b,c)
  %20 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 1, i32 0)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %21 = call float @dx.op.loadPatchConstant.f32(i32 104, i32 0, i32 1, i8 0)  ; LoadPatchConstant(inputSigId,row,col)
  %22 = call float @dx.op.tertiary.f32(i32 46, float %20, float %21, float %11)  ; FMad(a,b,c)
  %23 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 2, i32 0)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %24 = call float @dx.op.loadPatchConstant.f32(i32 104, i32 0, i32 1, i8 0)  ; LoadPatchConstant(inputSigId,row,col)
  %25 = call float @dx.op.tertiary.f32(i32 46, float %23, float %24, float %14)  ; FMad(a,b,c)
  %26 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 3, i32 0)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %27 = call float @dx.op.loadPatchConstant.f32(i32 104, i32 0, i32 1, i8 0)  ; LoadPatchConstant(inputSigId,row,col)
  %28 = call float @dx.op.tertiary.f32(i32 46, float %26, float %27, float %16)  ; FMad(a,b,c)
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 0, float %19)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 1, float %22)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 2, float %25)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 3, float %28)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  ret void
}

declare float @dx.op.domainLocation.f32(i32, i8)

declare float @dx.op.loadPatchConstant.f32(i32, i32, i32, i8)

declare i32 @dx.op.loadPatchConstant.i32(i32, i32, i32, i8)

declare float @dx.op.loadInput.f32(i32, i32, i32, i8, i32)

declare float @dx.op.tertiary.f32(i32, float, float, float)

declare void @dx.op.storeOutput.f32(i32, i32, i32, i8, float)
