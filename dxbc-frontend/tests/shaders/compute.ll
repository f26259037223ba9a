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
  %14 = call i32 @dx.op.threadId.i32(i32 93, i32 0)  ; ThreadId(component)
  %15 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 0, i32 0, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %16 = call i32 @dx.op.atomicCompareExchange.i32(i32 79, %dx.types.Handle %15, i32 %14, i32 0, i32 undef, i32 %13, i32 7)  ; AtomicCompareExchange(handle,offset0,offset1,offset2,compareValue,newValue)
  %17 = call i32 @dx.op.unaryBits.i32(i32 31, i32 %16)  ; Countbits(value)
  %18 = call i32 @dx.op.unaryBits.i32(i32 33, i32 %4)  ; FirstbitHi(value)
  %19 = sub i32 0, %18
  %20 = add i32 %19, 31
  %21 = icmp ne i32 %4, 0
  %22 = select i1 %21, i32 %20, i32 -1
  %23 = add i32 %22, %17
  %24 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 3, i32 3, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %25 = call i32 @dx.op.threadId.i32(i32 93, i32 0)  ; ThreadId(component)
  %26 = call i32 @dx.op.threadId.i32(i32 93, i32 1)  ; ThreadId(component)
  %27 = call i32 @dx.op.threadId.i32(i32 93, i32 2)  ; ThreadId(component)
  %28 = call i32 @dx.op.atomicBinOp.i32(i32 78, %dx.types.Handle %24, i32 7, i32 %25, i32 %26, i32 %27, i32 %23)  ; AtomicBinOp(handle,atomicOp,offset0,offset1,offset2,newValue)
  %29 = call i32 @dx.op.flattenedThreadIdInGroup.i32(i32 96)  ; FlattenedThreadIdInGroup()
  %30 = and i32 %29, 31
  %31 = call %dx.types.twoi32 @dx.op.binaryWithTwoOuts.i32(i32 43, i32 %16, i32 5)  ; UDiv(a,b)
  %32 = extractvalue %dx.types.twoi32 %31, 1
  %33 = call i32 @dx.op.binary.i32(i32 40, i32 %32, i32 5)  ; UMin(a,b)
  %34 = mul i32 %33, 4
  %35 = add i32 %34, 0
  %36 = getelementptr inbounds [24 x i32], [24 x i32]* @icb, i32 0, i32 %35
  %37 = load i32, i32* %36, align 4
  %38 = bitcast i32 %37 to float
  %39 = fmul fast float %6, %38
  %40 = bitcast float %39 to i32
  %41 = mul i32 %30, 3
  %42 = getelementptr inbounds [96 x i32], [96 x i32] addrspace(3)* @g1, i32 0, i32 %41
  store i32 %40, i32 addrspace(3)* %42, align 4
  call void @dx.op.barrier(i32 80, i32 11)  ; Barrier(barrierMode)
  %43 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 0, i32 1, i32 1, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %44 = call %dx.types.ResRet.i32 @dx.op.bufferLoad.i32(i32 68, %dx.types.Handle %43, i32 4, i32 undef)  ; BufferLoad(srv,index,wot)
  %45 = extractvalue %dx.types.ResRet.i32 %44, 0
  %46 = extractvalue %dx.types.ResRet.i32 %44, 1
  %47 = call i32 @dx.op.threadId.i32(i32 93, i32 0)  ; ThreadId(component)
  %48 = shl i32 %47, 3
  %49 = call i32 @dx.op.unary.i32(i32 30, i32 %16)  ; Bfrev(value)
  %50 = call double @dx.op.makeDouble.f64(i32 101, i32 %45, i32 %46)  ; MakeDouble(lo,hi)
  %51 = call double @dx.op.makeDouble.f64(i32 101, i32 %45, i32 %46)  ; MakeDouble(lo,hi)
  %52 = fmul fast double %50, %51
  %53 = call %dx.types.splitdouble @dx.op.splitDouble.f64(i32 102, double %52)  ; SplitDouble(value)
  %54 = extractvalue %dx.types.splitdouble %53, 0
  %55 = extractvalue %dx.types.splitdouble %53, 1
  %56 = call double @dx.op.makeDouble.f64(i32 101, i32 %54, i32 %55)  ; MakeDouble(lo,hi)
  %57 = fadd fast double %56, 1.500000e+00
  %58 = call %dx.types.splitdouble @dx.op.splitDouble.f64(i32 102, double %57)  ; SplitDouble(value)
  %59 = extractvalue %dx.types.splitdouble %58, 0
  %60 = extractvalue %dx.types.splitdouble %58, 1
  %61 = call double @dx.op.makeDouble.f64(i32 101, i32 %59, i32 %60)  ; MakeDouble(lo,hi)
  %62 = fptrunc double %61 to float
  %63 = call i32 @dx.op.legacyF32ToF16(i32 130, float %62)  ; LegacyF32ToF16(value)
  %64 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 1, i32 1, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %64, i32 %48, i32 undef, i32 %49, i32 %63, i32 undef, i32 undef, i8 3)  ; BufferStore(uav,coord0,coord1,value0,value1,value2,value3,mask)
  %65 = call %dx.types.twoi32 @dx.op.binaryWithTwoOuts.i32(i32 43, i32 %16, i32 3)  ; UDiv(a,b)
  %66 = extractvalue %dx.types.twoi32 %65, 0
  %67 = call i32 @dx.op.groupId.i32(i32 94, i32 0)  ; GroupId(component)
  %68 = icmp ult i32 %67, %66
  br i1 %68, label %69, label %73

; <label>:69                                      ; preds = %0
  %70 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 2, i32 2, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %71 = call i32 @dx.op.bufferUpdateCounter(i32 70, %dx.types.Handle %70, i8 1)  ; BufferUpdateCounter(uav,inc)
  %72 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 2, i32 2, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %72, i32 %71, i32 0, i32 %4, i32 %5, i32 %7, i32 %8, i8 15)  ; BufferStore(uav,coord0,coord1,value0,value1,value2,value3,mask)
  br label %73

; <label>:73                                      ; preds = %69, %0
  %74 = getelementptr inbounds [96 x i32], [96 x i32] addrspace(3)* @g1, i32 0, i32 0
  %75 = load i32, i32 addrspace(3)* %74, align 4
  %76 = bitcast i32 %75 to float
  %77 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 0, i32 2, i32 2, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %78 = call i32 @dx.op.threadId.i32(i32 93, i32 0)  ; ThreadId(component)
  %79 = call %dx.types.ResRet.f32 @dx.op.bufferLoad.f32(i32 68, %dx.types.Handle %77, i32 %78, i32 undef)  ; BufferLoad(srv,index,wot)
  %80 = extractvalue %dx.types.ResRet.f32 %79, 3
  %81 = fadd fast float %80, %76
  %82 = bitcast float %81 to i32
  %83 = getelementptr inbounds [64 x i32], [64 x i32] addrspace(3)* @g0, i32 0, i32 63
  %84 = load i32, i32 addrspace(3)* %83, align 4
  %85 = add i32 %84, %82
  %86 = call i32 @dx.op.threadId.i32(i32 93, i32 1)  ; ThreadId(component)
  %87 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 0, i32 0, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %87, i32 %86, i32 0, i32 %85, i32 undef, i32 undef, i32 undef, i8 1)  ; BufferStore(uav,coord0,coord1,value0,value1,value2,value3,mask)
  %88 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 3, i32 3, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %89 = call i32 @dx.op.threadId.i32(i32 93, i32 2)  ; ThreadId(component)
  %90 = call i32 @dx.op.threadId.i32(i32 93, i32 1)  ; ThreadId(component)
  %91 = call i32 @dx.op.threadId.i32(i32 93, i32 0)  ; ThreadId(component)
  call void @dx.op.textureStore.i32(i32 67, %dx.types.Handle %88, i32 %89, i32 %90, i32 %91, i32 305419896, i32 305419896, i32 305419896, i32 305419896, i8 15)  ; TextureStore(srv,coord0,coord1,coord2,value0,value1,value2,value3,mask)
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

declare i32 @dx.op.legacyF32ToF16(i32, float)

declare void @dx.op.bufferStore.i32(i32, %dx.types.Handle, i32, i32, i32, i32, i32, i32, i8)

declare i32 @dx.op.groupId.i32(i32, i32)

declare i32 @dx.op.bufferUpdateCounter(i32, %dx.types.Handle, i8)

declare %dx.types.ResRet.f32 @dx.op.bufferLoad.f32(i32, %dx.types.Handle, i32, i32)

declare void @dx.op.textureStore.i32(i32, %dx.types.Handle, i32, i32, i32, i32, i32, i32, i32, i8)
