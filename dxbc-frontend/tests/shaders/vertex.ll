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
  %10 = add i32 %2, 1
  %11 = add i32 %2, 2
  %12 = add i32 %2, 3
  %13 = uitofp i32 %10 to float
  %14 = uitofp i32 %11 to float
  %15 = uitofp i32 %12 to float
  %16 = call %dx.types.CBufRet.f32 @dx.op.cBufferLoadLegacy.f32(i32 59, %dx.types.Handle %4, i32 33)  ; CBufferLoadLegacy(handle,regIndex)
  %17 = extractvalue %dx.types.CBufRet.f32 %16, 0
  %18 = fmul float %13, %17
  %19 = bitcast float %18 to i32
  %20 = getelementptr inbounds [20 x i32], [20 x i32]* %1, i32 0, i32 4
  store i32 %19, i32* %20, align 4
  %21 = call %dx.types.CBufRet.f32 @dx.op.cBufferLoadLegacy.f32(i32 59, %dx.types.Handle %4, i32 34)  ; CBufferLoadLegacy(handle,regIndex)
  %22 = extractvalue %dx.types.CBufRet.f32 %21, 0
  %23 = fmul float %14, %22
  %24 = bitcast float %23 to i32
  %25 = call %dx.types.CBufRet.f32 @dx.op.cBufferLoadLegacy.f32(i32 59, %dx.types.Handle %4, i32 35)  ; CBufferLoadLegacy(handle,regIndex)
  %26 = extractvalue %dx.types.CBufRet.f32 %25, 0
  %27 = fmul float %15, %26
  %28 = bitcast float %27 to i32
  %29 = getelementptr inbounds [20 x i32], [20 x i32]* %1, i32 0, i32 8
  store i32 %24, i32* %29, align 4
  %30 = getelementptr inbounds [20 x i32], [20 x i32]* %1, i32 0, i32 12
  store i32 %28, i32* %30, align 4
  %31 = call i32 @dx.op.loadInput.i32(i32 4, i32 3, i32 0, i8 0, i32 undef)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %32 = and i32 %31, 3
  %33 = call i32 @dx.op.binary.i32(i32 40, i32 %32, i32 4)  ; UMin(a,b)
  %34 = mul i32 %33, 4
  %35 = add i32 %34, 0
  %36 = getelementptr inbounds [20 x i32], [20 x i32]* %1, i32 0, i32 %35
  %37 = load i32, i32* %36, align 4
  %38 = bitcast i32 %37 to float
  %39 = call i32 @dx.op.loadInput.i32(i32 4, i32 1, i32 0, i8 1, i32 undef)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %40 = shl i32 %39, 2
  %41 = and i32 %40, 28
  %42 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 0, i32 undef)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %43 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 1, i32 undef)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %44 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 2, i32 undef)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %45 = call %dx.types.CBufRet.f32 @dx.op.cBufferLoadLegacy.f32(i32 59, %dx.types.Handle %4, i32 %41)  ; CBufferLoadLegacy(handle,regIndex)
  %46 = extractvalue %dx.types.CBufRet.f32 %45, 0
  %47 = extractvalue %dx.types.CBufRet.f32 %45, 1
  %48 = extractvalue %dx.types.CBufRet.f32 %45, 2
  %49 = extractvalue %dx.types.CBufRet.f32 %45, 3
  %50 = call float @dx.op.dot4.f32(i32 56, float %42, float %43, float %44, float 1.000000e+00, float %46, float %47, float %48, float %49)  ; Dot4(ax,ay,az,aw,bx,by,bz,bw)
  %51 = add i32 %41, 1
  %52 = call %dx.types.CBufRet.f32 @dx.op.cBufferLoadLegacy.f32(i32 59, %dx.types.Handle %4, i32 %51)  ; CBufferLoadLegacy(handle,regIndex)
  %53 = extractvalue %dx.types.CBufRet.f32 %52, 0
  %54 = add i32 %41, 1
  %55 = call %dx.types.CBufRet.f32 @dx.op.cBufferLoadLegacy.f32(i32 59, %dx.types.Handle %4, i32 %54)  ; CBufferLoadLegacy(handle,regIndex)
  %56 = extractvalue %dx.types.CBufRet.f32 %55, 1
  %57 = add i32 %41, 1
  %58 = call %dx.types.CBufRet.f32 @dx.op.cBufferLoadLegacy.f32(i32 59, %dx.types.Handle %4, i32 %57)  ; CBufferLoadLegacy(handle,regIndex)
  %59 = extractvalue %dx.types.CBufRet.f32 %58, 2
  %60 = add i32 %41, 1
  %61 = call %dx.types.CBufRet.f32 @dx.op.cBufferLoadLegacy.f32(i32 59, %dx.types.Handle %4, i32 %60)  ; CBufferLoadLegacy(handle,regIndex)
  %62 = extractvalue %dx.types.CBufRet.f32 %61, 3
  %63 = call float @dx.op.dot4.f32(i32 56, float %42, float %43, float %44, float 1.000000e+00, float %53, float %56, float %59, float %62)  ; Dot4(ax,ay,az,aw,bx,by,bz,bw)
  %64 = add i32 %41, 2
  %65 = call %dx.types.CBufRet.f32 @dx.op.cBufferLoadLegacy.f32(i32 59, %dx.types.Handle %4, i32 %64)  ; CBufferLoadLegacy(handle,regIndex)
  %66 = extractvalue %dx.types.CBufRet.f32 %65, 0
  %67 = add i32 %41, 2
  %68 = call %dx.types.CBufRet.f32 @dx.op.cBufferLoadLegacy.f32(i32 59, %dx.types.Handle %4, i32 %67)  ; CBufferLoadLegacy(handle,regIndex)
  %69 = extractvalue %dx.types.CBufRet.f32 %68, 1
  %70 = add i32 %41, 2
  %71 = call %dx.types.CBufRet.f32 @dx.op.cBufferLoadLegacy.f32(i32 59, %dx.types.Handle %4, i32 %70)  ; CBufferLoadLegacy(handle,regIndex)
  %72 = extractvalue %dx.types.CBufRet.f32 %71, 2
  %73 = add i32 %41, 2
  %74 = call %dx.types.CBufRet.f32 @dx.op.cBufferLoadLegacy.f32(i32 59, %dx.types.Handle %4, i32 %73)  ; CBufferLoadLegacy(handle,regIndex)
  %75 = extractvalue %dx.types.CBufRet.f32 %74, 3
  %76 = call float @dx.op.dot4.f32(i32 56, float %42, float %43, float %44, float 1.000000e+00, float %66, float %69, float %72, float %75)  ; Dot4(ax,ay,az,aw,bx,by,bz,bw)
  %77 = add i32 %41, 3
  %78 = call %dx.types.CBufRet.f32 @dx.op.cBufferLoadLegacy.f32(i32 59, %dx.types.Handle %4, i32 %77)  ; CBufferLoadLegacy(handle,regIndex)
  %79 = extractvalue %dx.types.CBufRet.f32 %78, 0
  %80 = add i32 %41, 3
  %81 = call %dx.types.CBufRet.f32 @dx.op.cBufferLoadLegacy.f32(i32 59, %dx.types.Handle %4, i32 %80)  ; CBufferLoadLegacy(handle,regIndex)
  %82 = extractvalue %dx.types.CBufRet.f32 %81, 1
  %83 = add i32 %41, 3
  %84 = call %dx.types.CBufRet.f32 @dx.op.cBufferLoadLegacy.f32(i32 59, %dx.types.Handle %4, i32 %83)  ; CBufferLoadLegacy(handle,regIndex)
  %85 = extractvalue %dx.types.CBufRet.f32 %84, 2
  %86 = add i32 %41, 3
  %87 = call %dx.types.CBufRet.f32 @dx.op.cBufferLoadLegacy.f32(i32 59, %dx.types.Handle %4, i32 %86)  ; CBufferLoadLegacy(handle,regIndex)
  %88 = extractvalue %dx.types.CBufRet.f32 %87, 3
  %89 = call float @dx.op.dot4.f32(i32 56, float %42, float %43, float %44, float 1.000000e+00, float %79, float %82, float %85, float %88)  ; Dot4(ax,ay,az,aw,bx,by,bz,bw)
  %90 = fmul float %38, %50
  %91 = fmul float %38, %63
  %92 = fmul float %38, %76
  %93 = fmul float %38, %89
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 0, float %90)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 1, float %91)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 2, float %92)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 3, float %93)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  %94 = call i32 @dx.op.loadInput.i32(i32 4, i32 1, i32 0, i8 0, i32 undef)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %95 = and i32 %94, 3
  %96 = add i32 %95, 32
  %97 = call %dx.types.CBufRet.f32 @dx.op.cBufferLoadLegacy.f32(i32 59, %dx.types.Handle %4, i32 %96)  ; CBufferLoadLegacy(handle,regIndex)
  %98 = extractvalue %dx.types.CBufRet.f32 %97, 0
  %99 = add i32 %95, 32
  %100 = call %dx.types.CBufRet.f32 @dx.op.cBufferLoadLegacy.f32(i32 59, %dx.types.Handle %4, i32 %99)  ; CBufferLoadLegacy(handle,regIndex)
  %101 = extractvalue %dx.types.CBufRet.f32 %100, 1
  %102 = add i32 %95, 32
  %103 = call %dx.types.CBufRet.f32 @dx.op.cBufferLoadLegacy.f32(i32 59, %dx.types.Handle %4, i32 %102)  ; CBufferLoadLegacy(handle,regIndex)
  %104 = extractvalue %dx.types.CBufRet.f32 %103, 2
  %105 = add i32 %95, 32
  %106 = call %dx.types.CBufRet.f32 @dx.op.cBufferLoadLegacy.f32(i32 59, %dx.types.Handle %4, i32 %105)  ; CBufferLoadLegacy(handle,regIndex)
  %107 = extractvalue %dx.types.CBufRet.f32 %106, 3
  call void @dx.op.storeOutput.f32(i32 5, i32 1, i32 0, i8 0, float %98)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  call void @dx.op.storeOutput.f32(i32 5, i32 1, i32 0, i8 1, float %101)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  call void @dx.op.storeOutput.f32(i32 5, i32 1, i32 0, i8 2, float %104)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  call void @dx.op.storeOutput.f32(i32 5, i32 1, i32 0, i8 3, float %107)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  call void @dx.op.storeOutput.f32(i32 5, i32 2, i32 0, i8 0, float %43)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  ret void
}

declare i32 @dx.op.loadInput.i32(i32, i32, i32, i8, i32)

declare %dx.types.Handle @dx.op.createHandle(i32, i8, i32, i32, i1)

declare %dx.types.CBufRet.f32 @dx.op.cBufferLoadLegacy.f32(i32, %dx.types.Handle, i32)

declare i32 @dx.op.binary.i32(i32, i32, i32)

declare float @dx.op.loadInput.f32(i32, i32, i32, i8, i32)

declare float @dx.op.dot4.f32(i32, float, float, float, float, float, float, float, float)

declare void @dx.op.storeOutput.f32(i32, i32, i32, i8, float)
