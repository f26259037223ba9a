;
; Buffer Definitions:
;
;
; Resource Bindings:
;
; Name                                 Type  Format         Dim      ID      HLSL Bind  Count
; ------------------------------ ---------- ------- ----------- ------- -------------- ------
; $Globals                          cbuffer      NA          NA     CB0            cb1     1
; Frame                             cbuffer      NA          NA     CB1            cb0     1
; Narrow                            cbuffer      NA          NA     CB2            cb2     1
; Texels                            texture     u32         buf      T0             t0     1
; items                             texture  struct         r/o      T1             t1     1
; out_                                  UAV  struct         r/w      U0             u1     1
;
target datalayout = "e-m:e-p:32:32-i1:32-i8:32-i16:32-i32:32-i64:64-f16:32-f32:32-f64:64-n8:16:32:64"
target triple = "dxil-ms-dx"

%dx.types.Handle = type { i8* }
%dx.types.ResRet.i32 = type { i32, i32, i32, i32, i32 }
%dx.types.CBufRet.i32 = type { i32, i32, i32, i32 }
%dx.types.CBufRet.f32 = type { float, float, float, float }

define void @main() {
  %1 = call i32 @dx.op.loadInput.i32(i32 4, i32 0, i32 0, i8 0, i32 undef)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %2 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 0, i32 1, i32 1, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %3 = call %dx.types.ResRet.i32 @dx.op.bufferLoad.i32(i32 68, %dx.types.Handle %2, i32 %1, i32 28)  ; BufferLoad(srv,index,wot)
  %4 = extractvalue %dx.types.ResRet.i32 %3, 0
  %5 = extractvalue %dx.types.ResRet.i32 %3, 1
  %6 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 0, i32 1, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %6, i32 %1, i32 0, i32 %4, i32 %5, i32 %4, i32 undef, i8 7)  ; BufferStore(uav,coord0,coord1,value0,value1,value2,value3,mask)
  %7 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 2, i32 1, i32 0, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %8 = call %dx.types.CBufRet.i32 @dx.op.cBufferLoadLegacy.i32(i32 59, %dx.types.Handle %7, i32 5)  ; CBufferLoadLegacy(handle,regIndex)
  %9 = extractvalue %dx.types.CBufRet.i32 %8, 2
  %10 = sitofp i32 %9 to float
  %11 = call %dx.types.CBufRet.f32 @dx.op.cBufferLoadLegacy.f32(i32 59, %dx.types.Handle %7, i32 0)  ; CBufferLoadLegacy(handle,regIndex)
  %12 = extractvalue %dx.types.CBufRet.f32 %11, 1
  %13 = fadd fast float %10, %12
  %14 = call %dx.types.CBufRet.f32 @dx.op.cBufferLoadLegacy.f32(i32 59, %dx.types.Handle %7, i32 1)  ; CBufferLoadLegacy(handle,regIndex)
  %15 = extractvalue %dx.types.CBufRet.f32 %14, 1
  %16 = fadd fast float %10, %15
  %17 = call %dx.types.CBufRet.f32 @dx.op.cBufferLoadLegacy.f32(i32 59, %dx.types.Handle %7, i32 2)  ; CBufferLoadLegacy(handle,regIndex)
  %18 = extractvalue %dx.types.CBufRet.f32 %17, 1
  %19 = fadd fast float %10, %18
  %20 = call %dx.types.CBufRet.f32 @dx.op.cBufferLoadLegacy.f32(i32 59, %dx.types.Handle %7, i32 3)  ; CBufferLoadLegacy(handle,regIndex)
  %21 = extractvalue %dx.types.CBufRet.f32 %20, 1
  %22 = fadd fast float %10, %21
  %23 = call %dx.types.CBufRet.f32 @dx.op.cBufferLoadLegacy.f32(i32 59, %dx.types.Handle %7, i32 12)  ; CBufferLoadLegacy(handle,regIndex)
  %24 = extractvalue %dx.types.CBufRet.f32 %23, 2
  %25 = fadd fast float %13, %24
  %26 = extractvalue %dx.types.CBufRet.f32 %23, 2
  %27 = fadd fast float %16, %26
  %28 = extractvalue %dx.types.CBufRet.f32 %23, 2
  %29 = fadd fast float %19, %28
  %30 = extractvalue %dx.types.CBufRet.f32 %23, 2
  %31 = fadd fast float %22, %30
  %32 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 0, i32 0, i32 0, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %33 = call %dx.types.ResRet.i32 @dx.op.bufferLoad.i32(i32 68, %dx.types.Handle %32, i32 0, i32 undef)  ; BufferLoad(srv,index,wot)
  %34 = extractvalue %dx.types.ResRet.i32 %33, 0
  %35 = bitcast i32 %34 to float
  %36 = extractvalue %dx.types.ResRet.i32 %33, 1
  %37 = bitcast i32 %36 to float
  %38 = extractvalue %dx.types.ResRet.i32 %33, 2
  %39 = bitcast i32 %38 to float
  %40 = extractvalue %dx.types.ResRet.i32 %33, 3
  %41 = bitcast i32 %40 to float
  %42 = fadd fast float %25, %35
  %43 = fadd fast float %27, %37
  %44 = fadd fast float %29, %39
  %45 = fadd fast float %31, %41
  %46 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 2, i32 0, i32 1, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %47 = call %dx.types.CBufRet.f32 @dx.op.cBufferLoadLegacy.f32(i32 59, %dx.types.Handle %46, i32 0)  ; CBufferLoadLegacy(handle,regIndex)
  %48 = extractvalue %dx.types.CBufRet.f32 %47, 0
  %49 = fadd fast float %42, %48
  %50 = extractvalue %dx.types.CBufRet.f32 %47, 0
  %51 = fadd fast float %43, %50
  %52 = extractvalue %dx.types.CBufRet.f32 %47, 0
  %53 = fadd fast float %44, %52
  %54 = extractvalue %dx.types.CBufRet.f32 %47, 0
  %55 = fadd fast float %45, %54
  %56 = call %dx.types.CBufRet.i32 @dx.op.cBufferLoadLegacy.i32(i32 59, %dx.types.Handle %7, i32 8)  ; CBufferLoadLegacy(handle,regIndex)
  %57 = extractvalue %dx.types.CBufRet.i32 %56, 0
  %58 = uitofp i32 %57 to float
  %59 = extractvalue %dx.types.CBufRet.i32 %56, 1
  %60 = uitofp i32 %59 to float
  %61 = extractvalue %dx.types.CBufRet.i32 %56, 2
  %62 = uitofp i32 %61 to float
  %63 = extractvalue %dx.types.CBufRet.i32 %56, 3
  %64 = uitofp i32 %63 to float
  %65 = call %dx.types.CBufRet.f32 @dx.op.cBufferLoadLegacy.f32(i32 59, %dx.types.Handle %7, i32 24)  ; CBufferLoadLegacy(handle,regIndex)
  %66 = extractvalue %dx.types.CBufRet.f32 %65, 0
  %67 = fadd fast float %58, %66
  %68 = extractvalue %dx.types.CBufRet.f32 %65, 1
  %69 = fadd fast float %60, %68
  %70 = extractvalue %dx.types.CBufRet.f32 %65, 2
  %71 = fadd fast float %62, %70
  %72 = extractvalue %dx.types.CBufRet.f32 %65, 2
  %73 = fadd fast float %64, %72
  %74 = call %dx.types.CBufRet.f32 @dx.op.cBufferLoadLegacy.f32(i32 59, %dx.types.Handle %7, i32 7)  ; CBufferLoadLegacy(handle,regIndex)
  %75 = extractvalue %dx.types.CBufRet.f32 %74, 0
  %76 = fadd fast float %67, %75
  %77 = extractvalue %dx.types.CBufRet.f32 %74, 0
  %78 = fadd fast float %69, %77
  %79 = extractvalue %dx.types.CBufRet.f32 %74, 0
  %80 = fadd fast float %71, %79
  %81 = extractvalue %dx.types.CBufRet.f32 %74, 0
  %82 = fadd fast float %73, %81
  %83 = fadd fast float %49, %76
  %84 = fadd fast float %51, %78
  %85 = fadd fast float %53, %80
  %86 = fadd fast float %55, %82
  %87 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 2, i32 2, i32 2, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %88 = call %dx.types.CBufRet.i32 @dx.op.cBufferLoadLegacy.i32(i32 59, %dx.types.Handle %87, i32 2)  ; CBufferLoadLegacy(handle,regIndex)
  %89 = extractvalue %dx.types.CBufRet.i32 %88, 0
  %90 = call %dx.types.CBufRet.i32 @dx.op.cBufferLoadLegacy.i32(i32 59, %dx.types.Handle %87, i32 3)  ; CBufferLoadLegacy(handle,regIndex)
  %91 = extractvalue %dx.types.CBufRet.i32 %90, 0
  %92 = add i32 %89, %91
  %93 = extractvalue %dx.types.CBufRet.i32 %90, 1
  %94 = add i32 %92, %93
  %95 = uitofp i32 %94 to float
  %96 = call %dx.types.CBufRet.f32 @dx.op.cBufferLoadLegacy.f32(i32 59, %dx.types.Handle %87, i32 0)  ; CBufferLoadLegacy(handle,regIndex)
  %97 = extractvalue %dx.types.CBufRet.f32 %96, 0
  %98 = fptrunc float %97 to half
  %99 = call %dx.types.CBufRet.f32 @dx.op.cBufferLoadLegacy.f32(i32 59, %dx.types.Handle %87, i32 1)  ; CBufferLoadLegacy(handle,regIndex)
  %100 = extractvalue %dx.types.CBufRet.f32 %99, 0
  %101 = fptrunc float %100 to half
  %102 = fadd fast half %98, %101
  %103 = fpext half %102 to float
  %104 = call %dx.types.CBufRet.i32 @dx.op.cBufferLoadLegacy.i32(i32 59, %dx.types.Handle %7, i32 7)  ; CBufferLoadLegacy(handle,regIndex)
  %105 = extractvalue %dx.types.CBufRet.i32 %104, 2
  %106 = icmp ne i32 %105, 0
  %107 = select i1 %106, float %103, float %95
  %108 = fadd fast float %83, %107
  %109 = fadd fast float %84, %107
  %110 = fadd fast float %85, %107
  %111 = fadd fast float %86, %107
  %112 = call %dx.types.CBufRet.i32 @dx.op.cBufferLoadLegacy.i32(i32 59, %dx.types.Handle %87, i32 4)  ; CBufferLoadLegacy(handle,regIndex)
  %113 = extractvalue %dx.types.CBufRet.i32 %112, 0
  %114 = extractvalue %dx.types.CBufRet.i32 %112, 1
  %115 = call double @dx.op.makeDouble.f64(i32 101, i32 %113, i32 %114)  ; MakeDouble(lo,hi)
  %116 = fptrunc double %115 to float
  %117 = fadd fast float %108, %116
  %118 = fadd fast float %109, %116
  %119 = fadd fast float %110, %116
  %120 = fadd fast float %111, %116
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 0, float %117)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 1, float %118)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 2, float %119)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 3, float %120)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  ret void
}

declare i32 @dx.op.loadInput.i32(i32, i32, i32, i8, i32)

declare %dx.types.Handle @dx.op.createHandle(i32, i8, i32, i32, i1)

declare %dx.types.ResRet.i32 @dx.op.bufferLoad.i32(i32, %dx.types.Handle, i32, i32)

declare void @dx.op.bufferStore.i32(i32, %dx.types.Handle, i32, i32, i32, i32, i32, i32, i8)

declare %dx.types.CBufRet.i32 @dx.op.cBufferLoadLegacy.i32(i32, %dx.types.Handle, i32)

declare %dx.types.CBufRet.f32 @dx.op.cBufferLoadLegacy.f32(i32, %dx.types.Handle, i32)

declare double @dx.op.makeDouble.f64(i32, i32, i32)

declare void @dx.op.storeOutput.f32(i32, i32, i32, i8, float)
