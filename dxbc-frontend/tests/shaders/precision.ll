;
; Buffer Definitions:
;
;
; Resource Bindings:
;
; Name                                 Type  Format         Dim      ID      HLSL Bind  Count
; ------------------------------ ---------- ------- ----------- ------- -------------- ------
; s                                 sampler      NA          NA      S0             s0     1
; t                                 texture     f32          2d      T0             t0     1
;
target datalayout = "e-m:e-p:32:32-i1:32-i8:32-i16:32-i32:32-i64:64-f16:32-f32:32-f64:64-n8:16:32:64"
target triple = "dxil-ms-dx"

%dx.types.Handle = type { i8* }
%dx.types.ResRet.f32 = type { float, float, float, float, i32 }

define void @main() {
  %1 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 0, i32 0, i32 0, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %2 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 3, i32 0, i32 0, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %3 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 0, i32 undef)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %4 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 1, i32 undef)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %5 = call %dx.types.ResRet.f32 @dx.op.sample.f32(i32 60, %dx.types.Handle %1, %dx.types.Handle %2, float %3, float %4, float undef, float undef, i32 0, i32 0, i32 undef, float 0.000000e+00)  ; Sample(srv,sampler,coord0,coord1,coord2,coord3,offset0,offset1,offset2,clamp)
  %6 = extractvalue %dx.types.ResRet.f32 %5, 0
  %7 = extractvalue %dx.types.ResRet.f32 %5, 1
  %8 = extractvalue %dx.types.ResRet.f32 %5, 2
  %9 = extractvalue %dx.types.ResRet.f32 %5, 3
  %10 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 0, i32 undef)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %11 = call float @dx.op.tertiary.f32(i32 46, float %6, float %10, float 2.500000e-01)  ; FMad(a,b,c)
  %12 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 0, i32 undef)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %13 = call float @dx.op.tertiary.f32(i32 46, float %7, float %12, float 2.500000e-01)  ; FMad(a,b,c)
  %14 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 0, i32 undef)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %15 = call float @dx.op.tertiary.f32(i32 46, float %8, float %14, float 2.500000e-01)  ; FMad(a,b,c)
  %16 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 0, i32 undef)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %17 = call float @dx.op.tertiary.f32(i32 46, float %9, float %16, float 2.500000e-01)  ; FMad(a,b,c)
  %18 = call i32 @dx.op.loadInput.i32(i32 4, i32 1, i32 0, i8 0, i32 undef)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %19 = shl i32 %18, 2
  %20 = sitofp i32 %19 to float
  %21 = fadd fast float %11, %20
  %22 = fadd fast float %13, %20
  %23 = fadd fast float %15, %20
  %24 = fadd fast float %17, %20
  %25 = call float @dx.op.loadInput.f32(i32 4, i32 2, i32 0, i8 1, i32 undef), !dx.precise !0  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %26 = call float @dx.op.loadInput.f32(i32 4, i32 2, i32 0, i8 0, i32 undef), !dx.precise !0  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %27 = fmul float %25, %26
  %28 = call float @dx.op.loadInput.f32(i32 4, i32 2, i32 0, i8 2, i32 undef), !dx.precise !0  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %29 = fadd float %27, %28
  %30 = fadd fast float %21, %29
  %31 = fadd fast float %22, %29
  %32 = fadd fast float %23, %29
  %33 = fadd fast float %24, %29
  %34 = call float @dx.op.evalSampleIndex.f32(i32 88, i32 2, i32 0, i8 0, i32 1)  ; EvalSampleIndex(inputSigId,inputRowIndex,inputColIndex,sampleIndex)
  %35 = call float @dx.op.evalSampleIndex.f32(i32 88, i32 2, i32 0, i8 1, i32 1)  ; EvalSampleIndex(inputSigId,inputRowIndex,inputColIndex,sampleIndex)
  %36 = call float @dx.op.evalSampleIndex.f32(i32 88, i32 2, i32 0, i8 2, i32 1)  ; EvalSampleIndex(inputSigId,inputRowIndex,inputColIndex,sampleIndex)
  %37 = call float @dx.op.evalSampleIndex.f32(i32 88, i32 2, i32 0, i8 3, i32 1)  ; EvalSampleIndex(inputSigId,inputRowIndex,inputColIndex,sampleIndex)
  %38 = fadd fast float %30, %34
  %39 = fadd fast float %31, %35
  %40 = fadd fast float %32, %36
  %41 = fadd fast float %33, %37
  %42 = call float @dx.op.evalSnapped.f32(i32 87, i32 2, i32 0, i8 0, i32 -3, i32 4)  ; EvalSnapped(inputSigId,inputRowIndex,inputColIndex,offsetX,offsetY)
  %43 = call float @dx.op.evalSnapped.f32(i32 87, i32 2, i32 0, i8 1, i32 -3, i32 4)  ; EvalSnapped(inputSigId,inputRowIndex,inputColIndex,offsetX,offsetY)
  %44 = call float @dx.op.evalSnapped.f32(i32 87, i32 2, i32 0, i8 2, i32 -3, i32 4)  ; EvalSnapped(inputSigId,inputRowIndex,inputColIndex,offsetX,offsetY)
  %45 = call float @dx.op.evalSnapped.f32(i32 87, i32 2, i32 0, i8 3, i32 -3, i32 4)  ; EvalSnapped(inputSigId,inputRowIndex,inputColIndex,offsetX,offsetY)
  %46 = fadd fast float %38, %42
  %47 = fadd fast float %39, %43
  %48 = fadd fast float %40, %44
  %49 = fadd fast float %41, %45
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 0, float %46)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 1, float %47)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 2, float %48)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 3, float %49)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  ret void
}

declare %dx.types.Handle @dx.op.createHandle(i32, i8, i32, i32, i1)

declare float @dx.op.loadInput.f32(i32, i32, i32, i8, i32)

declare %dx.types.ResRet.f32 @dx.op.sample.f32(i32, %dx.types.Handle, %dx.types.Handle, float, float, float, float, i32, i32, i32, float)

declare float @dx.op.tertiary.f32(i32, float, float, float)

declare i32 @dx.op.loadInput.i32(i32, i32, i32, i8, i32)

declare float @dx.op.evalSampleIndex.f32(i32, i32, i32, i8, i32)

declare float @dx.op.evalSnapped.f32(i32, i32, i32, i8, i32, i32)

declare void @dx.op.storeOutput.f32(i32, i32, i32, i8, float)

!0 = !{}
