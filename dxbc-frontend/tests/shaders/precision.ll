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
  %10 = fptrunc float %6 to half
  %11 = fptrunc float %3 to half
  %12 = fptrunc float 2.500000e-01 to half
  %13 = call half @dx.op.tertiary.f16(i32 46, half %10, half %11, half %12)  ; FMad(a,b,c)
  %14 = fptrunc float %7 to half
  %15 = call half @dx.op.tertiary.f16(i32 46, half %14, half %11, half %12)  ; FMad(a,b,c)
  %16 = fptrunc float %8 to half
  %17 = call half @dx.op.tertiary.f16(i32 46, half %16, half %11, half %12)  ; FMad(a,b,c)
  %18 = fptrunc float %9 to half
  %19 = call half @dx.op.tertiary.f16(i32 46, half %18, half %11, half %12)  ; FMad(a,b,c)
  %20 = call i32 @dx.op.loadInput.i32(i32 4, i32 1, i32 0, i8 0, i32 undef)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %21 = shl i32 %20, 2
  %22 = sitofp i32 %21 to float
  %23 = fptrunc float %22 to half
  %24 = fadd fast half %13, %23
  %25 = fpext half %24 to float
  %26 = fadd fast half %15, %23
  %27 = fpext half %26 to float
  %28 = fadd fast half %17, %23
  %29 = fpext half %28 to float
  %30 = fadd fast half %19, %23
  %31 = fpext half %30 to float
  %32 = call float @dx.op.loadInput.f32(i32 4, i32 2, i32 0, i8 1, i32 undef), !dx.precise !0  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %33 = call float @dx.op.loadInput.f32(i32 4, i32 2, i32 0, i8 0, i32 undef), !dx.precise !0  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %34 = fmul float %32, %33
  %35 = call float @dx.op.loadInput.f32(i32 4, i32 2, i32 0, i8 2, i32 undef), !dx.precise !0  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %36 = fadd float %34, %35
  %37 = fadd fast float %25, %36
  %38 = fadd fast float %27, %36
  %39 = fadd fast float %29, %36
  %40 = fadd fast float %31, %36
  %41 = call float @dx.op.evalSampleIndex.f32(i32 88, i32 2, i32 0, i8 0, i32 1)  ; EvalSampleIndex(inputSigId,inputRowIndex,inputColIndex,sampleIndex)
  %42 = call float @dx.op.evalSampleIndex.f32(i32 88, i32 2, i32 0, i8 1, i32 1)  ; EvalSampleIndex(inputSigId,inputRowIndex,inputColIndex,sampleIndex)
  %43 = call float @dx.op.evalSampleIndex.f32(i32 88, i32 2, i32 0, i8 2, i32 1)  ; EvalSampleIndex(inputSigId,inputRowIndex,inputColIndex,sampleIndex)
  %44 = call float @dx.op.evalSampleIndex.f32(i32 88, i32 2, i32 0, i8 3, i32 1)  ; EvalSampleIndex(inputSigId,inputRowIndex,inputColIndex,sampleIndex)
  %45 = fadd fast float %37, %41
  %46 = fadd fast float %38, %42
  %47 = fadd fast float %39, %43
  %48 = fadd fast float %40, %44
  %49 = call float @dx.op.evalSnapped.f32(i32 87, i32 2, i32 0, i8 0, i32 -3, i32 4)  ; EvalSnapped(inputSigId,inputRowIndex,inputColIndex,offsetX,offsetY)
  %50 = call float @dx.op.evalSnapped.f32(i32 87, i32 2, i32 0, i8 1, i32 -3, i32 4)  ; EvalSnapped(inputSigId,inputRowIndex,inputColIndex,offsetX,offsetY)
  %51 = call float @dx.op.evalSnapped.f32(i32 87, i32 2, i32 0, i8 2, i32 -3, i32 4)  ; EvalSnapped(inputSigId,inputRowIndex,inputColIndex,offsetX,offsetY)
  %52 = call float @dx.op.evalSnapped.f32(i32 87, i32 2, i32 0, i8 3, i32 -3, i32 4)  ; EvalSnapped(inputSigId,inputRowIndex,inputColIndex,offsetX,offsetY)
  %53 = fadd fast float %45, %49
  %54 = fadd fast float %46, %50
  %55 = fadd fast float %47, %51
  %56 = fadd fast float %48, %52
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 0, float %53)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 1, float %54)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 2, float %55)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 3, float %56)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  ret void
}

declare %dx.types.Handle @dx.op.createHandle(i32, i8, i32, i32, i1)

declare float @dx.op.loadInput.f32(i32, i32, i32, i8, i32)

declare %dx.types.ResRet.f32 @dx.op.sample.f32(i32, %dx.types.Handle, %dx.types.Handle, float, float, float, float, i32, i32, i32, float)

declare half @dx.op.tertiary.f16(i32, half, half, half)

declare i32 @dx.op.loadInput.i32(i32, i32, i32, i8, i32)

declare float @dx.op.evalSampleIndex.f32(i32, i32, i32, i8, i32)

declare float @dx.op.evalSnapped.f32(i32, i32, i32, i8, i32, i32)

declare void @dx.op.storeOutput.f32(i32, i32, i32, i8, float)

!0 = !{}
