;
; Buffer Definitions:
;
;
; Resource Bindings:
;
; Name                                 Type  Format         Dim      ID      HLSL Bind  Count
; ------------------------------ ---------- ------- ----------- ------- -------------- ------
; items                             texture  struct         r/o      T0             t0     1
; bytes                             texture    byte         r/o      T1             t1     1
; typed                             texture     f32         buf      T2             t2     1
; counts                                UAV  struct         r/w      U0             u0     1
; raw                                   UAV    byte         r/w      U1             u1     1
; kept                                  UAV  struct     r/w+cnt      U2             u2     1
; volume                                UAV     u32          3d      U3             u3     1
;
target datalayout = "e-m:e-p:32:32-i1:32-i8:32-i16:32-i32:32-i64:64-f16:32-f32:32-f64:64-n8:16:32:64"
target triple = "dxil-ms-dx"

%dx.types.Handle = type { i8* }
%dx.types.ResRet.i32 = type { i32, i32, i32, i32, i32 }
%dx.types.twoi32 = type { i32, i32 }
%dx.types.ResRet.f32 = type { float, float, float, float, i32 }
%dx.types.splitdouble = type { i32, i32 }

@icb = internal constant [24 x i32] [i32 1065353216, i32 0, i32 0, i32 0, i32 1056964608, i32 0, i32 0, i32 0, i32 1914140183, i32 0, i32 0, i32 0, i32 -1073741824, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0], align 4
@g0 = internal addrspace(3) global [64 x i32] undef, align 4
@g1 = internal addrspace(3) global [96 x i32] undef, align 4

define void @main() {
  %1 = call i32 @dx.op.threadId.i32(i32 93, i32 0)  ; ThreadId(component)
  %2 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 0, i32 0, i32 0, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %3 = call %dx.types.ResRet.i32 @dx.op.bufferLoad.i32(i32 68, %dx.types.Handle %2, i32 %1, i32 0)  ; BufferLoad(srv,index,wot)
  %4 = extractvalue %dx.types.ResRet.i32 %3, 0
  %5 = extractvalue %dx.types.ResRet.i32 %3, 1
  %6 = bitcast i32 %5 to float
  %7 = extractvalue %dx.types.ResRet.i32 %3, 2
  %8 = extractvalue %dx.types.ResRet.i32 %3, 3
  %9 = call i32 @dx.op.flattenedThreadIdInGroup.i32(i32 96)  ; FlattenedThreadIdInGroup()
  %10 = getelementptr inbounds [64 x i32], [64 x i32] addrspace(3)* @g0, i32 0, i32 %9
  store i32 0, i32 addrspace(3)* %10, align 4
  call void @dx.op.barrier(i32 80, i32 9)  ; Barrier(barrierMode)
  %11 = and i32 %4, 63
  %12 = getelementptr inbounds [64 x i32], [64 x i32] addrspace(3)* @g0, i32 0, i32 %11
  %13 = atomicrmw add i32 addrspace(3)* %12, i32 1 monotonic
  %14 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 0, i32 0, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %15 = call i32 @dx.op.atomicCompareExchange.i32(i32 79, %dx.types.Handle %14, i32 %1, i32 0, i32 undef, i32 %13, i32 7)  ; AtomicCompareExchange(handle,offset0,offset1,offset2,compareValue,newValue)
  %16 = call i32 @dx.op.unaryBits.i32(i32 31, i32 %15)  ; Countbits(value)
  %17 = call i32 @dx.op.unaryBits.i32(i32 33, i32 %4)  ; FirstbitHi(value)
  %18 = sub i32 31, %17
  %19 = icmp ne i32 %4, 0
  %20 = select i1 %19, i32 %18, i32 -1
  %21 = add i32 %20, %16
  %22 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 3, i32 3, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %23 = call i32 @dx.op.threadId.i32(i32 93, i32 1)  ; ThreadId(component)
  %24 = call i32 @dx.op.threadId.i32(i32 93, i32 2)  ; ThreadId(component)
  %25 = call i32 @dx.op.atomicBinOp.i32(i32 78, %dx.types.Handle %22, i32 7, i32 %1, i32 %23, i32 %24, i32 %21)  ; AtomicBinOp(handle,atomicOp,offset0,offset1,offset2,newValue)
  %26 = and i32 %9, 31
  %27 = call %dx.types.twoi32 @dx.op.binaryWithTwoOuts.i32(i32 43, i32 %15, i32 5)  ; UDiv(a,b)
  %28 = extractvalue %dx.types.twoi32 %27, 1
  %29 = call i32 @dx.op.binary.i32(i32 40, i32 %28, i32 5)  ; UMin(a,b)
  %30 = mul i32 %29, 4
  %31 = add i32 %30, 0
  %32 = getelementptr inbounds [24 x i32], [24 x i32]* @icb, i32 0, i32 %31
  %33 = load i32, i32* %32, align 4
  %34 = bitcast i32 %33 to float
  %35 = fmul fast float %6, %34
  %36 = bitcast float %35 to i32
  %37 = mul i32 %26, 3
  %38 = getelementptr inbounds [96 x i32], [96 x i32] addrspace(3)* @g1, i32 0, i32 %37
  store i32 %36, i32 addrspace(3)* %38, align 4
  call void @dx.op.barrier(i32 80, i32 11)  ; Barrier(barrierMode)
  %39 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 0, i32 1, i32 1, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %40 = call %dx.types.ResRet.i32 @dx.op.bufferLoad.i32(i32 68, %dx.types.Handle %39, i32 4, i32 undef)  ; BufferLoad(srv,index,wot)
  %41 = extractvalue %dx.types.ResRet.i32 %40, 0
  %42 = extractvalue %dx.types.ResRet.i32 %40, 1
  %43 = shl i32 %1, 3
  %44 = call i32 @dx.op.unary.i32(i32 30, i32 %15)  ; Bfrev(value)
  %45 = call double @dx.op.makeDouble.f64(i32 101, i32 %41, i32 %42)  ; MakeDouble(lo,hi)
  %46 = call double @dx.op.makeDouble.f64(i32 101, i32 %41, i32 %42)  ; MakeDouble(lo,hi)
  %47 = fmul fast double %45, %46
  %48 = fadd fast double %47, 1.500000e+00
  %49 = fptrunc double %48 to float
  %50 = call i1 @dx.op.isSpecialFloat.f32(i32 10, float %49)  ; IsFinite(value)
  %51 = call float @dx.op.binary.f32(i32 35, float %49, float -6.550400e+04)  ; FMax(a,b)
  %52 = call float @dx.op.binary.f32(i32 36, float %51, float 6.550400e+04)  ; FMin(a,b)
  %53 = select i1 %50, float %52, float %49
  %54 = call i32 @dx.op.legacyF32ToF16(i32 130, float %53)  ; LegacyF32ToF16(value)
  %55 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 1, i32 1, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %55, i32 %43, i32 undef, i32 %44, i32 %54, i32 undef, i32 undef, i8 3)  ; BufferStore(uav,coord0,coord1,value0,value1,value2,value3,mask)
  %56 = call %dx.types.twoi32 @dx.op.binaryWithTwoOuts.i32(i32 43, i32 %15, i32 3)  ; UDiv(a,b)
  %57 = extractvalue %dx.types.twoi32 %56, 0
  %58 = call i32 @dx.op.groupId.i32(i32 94, i32 0)  ; GroupId(component)
  %59 = icmp ult i32 %58, %57
  br i1 %59, label %60, label %63

; <label>:60                                      ; preds = %0
  %61 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 2, i32 2, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %62 = call i32 @dx.op.bufferUpdateCounter(i32 70, %dx.types.Handle %61, i8 1)  ; BufferUpdateCounter(uav,inc)
  call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %61, i32 %62, i32 0, i32 %4, i32 %5, i32 %7, i32 %8, i8 15)  ; BufferStore(uav,coord0,coord1,value0,value1,value2,value3,mask)
  br label %63

; <label>:63                                      ; preds = %60, %0
  %64 = getelementptr inbounds [96 x i32], [96 x i32] addrspace(3)* @g1, i32 0, i32 0
  %65 = load i32, i32 addrspace(3)* %64, align 4
  %66 = bitcast i32 %65 to float
  %67 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 0, i32 2, i32 2, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %68 = call i32 @dx.op.threadId.i32(i32 93, i32 0)  ; ThreadId(component)
  %69 = call %dx.types.ResRet.f32 @dx.op.bufferLoad.f32(i32 68, %dx.types.Handle %67, i32 %68, i32 undef)  ; BufferLoad(srv,index,wot)
  %70 = extractvalue %dx.types.ResRet.f32 %69, 3
  %71 = fadd fast float %70, %66
  %72 = bitcast float %71 to i32
  %73 = getelementptr inbounds [64 x i32], [64 x i32] addrspace(3)* @g0, i32 0, i32 63
  %74 = load i32, i32 addrspace(3)* %73, align 4
  %75 = add i32 %74, %72
  %76 = call i32 @dx.op.threadId.i32(i32 93, i32 1)  ; ThreadId(component)
  %77 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 0, i32 0, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %77, i32 %76, i32 0, i32 %75, i32 undef, i32 undef, i32 undef, i8 1)  ; BufferStore(uav,coord0,coord1,value0,value1,value2,value3,mask)
  %78 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 3, i32 3, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %79 = call i32 @dx.op.threadId.i32(i32 93, i32 2)  ; ThreadId(component)
  call void @dx.op.textureStore.i32(i32 67, %dx.types.Handle %78, i32 %79, i32 %76, i32 %68, i32 305419896, i32 305419896, i32 305419896, i32 305419896, i8 15)  ; TextureStore(srv,coord0,coord1,coord2,value0,value1,value2,value3,mask)
  ret void
}

declare i32 @dx.op.threadId.i32(i32, i32)

declare %dx.types.Handle @dx.op.createHandle(i32, i8, i32, i32, i1)

declare %dx.types.ResRet.i32 @dx.op.bufferLoad.i32(i32, %dx.types.Handle, i32, i32)

declare i32 @dx.op.flattenedThreadIdInGroup.i32(i32)

declare void @dx.op.barrier(i32, i32)

declare i32 @dx.op.atomicCompareExchange.i32(i32, %dx.types.Handle, i32, i32, i32, i32, i32)

declare i32 @dx.op.unaryBits.i32(i32, i32)

declare i32 @dx.op.atomicBinOp.i32(i32, %dx.types.Handle, i32, i32, i32, i32, i32)

declare %dx.types.twoi32 @dx.op.binaryWithTwoOuts.i32(i32, i32, i32)

declare i32 @dx.op.binary.i32(i32, i32, i32)

declare i32 @dx.op.unary.i32(i32, i32)

declare double @dx.op.makeDouble.f64(i32, i32, i32)

declare %dx.types.splitdouble @dx.op.splitDouble.f64(i32, double)

declare i1 @dx.op.isSpecialFloat.f32(i32, float)

declare float @dx.op.binary.f32(i32, float, float)

declare i32 @dx.op.legacyF32ToF16(i32, float)

declare void @dx.op.bufferStore.i32(i32, %dx.types.Handle, i32, i32, i32, i32, i32, i32, i8)

declare i32 @dx.op.groupId.i32(i32, i32)

declare i32 @dx.op.bufferUpdateCounter(i32, %dx.types.Handle, i8)

declare %dx.types.ResRet.f32 @dx.op.bufferLoad.f32(i32, %dx.types.Handle, i32, i32)

declare void @dx.op.textureStore.i32(i32, %dx.types.Handle, i32, i32, i32, i32, i32, i32, i32, i8)
