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
  %30 = sub i32 0, %29
  %31 = sub i32 0, %28
  %32 = sub i32 0, %25
  %33 = add i32 %7, %30
  %34 = add i32 %8, %31
  %35 = add i32 %9, %32
  %36 = and i32 %4, 7
  %37 = call %dx.types.ResRet.f32 @dx.op.bufferLoad.f32(i32 68, %dx.types.Handle %15, i32 %4, i32 undef)  ; BufferLoad(srv,index,wot)
  %38 = extractvalue %dx.types.ResRet.f32 %37, 0
  %39 = extractvalue %dx.types.ResRet.f32 %37, 1
  %40 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 2, i32 0, i32 1, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %41 = add i32 %36, 1
  %42 = call %dx.types.CBufRet.f32 @dx.op.cBufferLoadLegacy.f32(i32 59, %dx.types.Handle %40, i32 %41)  ; CBufferLoadLegacy(handle,regIndex)
  %43 = extractvalue %dx.types.CBufRet.f32 %42, 2
  %44 = call float @dx.op.tertiary.f32(i32 46, float %23, float %43, float %38)  ; FMad(a,b,c)
  %45 = bitcast float %44 to i32
  %46 = add i32 %36, 1
  %47 = call %dx.types.CBufRet.f32 @dx.op.cBufferLoadLegacy.f32(i32 59, %dx.types.Handle %40, i32 %46)  ; CBufferLoadLegacy(handle,regIndex)
  %48 = extractvalue %dx.types.CBufRet.f32 %47, 3
  %49 = call float @dx.op.tertiary.f32(i32 46, float %21, float %48, float %39)  ; FMad(a,b,c)
  %50 = bitcast float %49 to i32
  %51 = fadd fast float %39, %38
  %52 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 2, i32 2, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  call void @dx.op.bufferStore.f32(i32 69, %dx.types.Handle %52, i32 %4, i32 undef, float %51, float %51, float %51, float %51, i8 15)  ; BufferStore(uav,coord0,coord1,value0,value1,value2,value3,mask)
  %53 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 1, i32 1, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %53, i32 %4, i32 0, i32 %45, i32 %50, i32 %26, i32 %33, i8 15)  ; BufferStore(uav,coord0,coord1,value0,value1,value2,value3,mask)
  call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %53, i32 %4, i32 16, i32 %34, i32 %35, i32 undef, i32 undef, i8 3)  ; BufferStore(uav,coord0,coord1,value0,value1,value2,value3,mask)
  %54 = call %dx.types.CBufRet.i32 @dx.op.cBufferLoadLegacy.i32(i32 59, %dx.types.Handle %40, i32 0)  ; CBufferLoadLegacy(handle,regIndex)
  %55 = extractvalue %dx.types.CBufRet.i32 %54, 0
  %56 = add i32 %4, %55
  %57 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 0, i32 3, i32 3, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %58 = call %dx.types.ResRet.i32 @dx.op.bufferLoad.i32(i32 68, %dx.types.Handle %57, i32 %56, i32 undef)  ; BufferLoad(srv,index,wot)
  %59 = extractvalue %dx.types.ResRet.i32 %58, 0
  %60 = extractvalue %dx.types.ResRet.i32 %58, 1
  %61 = extractvalue %dx.types.ResRet.i32 %58, 2
  %62 = extractvalue %dx.types.ResRet.i32 %58, 3
  %63 = shl i32 %4, 4
  %64 = shl i32 %4, 2
  %65 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 0, i32 0, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %65, i32 %63, i32 undef, i32 %62, i32 %61, i32 %60, i32 %59, i8 15)  ; BufferStore(uav,coord0,coord1,value0,value1,value2,value3,mask)
  %66 = add i32 %64, 1024
  %67 = add i32 %64, 2048
  %68 = call %dx.types.ResRet.i32 @dx.op.bufferLoad.i32(i32 68, %dx.types.Handle %65, i32 %67, i32 undef)  ; BufferLoad(srv,index,wot)
  %69 = extractvalue %dx.types.ResRet.i32 %68, 0
  %70 = add i32 %69, 1
  call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %65, i32 %66, i32 undef, i32 %70, i32 undef, i32 undef, i32 undef, i8 1)  ; BufferStore(uav,coord0,coord1,value0,value1,value2,value3,mask)
  %71 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 3, i32 3, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %72 = call %dx.types.ResRet.i32 @dx.op.bufferLoad.i32(i32 68, %dx.types.Handle %71, i32 %4, i32 undef)  ; BufferLoad(srv,index,wot)
  %73 = extractvalue %dx.types.ResRet.i32 %72, 0
  %74 = shl i32 %73, 1
  %75 = add i32 %33, %74
  call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %71, i32 %4, i32 undef, i32 %75, i32 %75, i32 %75, i32 %75, i8 15)  ; BufferStore(uav,coord0,coord1,value0,value1,value2,value3,mask)
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
