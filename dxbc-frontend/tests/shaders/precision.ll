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
  %10 = call float @dx.op.tertiary.f32(i32 46, float %6, float %3, float 2.500000e-01)  ; FMad(a,b,c)
  %11 = call float @dx.op.tertiary.f32(i32 46, float %7, float %3, float 2.500000e-01)  ; FMad(a,b,c)
  %12 = call float @dx.op.tertiary.f32(i32 46, float %8, float %3, float 2.500000e-01)  ; FMad(a,b,c)
  %13 = call float @dx.op.tertiary.f32(i32 46, float %9, float %3, float 2.500000e-01)  ; FMad(a,b,c)
  %14 = call i32 @dx.op.loadInput.i32(i32 4, i32 1, i32 0, i8 0, i32 undef)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %15 = shl i32 %14, 2
  %16 = sitofp i32 %15 to float
  %17 = fadd fast float %10, %16
  %18 = fadd fast float %11, %16
  %19 = fadd fast float %12, %16
  %20 = fadd fast float %13, %16
  %21 = call float @dx.op.loadInput.f32(i32 4, i32 2, i32 0, i8 1, i32 undef), !dx.precise !0  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %22 = call float @dx.op.loadInput.f32(i32 4, i32 2, i32 0, i8 0, i32 undef), !dx.precise !0  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %23 = fmul float %21, %22
  %24 = call float @dx.op.loadInput.f32(i32 4, i32 2, i32 0, i8 2, i32 undef), !dx.precise !0  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %25 = fadd float %23, %24
  %26 = fadd fast float %17, %25
  %27 = fadd fast float %18, %25
  %28 = fadd fast float %19, %25
  %29 = fadd fast float %20, %25
  %30 = call float @dx.op.evalSampleIndex.f32(i32 88, i32 2, i32 0, i8 0, i32 1)  ; EvalSampleIndex(inputSigId,inputRowIndex,inputColIndex,sampleIndex)
  %31 = call float @dx.op.evalSampleIndex.f32(i32 88, i32 2, i32 0, i8 1, i32 1)  ; EvalSampleIndex(inputSigId,inputRowIndex,inputColIndex,sampleIndex)
  %32 = call float @dx.op.evalSampleIndex.f32(i32 88, i32 2, i32 0, i8 2, i32 1)  ; EvalSampleIndex(inputSigId,inputRowIndex,inputColIndex,sampleIndex)
  %33 = call float @dx.op.evalSampleIndex.f32(i32 88, i32 2, i32 0, i8 3, i32 1)  ; EvalSampleIndex(inputSigId,inputRowIndex,inputColIndex,sampleIndex)
  %34 = fadd fast float %26, %30
  %35 = fadd fast float %27, %31
  %36 = fadd fast float %28, %32
  %37 = fadd fast float %29, %33
  %38 = call float @dx.op.evalSnapped.f32(i32 87, i32 2, i32 0, i8 0, i32 -3, i32 4)  ; EvalSnapped(inputSigId,inputRowIndex,inputColIndex,offsetX,offsetY)
  %39 = call float @dx.op.evalSnapped.f32(i32 87, i32 2, i32 0, i8 1, i32 -3, i32 4)  ; EvalSnapped(inputSigId,inputRowIndex,inputColIndex,offsetX,offsetY)
  %40 = call float @dx.op.evalSnapped.f32(i32 87, i32 2, i32 0, i8 2, i32 -3, i32 4)  ; EvalSnapped(inputSigId,inputRowIndex,inputColIndex,offsetX,offsetY)
  %41 = call float @dx.op.evalSnapped.f32(i32 87, i32 2, i32 0, i8 3, i32 -3, i32 4)  ; EvalSnapped(inputSigId,inputRowIndex,inputColIndex,offsetX,offsetY)
  %42 = fadd fast float %34, %38
  %43 = fadd fast float %35, %39
  %44 = fadd fast float %36, %40
  %45 = fadd fast float %37, %41
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 0, float %42)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 1, float %43)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 2, float %44)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 3, float %45)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
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
