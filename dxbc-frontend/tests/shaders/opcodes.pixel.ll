;
; Buffer Definitions:
;
;
; Resource Bindings:
;
; Name                                 Type  Format         Dim      ID      HLSL Bind  Count
; ------------------------------ ---------- ------- ----------- ------- -------------- ------
; linear_sampler                    sampler      NA          NA      S0             s0     1
; comparison                        sampler      NA          NA      S1             s1     1
; image                             texture     f32          2d      T0             t0     1
; samples                           texture     f32        2dMS      T1             t1     1
;
target datalayout = "e-m:e-p:32:32-i1:32-i8:32-i16:32-i32:32-i64:64-f16:32-f32:32-f64:64-n8:16:32:64"
target triple = "dxil-ms-dx"

%dx.types.Handle = type { i8* }
%dx.types.ResRet.f32 = type { float, float, float, float, i32 }

define void @main() {
  %1 = call float @dx.op.loadInput.f32(i32 4, i32 1, i32 0, i8 0, i32 undef)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %2 = call float @dx.op.unary.f32(i32 84, float %1)  ; DerivCoarseY(value)
  %3 = call float @dx.op.loadInput.f32(i32 4, i32 1, i32 0, i8 1, i32 undef)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %4 = call float @dx.op.unary.f32(i32 84, float %3)  ; DerivCoarseY(value)
  %5 = call float @dx.op.unary.f32(i32 83, float %1)  ; DerivCoarseX(value)
  %6 = call float @dx.op.unary.f32(i32 83, float %3)  ; DerivCoarseX(value)
  %7 = call float @dx.op.tertiary.f32(i32 46, float %2, float 2.000000e+00, float %5)  ; FMad(a,b,c)
  %8 = call float @dx.op.tertiary.f32(i32 46, float %4, float 2.000000e+00, float %6)  ; FMad(a,b,c)
  %9 = call float @dx.op.unary.f32(i32 85, float %1)  ; DerivFineX(value)
  %10 = call float @dx.op.unary.f32(i32 85, float %3)  ; DerivFineX(value)
  %11 = fadd fast float %9, %7
  %12 = fadd fast float %10, %8
  %13 = call float @dx.op.unary.f32(i32 86, float %1)  ; DerivFineY(value)
  %14 = call float @dx.op.unary.f32(i32 86, float %3)  ; DerivFineY(value)
  %15 = fadd fast float %13, %11
  %16 = fadd fast float %14, %12
  %17 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 0, i32 undef)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %18 = fptosi float %17 to i32
  %19 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 1, i32 undef)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %20 = fptosi float %19 to i32
  %21 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 0, i32 1, i32 1, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %22 = call %dx.types.ResRet.f32 @dx.op.textureLoad.f32(i32 66, %dx.types.Handle %21, i32 1, i32 %18, i32 %20, i32 undef, i32 0, i32 0, i32 undef)  ; TextureLoad(srv,mipLevelOrSampleCount,coord0,coord1,coord2,offset0,offset1,offset2)
  %23 = extractvalue %dx.types.ResRet.f32 %22, 0
  %24 = extractvalue %dx.types.ResRet.f32 %22, 1
  %25 = extractvalue %dx.types.ResRet.f32 %22, 2
  %26 = extractvalue %dx.types.ResRet.f32 %22, 3
  %27 = extractvalue %dx.types.ResRet.f32 %22, 4
  %28 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 0, i32 0, i32 0, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %29 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 3, i32 0, i32 0, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %30 = call i32 @dx.op.loadInput.i32(i32 4, i32 2, i32 0, i8 0, i32 undef)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %31 = call i32 @dx.op.loadInput.i32(i32 4, i32 2, i32 0, i8 1, i32 undef)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %32 = call %dx.types.ResRet.f32 @dx.op.textureGather.f32(i32 73, %dx.types.Handle %28, %dx.types.Handle %29, float %1, float %3, float undef, float undef, i32 %30, i32 %31, i32 0)  ; TextureGather(srv,sampler,coord0,coord1,coord2,coord3,offset0,offset1,channel)
  %33 = extractvalue %dx.types.ResRet.f32 %32, 0
  %34 = extractvalue %dx.types.ResRet.f32 %32, 1
  %35 = extractvalue %dx.types.ResRet.f32 %32, 2
  %36 = extractvalue %dx.types.ResRet.f32 %32, 3
  %37 = extractvalue %dx.types.ResRet.f32 %32, 4
  %38 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 3, i32 1, i32 1, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %39 = call %dx.types.ResRet.f32 @dx.op.textureGatherCmp.f32(i32 74, %dx.types.Handle %28, %dx.types.Handle %38, float %1, float %3, float undef, float undef, i32 %30, i32 %31, i32 0, float 5.000000e-01)  ; TextureGatherCmp(srv,sampler,coord0,coord1,coord2,coord3,offset0,offset1,channel,compareValue)
  %40 = extractvalue %dx.types.ResRet.f32 %39, 0
  %41 = extractvalue %dx.types.ResRet.f32 %39, 1
  %42 = extractvalue %dx.types.ResRet.f32 %39, 2
  %43 = extractvalue %dx.types.ResRet.f32 %39, 3
  %44 = extractvalue %dx.types.ResRet.f32 %39, 4
  %45 = fadd fast float %33, %40
  %46 = fadd fast float %34, %41
  %47 = fadd fast float %35, %42
  %48 = fadd fast float %36, %43
  %49 = call i1 @dx.op.checkAccessFullyMapped.i32(i32 71, i32 %37)  ; CheckAccessFullyMapped(status)
  %50 = call i1 @dx.op.checkAccessFullyMapped.i32(i32 71, i32 %44)  ; CheckAccessFullyMapped(status)
  %51 = select i1 %49, i32 1, i32 0
  %52 = select i1 %50, i32 1, i32 0
  %53 = and i32 %52, %51
  %54 = fadd fast float %23, %45
  %55 = fadd fast float %24, %46
  %56 = fadd fast float %25, %47
  %57 = fadd fast float %26, %48
  %58 = call i1 @dx.op.checkAccessFullyMapped.i32(i32 71, i32 %27)  ; CheckAccessFullyMapped(status)
  %59 = select i1 %58, i32 1, i32 0
  %60 = and i32 %59, %53
  %61 = fadd fast float %15, %54
  %62 = fadd fast float %16, %55
  %63 = call float @dx.op.evalCentroid.f32(i32 89, i32 1, i32 0, i8 0)  ; EvalCentroid(inputSigId,inputRowIndex,inputColIndex)
  %64 = call float @dx.op.evalCentroid.f32(i32 89, i32 1, i32 0, i8 1)  ; EvalCentroid(inputSigId,inputRowIndex,inputColIndex)
  %65 = fadd fast float %63, %61
  %66 = fadd fast float %64, %62
  %67 = fadd fast float %63, %56
  %68 = fadd fast float %64, %57
  %69 = icmp ne i32 %60, 0
  %70 = select i1 %69, float %65, float 0.000000e+00
  %71 = icmp ne i32 %60, 0
  %72 = select i1 %71, float %66, float 0.000000e+00
  %73 = icmp ne i32 %60, 0
  %74 = select i1 %73, float %67, float 0.000000e+00
  %75 = icmp ne i32 %60, 0
  %76 = select i1 %75, float %68, float 0.000000e+00
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 0, float %70)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 1, float %72)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 2, float %74)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 3, float %76)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  ret void
}

declare float @dx.op.loadInput.f32(i32, i32, i32, i8, i32)

declare float @dx.op.unary.f32(i32, float)

declare float @dx.op.tertiary.f32(i32, float, float, float)

declare %dx.types.Handle @dx.op.createHandle(i32, i8, i32, i32, i1)

declare %dx.types.ResRet.f32 @dx.op.textureLoad.f32(i32, %dx.types.Handle, i32, i32, i32, i32, i32, i32, i32)

declare i32 @dx.op.loadInput.i32(i32, i32, i32, i8, i32)

declare %dx.types.ResRet.f32 @dx.op.textureGather.f32(i32, %dx.types.Handle, %dx.types.Handle, float, float, float, float, i32, i32, i32)

declare %dx.types.ResRet.f32 @dx.op.textureGatherCmp.f32(i32, %dx.types.Handle, %dx.types.Handle, float, float, float, float, i32, i32, i32, float)

declare i1 @dx.op.checkAccessFullyMapped.i32(i32, i32)

declare float @dx.op.evalCentroid.f32(i32, i32, i32, i8)

declare void @dx.op.storeOutput.f32(i32, i32, i32, i8, float)
