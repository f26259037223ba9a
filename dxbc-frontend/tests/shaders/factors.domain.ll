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
  %7 = add i32 %5, 2
  %8 = icmp eq i32 %7, 3
  %9 = call float @dx.op.loadPatchConstant.f32(i32 104, i32 3, i32 0, i8 0)  ; LoadPatchConstant(inputSigId,row,col)
  %10 = bitcast float %9 to i32
  %11 = call float @dx.op.loadPatchConstant.f32(i32 104, i32 4, i32 0, i8 0)  ; LoadPatchConstant(inputSigId,row,col)
  %12 = bitcast float %11 to i32
  %13 = select i1 %8, i32 %12, i32 %10
  %14 = bitcast i32 %13 to float
  %15 = fadd fast float %6, %14
  %16 = call float @dx.op.loadPatchConstant.f32(i32 104, i32 1, i32 0, i8 1)  ; LoadPatchConstant(inputSigId,row,col)
  %17 = add i32 %5, 2
  %18 = icmp eq i32 %17, 3
  %19 = call float @dx.op.loadPatchConstant.f32(i32 104, i32 3, i32 0, i8 1)  ; LoadPatchConstant(inputSigId,row,col)
  %20 = bitcast float %19 to i32
  %21 = call float @dx.op.loadPatchConstant.f32(i32 104, i32 4, i32 0, i8 1)  ; LoadPatchConstant(inputSigId,row,col)
  %22 = bitcast float %21 to i32
  %23 = select i1 %18, i32 %22, i32 %20
  %24 = bitcast i32 %23 to float
  %25 = fadd fast float %16, %24
  %26 = call float @dx.op.loadPatchConstant.f32(i32 104, i32 1, i32 0, i8 2)  ; LoadPatchConstant(inputSigId,row,col)
  %27 = add i32 %5, 2
  %28 = icmp eq i32 %27, 3
  %29 = call float @dx.op.loadPatchConstant.f32(i32 104, i32 3, i32 0, i8 2)  ; LoadPatchConstant(inputSigId,row,col)
  %30 = bitcast float %29 to i32
  %31 = call float @dx.op.loadPatchConstant.f32(i32 104, i32 4, i32 0, i8 2)  ; LoadPatchConstant(inputSigId,row,col)
  %32 = bitcast float %31 to i32
  %33 = select i1 %28, i32 %32, i32 %30
  %34 = bitcast i32 %33 to float
  %35 = fadd fast float %26, %34
  %36 = call i32 @dx.op.loadPatchConstant.i32(i32 104, i32 2, i32 0, i8 0)  ; LoadPatchConstant(inputSigId,row,col)
  %37 = sitofp i32 %36 to float
  %38 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 0, i32 0)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %39 = call float @dx.op.loadPatchConstant.f32(i32 104, i32 0, i32 1, i8 0)  ; LoadPatchConstant(inputSigId,row,col)
  %40 = call float @dx.op.tertiary.f32(i32 46, float %38, float %39, float %15)  ; FMad(a,b,c)
  %41 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 1, i32 0)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %42 = call float @dx.op.loadPatchConstant.f32(i32 104, i32 0, i32 1, i8 0)  ; LoadPatchConstant(inputSigId,row,col)
  %43 = call float @dx.op.tertiary.f32(i32 46, float %41, float %42, float %25)  ; FMad(a,b,c)
  %44 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 2, i32 0)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %45 = call float @dx.op.loadPatchConstant.f32(i32 104, i32 0, i32 1, i8 0)  ; LoadPatchConstant(inputSigId,row,col)
  %46 = call float @dx.op.tertiary.f32(i32 46, float %44, float %45, float %35)  ; FMad(a,b,c)
  %47 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 3, i32 0)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %48 = call float @dx.op.loadPatchConstant.f32(i32 104, i32 0, i32 1, i8 0)  ; LoadPatchConstant(inputSigId,row,col)
  %49 = call float @dx.op.tertiary.f32(i32 46, float %47, float %48, float %37)  ; FMad(a,b,c)
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 0, float %40)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 1, float %43)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 2, float %46)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 3, float %49)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  ret void
}

declare float @dx.op.domainLocation.f32(i32, i8)

declare float @dx.op.loadPatchConstant.f32(i32, i32, i32, i8)

declare i32 @dx.op.loadPatchConstant.i32(i32, i32, i32, i8)

declare float @dx.op.loadInput.f32(i32, i32, i32, i8, i32)

declare float @dx.op.tertiary.f32(i32, float, float, float)

declare void @dx.op.storeOutput.f32(i32, i32, i32, i8, float)
