;
; Buffer Definitions:
;
;
; Resource Bindings:
;
; Name                                 Type  Format         Dim      ID      HLSL Bind  Count
; ------------------------------ ---------- ------- ----------- ------- -------------- ------
; raw                                   UAV    byte         r/w      U0             u0     1
; structs                               UAV  struct         r/w      U1             u1     1
; image                                 UAV     u32          2d      U2             u2     1
; ints                                  UAV     i32         buf      U3             u3     1
; appended                              UAV  struct     r/w+cnt      U4             u4     1
; consumed                              UAV  struct     r/w+cnt      U5             u5     1
; counted                               UAV  struct     r/w+cnt      U6             u6     1
;
target datalayout = "e-m:e-p:32:32-i1:32-i8:32-i16:32-i32:32-i64:64-f16:32-f32:32-f64:64-n8:16:32:64"
target triple = "dxil-ms-dx"

%dx.types.Handle = type { i8* }
%dx.types.ResRet.i32 = type { i32, i32, i32, i32, i32 }

@g0 = internal addrspace(3) global [64 x i32] undef, align 4
@g1 = internal addrspace(3) global [32 x i32] undef, align 4

define void @main() {
  %1 = call i32 @dx.op.flattenedThreadIdInGroup.i32(i32 96)  ; FlattenedThreadIdInGroup()
  %2 = call i32 @dx.op.threadId.i32(i32 93, i32 0)  ; ThreadId(component)
  %3 = getelementptr inbounds [64 x i32], [64 x i32] addrspace(3)* @g0, i32 0, i32 %1
  store i32 %2, i32 addrspace(3)* %3, align 4
  %4 = call i32 @dx.op.quaternary.i32(i32 53, i32 4, i32 0, i32 %1, i32 16)  ; Bfi(width,offset,value,replacedValue)
  %5 = call i32 @dx.op.quaternary.i32(i32 53, i32 4, i32 0, i32 %1, i32 48)  ; Bfi(width,offset,value,replacedValue)
  %6 = call i32 @dx.op.quaternary.i32(i32 53, i32 1, i32 0, i32 %1, i32 48)  ; Bfi(width,offset,value,replacedValue)
  %7 = getelementptr inbounds [64 x i32], [64 x i32] addrspace(3)* @g0, i32 0, i32 %4
  store i32 0, i32 addrspace(3)* %7, align 4
  %8 = mul i32 %2, %2
  %9 = getelementptr inbounds [64 x i32], [64 x i32] addrspace(3)* @g0, i32 0, i32 %5
  store i32 %8, i32 addrspace(3)* %9, align 4
  %10 = sub i32 0, %1
  %11 = mul i32 %1, 2
  %12 = getelementptr inbounds [32 x i32], [32 x i32] addrspace(3)* @g1, i32 0, i32 %11
  store i32 1, i32 addrspace(3)* %12, align 4
  %13 = add i32 %11, 1
  %14 = getelementptr inbounds [32 x i32], [32 x i32] addrspace(3)* @g1, i32 0, i32 %13
  store i32 %10, i32 addrspace(3)* %14, align 4
  %15 = sub i32 15, %1
  call void @dx.op.barrier(i32 80, i32 9)  ; Barrier(barrierMode)
  %16 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 0, i32 0, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %17 = call i32 @dx.op.atomicBinOp.i32(i32 78, %dx.types.Handle %16, i32 0, i32 4, i32 undef, i32 undef, i32 %2)  ; AtomicBinOp(handle,atomicOp,offset0,offset1,offset2,newValue)
  %18 = call i32 @dx.op.atomicBinOp.i32(i32 78, %dx.types.Handle %16, i32 7, i32 8, i32 undef, i32 undef, i32 %2)  ; AtomicBinOp(handle,atomicOp,offset0,offset1,offset2,newValue)
  %19 = call i32 @dx.op.atomicCompareExchange.i32(i32 79, %dx.types.Handle %16, i32 12, i32 undef, i32 undef, i32 0, i32 %2)  ; AtomicCompareExchange(handle,offset0,offset1,offset2,compareValue,newValue)
  %20 = call i32 @dx.op.atomicCompareExchange.i32(i32 79, %dx.types.Handle %16, i32 16, i32 undef, i32 undef, i32 %19, i32 5)  ; AtomicCompareExchange(handle,offset0,offset1,offset2,compareValue,newValue)
  %21 = and i32 %1, 31
  %22 = shl i32 1, %21
  %23 = xor i32 %22, -1
  %24 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 1, i32 1, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %25 = call i32 @dx.op.atomicBinOp.i32(i32 78, %dx.types.Handle %24, i32 1, i32 1, i32 0, i32 undef, i32 %23)  ; AtomicBinOp(handle,atomicOp,offset0,offset1,offset2,newValue)
  %26 = sub i32 0, %2
  %27 = and i32 %2, 3
  %28 = call i32 @dx.op.atomicBinOp.i32(i32 78, %dx.types.Handle %24, i32 4, i32 %27, i32 4, i32 undef, i32 %26)  ; AtomicBinOp(handle,atomicOp,offset0,offset1,offset2,newValue)
  %29 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 2, i32 2, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %30 = call i32 @dx.op.atomicBinOp.i32(i32 78, %dx.types.Handle %29, i32 3, i32 %27, i32 1, i32 undef, i32 %2)  ; AtomicBinOp(handle,atomicOp,offset0,offset1,offset2,newValue)
  %31 = call i32 @dx.op.atomicBinOp.i32(i32 78, %dx.types.Handle %29, i32 8, i32 0, i32 2, i32 undef, i32 %2)  ; AtomicBinOp(handle,atomicOp,offset0,offset1,offset2,newValue)
  %32 = add i32 %2, -4
  %33 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 3, i32 3, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %34 = call i32 @dx.op.atomicBinOp.i32(i32 78, %dx.types.Handle %33, i32 4, i32 2, i32 undef, i32 undef, i32 %32)  ; AtomicBinOp(handle,atomicOp,offset0,offset1,offset2,newValue)
  %35 = add i32 %1, 1
  %36 = getelementptr inbounds [64 x i32], [64 x i32] addrspace(3)* @g0, i32 0, i32 %35
  %37 = atomicrmw or i32 addrspace(3)* %36, i32 256 monotonic
  %38 = and i32 %1, 7
  %39 = mul i32 %38, 2
  %40 = getelementptr inbounds [32 x i32], [32 x i32] addrspace(3)* @g1, i32 0, i32 %39
  %41 = atomicrmw add i32 addrspace(3)* %40, i32 %1 monotonic
  %42 = mul i32 %15, 2
  %43 = add i32 %42, 1
  %44 = getelementptr inbounds [32 x i32], [32 x i32] addrspace(3)* @g1, i32 0, i32 %43
  %45 = atomicrmw max i32 addrspace(3)* %44, i32 %41 monotonic
  %46 = getelementptr inbounds [64 x i32], [64 x i32] addrspace(3)* @g0, i32 0, i32 48
  %47 = cmpxchg i32 addrspace(3)* %46, i32 0, i32 99 monotonic monotonic
  call void @dx.op.barrier(i32 80, i32 11)  ; Barrier(barrierMode)
  %48 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 4, i32 4, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %49 = call i32 @dx.op.bufferUpdateCounter(i32 70, %dx.types.Handle %48, i8 1)  ; BufferUpdateCounter(uav,inc)
  %50 = getelementptr inbounds [64 x i32], [64 x i32] addrspace(3)* @g0, i32 0, i32 %1
  %51 = load i32, i32 addrspace(3)* %50, align 4
  %52 = getelementptr inbounds [64 x i32], [64 x i32] addrspace(3)* @g0, i32 0, i32 %6
  %53 = load i32, i32 addrspace(3)* %52, align 4
  %54 = mul i32 %1, 2
  %55 = getelementptr inbounds [32 x i32], [32 x i32] addrspace(3)* @g1, i32 0, i32 %54
  %56 = load i32, i32 addrspace(3)* %55, align 4
  %57 = add i32 %54, 1
  %58 = getelementptr inbounds [32 x i32], [32 x i32] addrspace(3)* @g1, i32 0, i32 %57
  %59 = load i32, i32 addrspace(3)* %58, align 4
  %60 = add i32 %56, %51
  call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %48, i32 %49, i32 0, i32 %60, i32 undef, i32 undef, i32 undef, i8 1)  ; BufferStore(uav,coord0,coord1,value0,value1,value2,value3,mask)
  %61 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 5, i32 5, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %62 = call i32 @dx.op.bufferUpdateCounter(i32 70, %dx.types.Handle %61, i8 -1)  ; BufferUpdateCounter(uav,inc)
  %63 = call %dx.types.ResRet.i32 @dx.op.bufferLoad.i32(i32 68, %dx.types.Handle %61, i32 %62, i32 0)  ; BufferLoad(srv,index,wot)
  %64 = extractvalue %dx.types.ResRet.i32 %63, 0
  %65 = add i32 %59, %64
  %66 = add i32 %53, %65
  %67 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 6, i32 6, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %68 = call i32 @dx.op.bufferUpdateCounter(i32 70, %dx.types.Handle %67, i8 1)  ; BufferUpdateCounter(uav,inc)
  call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %67, i32 %68, i32 0, i32 %66, i32 undef, i32 undef, i32 undef, i8 1)  ; BufferStore(uav,coord0,coord1,value0,value1,value2,value3,mask)
  call void @dx.op.barrier(i32 80, i32 2)  ; Barrier(barrierMode)
  ret void
}

declare i32 @dx.op.flattenedThreadIdInGroup.i32(i32)

declare i32 @dx.op.threadId.i32(i32, i32)

declare i32 @dx.op.quaternary.i32(i32, i32, i32, i32, i32)

declare void @dx.op.barrier(i32, i32)

declare %dx.types.Handle @dx.op.createHandle(i32, i8, i32, i32, i1)

declare i32 @dx.op.atomicBinOp.i32(i32, %dx.types.Handle, i32, i32, i32, i32, i32)

declare i32 @dx.op.atomicCompareExchange.i32(i32, %dx.types.Handle, i32, i32, i32, i32, i32)

declare i32 @dx.op.bufferUpdateCounter(i32, %dx.types.Handle, i8)

declare void @dx.op.bufferStore.i32(i32, %dx.types.Handle, i32, i32, i32, i32, i32, i32, i8)

declare %dx.types.ResRet.i32 @dx.op.bufferLoad.i32(i32, %dx.types.Handle, i32, i32)
