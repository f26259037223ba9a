;
; Buffer Definitions:
;
;
; Resource Bindings:
;
; Name                                 Type  Format         Dim      ID      HLSL Bind  Count
; ------------------------------ ---------- ------- ----------- ------- -------------- ------
; C                                 cbuffer      NA          NA     CB0            cb1     1
; raw_in                            texture    byte         r/o      T0             t0     1
; structs                           texture  struct         r/o      T1             t1     1
; typed_f                           texture     f32         buf      T2             t2     1
; typed_u                           texture     u32         buf      T3             t3     1
; raw                                   UAV    byte         r/w      U0             u0     1
; out_structs                           UAV  struct         r/w      U1             u1     1
; typed_out                             UAV     f32         buf      U2             u2     1
; ints                                  UAV     i32         buf      U3             u3     1
;
target datalayout = "e-m:e-p:32:32-i1:32-i8:32-i16:32-i32:32-i64:64-f16:32-f32:32-f64:64-n8:16:32:64"
target triple = "dxil-ms-dx"

%dx.types.Handle = type { i8* }
%dx.types.Dimensions = type { i32, i32, i32, i32 }
%dx.types.ResRet.i32 = type { i32, i32, i32, i32, i32 }
%dx.types.ResRet.f32 = type { float, float, float, float, i32 }
%dx.types.CBufRet.f32 = type { float, float, float, float }
%dx.types.CBufRet.i32 = type { i32, i32, i32, i32 }

define void @main() {
  %1 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 0, i32 0, i32 0, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %2 = call %dx.types.Dimensions @dx.op.getDimensions(i32 72, %dx.types.Handle %1, i32 undef)  ; GetDimensions(handle,mipLevel)
  %3 = extractvalue %dx.types.Dimensions %2, 0
  %4 = call i32 @dx.op.threadId.i32(i32 93, i32 0)  ; ThreadId(component)
  %5 = mul i32 %4, 12
  %6 = call %dx.types.ResRet.i32 @dx.op.bufferLoad.i32(i32 68, %dx.types.Handle %1, i32 %5, i32 undef)  ; BufferLoad(srv,index,wot)
  %7 = extractvalue %dx.types.ResRet.i32 %6, 0
  %8 = extractvalue %dx.types.ResRet.i32 %6, 1
  %9 = extractvalue %dx.types.ResRet.i32 %6, 2
  %10 = add i32 %3, %8
  %11 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 0, i32 1, i32 1, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %12 = call %dx.types.Dimensions @dx.op.getDimensions(i32 72, %dx.types.Handle %11, i32 undef)  ; GetDimensions(handle,mipLevel)
  %13 = extractvalue %dx.types.Dimensions %12, 0
  %14 = call i32 @dx.op.tertiary.i32(i32 48, i32 %13, i32 24, i32 %10)  ; IMad(a,b,c)
  %15 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 0, i32 2, i32 2, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %16 = call %dx.types.Dimensions @dx.op.getDimensions(i32 72, %dx.types.Handle %15, i32 undef)  ; GetDimensions(handle,mipLevel)
  %17 = extractvalue %dx.types.Dimensions %16, 0
  %18 = add i32 %14, %17
  %19 = call %dx.types.ResRet.i32 @dx.op.bufferLoad.i32(i32 68, %dx.types.Handle %11, i32 %4, i32 0)  ; BufferLoad(srv,index,wot)
  %20 = extractvalue %dx.types.ResRet.i32 %19, 0
  %21 = bitcast i32 %20 to float
  %22 = extractvalue %dx.types.ResRet.i32 %19, 1
  %23 = bitcast i32 %22 to float
  %24 = extractvalue %dx.types.ResRet.i32 %19, 2
  %25 = extractvalue %dx.types.ResRet.i32 %19, 3
  %26 = add i32 %18, %24
  %27 = call %dx.types.ResRet.i32 @dx.op.bufferLoad.i32(i32 68, %dx.types.Handle %11, i32 %4, i32 16)  ; BufferLoad(srv,index,wot)
  %28 = extractvalue %dx.types.ResRet.i32 %27, 0
  %29 = extractvalue %dx.types.ResRet.i32 %27, 1
  %30 = sub i32 %7, %29
  %31 = sub i32 %8, %28
  %32 = sub i32 %9, %25
  %33 = and i32 %4, 7
  %34 = call %dx.types.ResRet.f32 @dx.op.bufferLoad.f32(i32 68, %dx.types.Handle %15, i32 %4, i32 undef)  ; BufferLoad(srv,index,wot)
  %35 = extractvalue %dx.types.ResRet.f32 %34, 0
  %36 = extractvalue %dx.types.ResRet.f32 %34, 1
  %37 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 2, i32 0, i32 1, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %38 = add i32 %33, 1
  %39 = call %dx.types.CBufRet.f32 @dx.op.cBufferLoadLegacy.f32(i32 59, %dx.types.Handle %37, i32 %38)  ; CBufferLoadLegacy(handle,regIndex)
  %40 = extractvalue %dx.types.CBufRet.f32 %39, 2
  %41 = call float @dx.op.tertiary.f32(i32 46, float %23, float %40, float %35)  ; FMad(a,b,c)
  %42 = bitcast float %41 to i32
  %43 = add i32 %33, 1
  %44 = call %dx.types.CBufRet.f32 @dx.op.cBufferLoadLegacy.f32(i32 59, %dx.types.Handle %37, i32 %43)  ; CBufferLoadLegacy(handle,regIndex)
  %45 = extractvalue %dx.types.CBufRet.f32 %44, 3
  %46 = call float @dx.op.tertiary.f32(i32 46, float %21, float %45, float %36)  ; FMad(a,b,c)
  %47 = bitcast float %46 to i32
  %48 = fadd fast float %36, %35
  %49 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 2, i32 2, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  call void @dx.op.bufferStore.f32(i32 69, %dx.types.Handle %49, i32 %4, i32 undef, float %48, float %48, float %48, float %48, i8 15)  ; BufferStore(uav,coord0,coord1,value0,value1,value2,value3,mask)
  %50 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 1, i32 1, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %50, i32 %4, i32 0, i32 %42, i32 %47, i32 %26, i32 %30, i8 15)  ; BufferStore(uav,coord0,coord1,value0,value1,value2,value3,mask)
  call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %50, i32 %4, i32 16, i32 %31, i32 %32, i32 undef, i32 undef, i8 3)  ; BufferStore(uav,coord0,coord1,value0,value1,value2,value3,mask)
  %51 = call %dx.types.CBufRet.i32 @dx.op.cBufferLoadLegacy.i32(i32 59, %dx.types.Handle %37, i32 0)  ; CBufferLoadLegacy(handle,regIndex)
  %52 = extractvalue %dx.types.CBufRet.i32 %51, 0
  %53 = add i32 %4, %52
  %54 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 0, i32 3, i32 3, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %55 = call %dx.types.ResRet.i32 @dx.op.bufferLoad.i32(i32 68, %dx.types.Handle %54, i32 %53, i32 undef)  ; BufferLoad(srv,index,wot)
  %56 = extractvalue %dx.types.ResRet.i32 %55, 0
  %57 = extractvalue %dx.types.ResRet.i32 %55, 1
  %58 = extractvalue %dx.types.ResRet.i32 %55, 2
  %59 = extractvalue %dx.types.ResRet.i32 %55, 3
  %60 = shl i32 %4, 4
  %61 = shl i32 %4, 2
  %62 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 0, i32 0, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %62, i32 %60, i32 undef, i32 %59, i32 %58, i32 %57, i32 %56, i8 15)  ; BufferStore(uav,coord0,coord1,value0,value1,value2,value3,mask)
  %63 = add i32 %61, 1024
  %64 = add i32 %61, 2048
  %65 = call %dx.types.ResRet.i32 @dx.op.bufferLoad.i32(i32 68, %dx.types.Handle %62, i32 %64, i32 undef)  ; BufferLoad(srv,index,wot)
  %66 = extractvalue %dx.types.ResRet.i32 %65, 0
  %67 = add i32 %66, 1
  call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %62, i32 %63, i32 undef, i32 %67, i32 undef, i32 undef, i32 undef, i8 1)  ; BufferStore(uav,coord0,coord1,value0,value1,value2,value3,mask)
  %68 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 3, i32 3, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %69 = call %dx.types.ResRet.i32 @dx.op.bufferLoad.i32(i32 68, %dx.types.Handle %68, i32 %4, i32 undef)  ; BufferLoad(srv,index,wot)
  %70 = extractvalue %dx.types.ResRet.i32 %69, 0
  %71 = shl i32 %70, 1
  %72 = add i32 %30, %71
  call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %68, i32 %4, i32 undef, i32 %72, i32 %72, i32 %72, i32 %72, i8 15)  ; BufferStore(uav,coord0,coord1,value0,value1,value2,value3,mask)
  ret void
}

declare %dx.types.Handle @dx.op.createHandle(i32, i8, i32, i32, i1)

declare %dx.types.Dimensions @dx.op.getDimensions(i32, %dx.types.Handle, i32)

declare i32 @dx.op.threadId.i32(i32, i32)

declare %dx.types.ResRet.i32 @dx.op.bufferLoad.i32(i32, %dx.types.Handle, i32, i32)

declare i32 @dx.op.tertiary.i32(i32, i32, i32, i32)

declare %dx.types.ResRet.f32 @dx.op.bufferLoad.f32(i32, %dx.types.Handle, i32, i32)

declare %dx.types.CBufRet.f32 @dx.op.cBufferLoadLegacy.f32(i32, %dx.types.Handle, i32)

declare float @dx.op.tertiary.f32(i32, float, float, float)

declare void @dx.op.bufferStore.f32(i32, %dx.types.Handle, i32, i32, float, float, float, float, i8)

declare void @dx.op.bufferStore.i32(i32, %dx.types.Handle, i32, i32, i32, i32, i32, i32, i8)

declare %dx.types.CBufRet.i32 @dx.op.cBufferLoadLegacy.i32(i32, %dx.types.Handle, i32)
