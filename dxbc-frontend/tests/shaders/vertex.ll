;
; Buffer Definitions:
;
;
; Resource Bindings:
;
; Name                                 Type  Format         Dim      ID      HLSL Bind  Count
; ------------------------------ ---------- ------- ----------- ------- -------------- ------
; Transforms                        cbuffer      NA          NA     CB0            cb1     1
;
target datalayout = "e-m:e-p:32:32-i1:32-i8:32-i16:32-i32:32-i64:64-f16:32-f32:32-f64:64-n8:16:32:64"
target triple = "dxil-ms-dx"

%dx.types.Handle = type { i8* }
%dx.types.CBufRet.f32 = type { float, float, float, float }

define void @main() {
  %1 = alloca [20 x i32], align 4
  %2 = call i32 @dx.op.loadInput.i32(i32 4, i32 2, i32 0, i8 0, i32 undef)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %3 = uitofp i32 %2 to float
  %4 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 2, i32 0, i32 1, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %5 = call %dx.types.CBufRet.f32 @dx.op.cBufferLoadLegacy.f32(i32 59, %dx.types.Handle %4, i32 32)  ; CBufferLoadLegacy(handle,regIndex)
  %6 = extractvalue %dx.types.CBufRet.f32 %5, 0
  %7 = fmul float %3, %6
  %8 = bitcast float %7 to i32
  %9 = getelementptr inbounds [20 x i32], [20 x i32]* %1, i32 0, i32 0
  store i32 %8, i32* %9, align 4
  %10 = call i32 @dx.op.loadInput.i32(i32 4, i32 2, i32 0, i8 0, i32 undef)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %11 = add i32 %10, 1
  %12 = call i32 @dx.op.loadInput.i32(i32 4, i32 2, i32 0, i8 0, i32 undef)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %13 = add i32 %12, 2
  %14 = call i32 @dx.op.loadInput.i32(i32 4, i32 2, i32 0, i8 0, i32 undef)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %15 = add i32 %14, 3
  %16 = uitofp i32 %11 to float
  %17 = uitofp i32 %13 to float
  %18 = uitofp i32 %15 to float
  %19 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 2, i32 0, i32 1, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %20 = call %dx.types.CBufRet.f32 @dx.op.cBufferLoadLegacy.f32(i32 59, %dx.types.Handle %19, i32 33)  ; CBufferLoadLegacy(handle,regIndex)
  %21 = extractvalue %dx.types.CBufRet.f32 %20, 0
  %22 = fmul float %16, %21
  %23 = bitcast float %22 to i32
  %24 = getelementptr inbounds [20 x i32], [20 x i32]* %1, i32 0, i32 4
  store i32 %23, i32* %24, align 4
  %25 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 2, i32 0, i32 1, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %26 = call %dx.types.CBufRet.f32 @dx.op.cBufferLoadLegacy.f32(i32 59, %dx.types.Handle %25, i32 34)  ; CBufferLoadLegacy(handle,regIndex)
  %27 = extractvalue %dx.types.CBufRet.f32 %26, 0
  %28 = fmul float %17, %27
  %29 = bitcast float %28 to i32
  %30 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 2, i32 0, i32 1, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %31 = call %dx.types.CBufRet.f32 @dx.op.cBufferLoadLegacy.f32(i32 59, %dx.types.Handle %30, i32 35)  ; CBufferLoadLegacy(handle,regIndex)
  %32 = extractvalue %dx.types.CBufRet.f32 %31, 0
  %33 = fmul float %18, %32
  %34 = bitcast float %33 to i32
  %35 = getelementptr inbounds [20 x i32], [20 x i32]* %1, i32 0, i32 8
  store i32 %29, i32* %35, align 4
  %36 = getelementptr inbounds [20 x i32], [20 x i32]* %1, i32 0, i32 12
  store i32 %34, i32* %36, align 4
  %37 = call i32 @dx.op.loadInput.i32(i32 4, i32 3, i32 0, i8 0, i32 undef)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %38 = and i32 %37, 3
  %39 = call i32 @dx.op.binary.i32(i32 40, i32 %38, i32 4)  ; UMin(a,b)
  %40 = mul i32 %39, 4
  %41 = add i32 %40, 0
  %42 = getelementptr inbounds [20 x i32], [20 x i32]* %1, i32 0, i32 %41
  %43 = load i32, i32* %42, align 4
  %44 = bitcast i32 %43 to float
  %45 = call i32 @dx.op.loadInput.i32(i32 4, i32 1, i32 0, i8 1, i32 undef)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %46 = shl i32 %45, 2
  %47 = and i32 %46, 28
  %48 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 0, i32 undef)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %49 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 1, i32 undef)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %50 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 2, i32 undef)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %51 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 2, i32 0, i32 1, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %52 = call %dx.types.CBufRet.f32 @dx.op.cBufferLoadLegacy.f32(i32 59, %dx.types.Handle %51, i32 %47)  ; CBufferLoadLegacy(handle,regIndex)
  %53 = extractvalue %dx.types.CBufRet.f32 %52, 0
  %54 = extractvalue %dx.types.CBufRet.f32 %52, 1
  %55 = extractvalue %dx.types.CBufRet.f32 %52, 2
  %56 = extractvalue %dx.types.CBufRet.f32 %52, 3
  %57 = call float @dx.op.dot4.f32(i32 56, float %48, float %49, float %50, float 1.000000e+00, float %53, float %54, float %55, float %56)  ; Dot4(ax,ay,az,aw,bx,by,bz,bw)
  %58 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 2, i32 0, i32 1, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %59 = add i32 %47, 1
  %60 = call %dx.types.CBufRet.f32 @dx.op.cBufferLoadLegacy.f32(i32 59, %dx.types.Handle %58, i32 %59)  ; CBufferLoadLegacy(handle,regIndex)
  %61 = extractvalue %dx.types.CBufRet.f32 %60, 0
  %62 = extractvalue %dx.types.CBufRet.f32 %60, 1
  %63 = extractvalue %dx.types.CBufRet.f32 %60, 2
  %64 = extractvalue %dx.types.CBufRet.f32 %60, 3
  %65 = call float @dx.op.dot4.f32(i32 56, float %48, float %49, float %50, float 1.000000e+00, float %61, float %62, float %63, float %64)  ; Dot4(ax,ay,az,aw,bx,by,bz,bw)
  %66 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 2, i32 0, i32 1, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %67 = add i32 %47, 2
  %68 = call %dx.types.CBufRet.f32 @dx.op.cBufferLoadLegacy.f32(i32 59, %dx.types.Handle %66, i32 %67)  ; CBufferLoadLegacy(handle,regIndex)
  %69 = extractvalue %dx.types.CBufRet.f32 %68, 0
  %70 = extractvalue %dx.types.CBufRet.f32 %68, 1
  %71 = extractvalue %dx.types.CBufRet.f32 %68, 2
  %72 = extractvalue %dx.types.CBufRet.f32 %68, 3
  %73 = call float @dx.op.dot4.f32(i32 56, float %48, float %49, float %50, float 1.000000e+00, float %69, float %70, float %71, float %72)  ; Dot4(ax,ay,az,aw,bx,by,bz,bw)
  %74 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 2, i32 0, i32 1, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %75 = add i32 %47, 3
  %76 = call %dx.types.CBufRet.f32 @dx.op.cBufferLoadLegacy.f32(i32 59, %dx.types.Handle %74, i32 %75)  ; CBufferLoadLegacy(handle,regIndex)
  %77 = extractvalue %dx.types.CBufRet.f32 %76, 0
  %78 = extractvalue %dx.types.CBufRet.f32 %76, 1
  %79 = extractvalue %dx.types.CBufRet.f32 %76, 2
  %80 = extractvalue %dx.types.CBufRet.f32 %76, 3
  %81 = call float @dx.op.dot4.f32(i32 56, float %48, float %49, float %50, float 1.000000e+00, float %77, float %78, float %79, float %80)  ; Dot4(ax,ay,az,aw,bx,by,bz,bw)
  %82 = fmul float %44, %57
  %83 = fmul float %44, %65
  %84 = fmul float %44, %73
  %85 = fmul float %44, %81
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 0, float %82)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 1, float %83)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 2, float %84)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 3, float %85)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  %86 = call i32 @dx.op.loadInput.i32(i32 4, i32 1, i32 0, i8 0, i32 undef)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %87 = and i32 %86, 3
  %88 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 2, i32 0, i32 1, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %89 = add i32 %87, 32
  %90 = call %dx.types.CBufRet.f32 @dx.op.cBufferLoadLegacy.f32(i32 59, %dx.types.Handle %88, i32 %89)  ; CBufferLoadLegacy(handle,regIndex)
  %91 = extractvalue %dx.types.CBufRet.f32 %90, 0
  %92 = extractvalue %dx.types.CBufRet.f32 %90, 1
  %93 = extractvalue %dx.types.CBufRet.f32 %90, 2
  %94 = extractvalue %dx.types.CBufRet.f32 %90, 3
  call void @dx.op.storeOutput.f32(i32 5, i32 1, i32 0, i8 0, float %91)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  call void @dx.op.storeOutput.f32(i32 5, i32 1, i32 0, i8 1, float %92)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  call void @dx.op.storeOutput.f32(i32 5, i32 1, i32 0, i8 2, float %93)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  call void @dx.op.storeOutput.f32(i32 5, i32 1, i32 0, i8 3, float %94)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  %95 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 1, i32 undef)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  call void @dx.op.storeOutput.f32(i32 5, i32 2, i32 0, i8 0, float %95)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  ret void
}

declare i32 @dx.op.loadInput.i32(i32, i32, i32, i8, i32)

declare %dx.types.Handle @dx.op.createHandle(i32, i8, i32, i32, i1)

declare %dx.types.CBufRet.f32 @dx.op.cBufferLoadLegacy.f32(i32, %dx.types.Handle, i32)

declare i32 @dx.op.binary.i32(i32, i32, i32)

declare float @dx.op.loadInput.f32(i32, i32, i32, i8, i32)

declare float @dx.op.dot4.f32(i32, float, float, float, float, float, float, float, float)

declare void @dx.op.storeOutput.f32(i32, i32, i32, i8, float)
