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
%dx.types.splitdouble = type { i32, i32 }
%dx.types.ResRet.f32 = type { float, float, float, float, i32 }

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
  %18 = sub i32 0, %17
  %19 = add i32 %18, 31
  %20 = icmp ne i32 %4, 0
  %21 = select i1 %20, i32 %19, i32 -1
  %22 = add i32 %21, %16
  %23 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 3, i32 3, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %24 = call i32 @dx.op.threadId.i32(i32 93, i32 1)  ; ThreadId(component)
  %25 = call i32 @dx.op.threadId.i32(i32 93, i32 2)  ; ThreadId(component)
  %26 = call i32 @dx.op.atomicBinOp.i32(i32 78, %dx.types.Handle %23, i32 7, i32 %1, i32 %24, i32 %25, i32 %22)  ; AtomicBinOp(handle,atomicOp,offset0,offset1,offset2,newValue)
  %27 = and i32 %9, 31
  %28 = call %dx.types.twoi32 @dx.op.binaryWithTwoOuts.i32(i32 43, i32 %15, i32 5)  ; UDiv(a,b)
  %29 = extractvalue %dx.types.twoi32 %28, 1
  %30 = call i32 @dx.op.binary.i32(i32 40, i32 %29, i32 5)  ; UMin(a,b)
  %31 = mul i32 %30, 4
  %32 = add i32 %31, 0
  %33 = getelementptr inbounds [24 x i32], [24 x i32]* @icb, i32 0, i32 %32
  %34 = load i32, i32* %33, align 4
  %35 = bitcast i32 %34 to float
  %36 = fmul fast float %6, %35
  %37 = bitcast float %36 to i32
  %38 = mul i32 %27, 3
  %39 = getelementptr inbounds [96 x i32], [96 x i32] addrspace(3)* @g1, i32 0, i32 %38
  store i32 %37, i32 addrspace(3)* %39, align 4
  call void @dx.op.barrier(i32 80, i32 11)  ; Barrier(barrierMode)
  %40 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 0, i32 1, i32 1, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %41 = call %dx.types.ResRet.i32 @dx.op.bufferLoad.i32(i32 68, %dx.types.Handle %40, i32 4, i32 undef)  ; BufferLoad(srv,index,wot)
  %42 = extractvalue %dx.types.ResRet.i32 %41, 0
  %43 = extractvalue %dx.types.ResRet.i32 %41, 1
  %44 = shl i32 %1, 3
  %45 = call i32 @dx.op.unary.i32(i32 30, i32 %15)  ; Bfrev(value)
  %46 = call double @dx.op.makeDouble.f64(i32 101, i32 %42, i32 %43)  ; MakeDouble(lo,hi)
  %47 = call double @dx.op.makeDouble.f64(i32 101, i32 %42, i32 %43)  ; MakeDouble(lo,hi)
  %48 = fmul fast double %46, %47
  %49 = call %dx.types.splitdouble @dx.op.splitDouble.f64(i32 102, double %48)  ; SplitDouble(value)
  %50 = extractvalue %dx.types.splitdouble %49, 0
  %51 = extractvalue %dx.types.splitdouble %49, 1
  %52 = call double @dx.op.makeDouble.f64(i32 101, i32 %50, i32 %51)  ; MakeDouble(lo,hi)
  %53 = fadd fast double %52, 1.500000e+00
  %54 = call %dx.types.splitdouble @dx.op.splitDouble.f64(i32 102, double %53)  ; SplitDouble(value)
  %55 = extractvalue %dx.types.splitdouble %54, 0
  %56 = extractvalue %dx.types.splitdouble %54, 1
  %57 = call double @dx.op.makeDouble.f64(i32 101, i32 %55, i32 %56)  ; MakeDouble(lo,hi)
  %58 = fptrunc double %57 to float
  %59 = bitcast float %58 to i32
  %60 = and i32 %59, 2147483647
  %61 = icmp ult i32 %60, 2139095040
  %62 = call float @dx.op.binary.f32(i32 35, float %58, float -6.550400e+04)  ; FMax(a,b)
  %63 = call float @dx.op.binary.f32(i32 36, float %62, float 6.550400e+04)  ; FMin(a,b)
  %64 = select i1 %61, float %63, float %58
  %65 = call i32 @dx.op.legacyF32ToF16(i32 130, float %64)  ; LegacyF32ToF16(value)
  %66 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 1, i32 1, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %66, i32 %44, i32 undef, i32 %45, i32 %65, i32 undef, i32 undef, i8 3)  ; BufferStore(uav,coord0,coord1,value0,value1,value2,value3,mask)
  %67 = call %dx.types.twoi32 @dx.op.binaryWithTwoOuts.i32(i32 43, i32 %15, i32 3)  ; UDiv(a,b)
  %68 = extractvalue %dx.types.twoi32 %67, 0
  %69 = call i32 @dx.op.groupId.i32(i32 94, i32 0)  ; GroupId(component)
  %70 = icmp ult i32 %69, %68
  br i1 %70, label %71, label %74

; <label>:71                                      ; preds = %0
  %72 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 2, i32 2, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %73 = call i32 @dx.op.bufferUpdateCounter(i32 70, %dx.types.Handle %72, i8 1)  ; BufferUpdateCounter(uav,inc)
  call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %72, i32 %73, i32 0, i32 %4, i32 %5, i32 %7, i32 %8, i8 15)  ; BufferStore(uav,coord0,coord1,value0,value1,value2,value3,mask)
  br label %74

; <label>:74                                      ; preds = %71, %0
  %75 = getelementptr inbounds [96 x i32], [96 x i32] addrspace(3)* @g1, i32 0, i32 0
  %76 = load i32, i32 addrspace(3)* %75, align 4
  %77 = bitcast i32 %76 to float
  %78 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 0, i32 2, i32 2, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %79 = call i32 @dx.op.threadId.i32(i32 93, i32 0)  ; ThreadId(component)
  %80 = call %dx.types.ResRet.f32 @dx.op.bufferLoad.f32(i32 68, %dx.types.Handle %78, i32 %79, i32 undef)  ; BufferLoad(srv,index,wot)
  %81 = extractvalue %dx.types.ResRet.f32 %80, 3
  %82 = fadd fast float %81, %77
  %83 = bitcast float %82 to i32
  %84 = getelementptr inbounds [64 x i32], [64 x i32] addrspace(3)* @g0, i32 0, i32 63
  %85 = load i32, i32 addrspace(3)* %84, align 4
  %86 = add i32 %85, %83
  %87 = call i32 @dx.op.threadId.i32(i32 93, i32 1)  ; ThreadId(component)
  %88 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 0, i32 0, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %88, i32 %87, i32 0, i32 %86, i32 undef, i32 undef, i32 undef, i8 1)  ; BufferStore(uav,coord0,coord1,value0,value1,value2,value3,mask)
  %89 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 3, i32 3, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %90 = call i32 @dx.op.threadId.i32(i32 93, i32 2)  ; ThreadId(component)
  call void @dx.op.textureStore.i32(i32 67, %dx.types.Handle %89, i32 %90, i32 %87, i32 %79, i32 305419896, i32 305419896, i32 305419896, i32 305419896, i8 15)  ; TextureStore(srv,coord0,coord1,coord2,value0,value1,value2,value3,mask)
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

declare float @dx.op.binary.f32(i32, float, float)

declare i32 @dx.op.legacyF32ToF16(i32, float)

declare void @dx.op.bufferStore.i32(i32, %dx.types.Handle, i32, i32, i32, i32, i32, i32, i8)

declare i32 @dx.op.groupId.i32(i32, i32)

declare i32 @dx.op.bufferUpdateCounter(i32, %dx.types.Handle, i8)

declare %dx.types.ResRet.f32 @dx.op.bufferLoad.f32(i32, %dx.types.Handle, i32, i32)

declare void @dx.op.textureStore.i32(i32, %dx.types.Handle, i32, i32, i32, i32, i32, i32, i32, i8)
