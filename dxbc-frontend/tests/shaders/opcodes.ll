;
; Buffer Definitions:
;
;
; Resource Bindings:
;
; Name                                 Type  Format         Dim      ID      HLSL Bind  Count
; ------------------------------ ---------- ------- ----------- ------- -------------- ------
; words                                 UAV    byte         r/w      U0             u0     1
; doubles                               UAV  struct         r/w      U1             u1     1
; floats                                UAV  struct         r/w      U2             u2     1
;
target datalayout = "e-m:e-p:32:32-i1:32-i8:32-i16:32-i32:32-i64:64-f16:32-f32:32-f64:64-n8:16:32:64"
target triple = "dxil-ms-dx"

%dx.types.Handle = type { i8* }
%dx.types.ResRet.i32 = type { i32, i32, i32, i32, i32 }
%dx.types.splitdouble = type { i32, i32 }

@g0 = internal addrspace(3) global [4 x i32] undef, align 4

define void @main() {
  %1 = call i32 @dx.op.flattenedThreadIdInGroup.i32(i32 96)  ; FlattenedThreadIdInGroup()
  %2 = shl i32 %1, 2
  %3 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 0, i32 0, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %4 = call %dx.types.ResRet.i32 @dx.op.bufferLoad.i32(i32 68, %dx.types.Handle %3, i32 %2, i32 undef)  ; BufferLoad(srv,index,wot)
  %5 = extractvalue %dx.types.ResRet.i32 %4, 0
  %6 = add i32 %2, 16
  %7 = add i32 %2, 32
  %8 = call %dx.types.ResRet.i32 @dx.op.bufferLoad.i32(i32 68, %dx.types.Handle %3, i32 %6, i32 undef)  ; BufferLoad(srv,index,wot)
  %9 = extractvalue %dx.types.ResRet.i32 %8, 0
  %10 = bitcast i32 %9 to float
  %11 = call %dx.types.ResRet.i32 @dx.op.bufferLoad.i32(i32 68, %dx.types.Handle %3, i32 %7, i32 undef)  ; BufferLoad(srv,index,wot)
  %12 = extractvalue %dx.types.ResRet.i32 %11, 0
  %13 = bitcast i32 %12 to float
  %14 = call i32 @dx.op.atomicBinOp.i32(i32 78, %dx.types.Handle %3, i32 6, i32 64, i32 undef, i32 undef, i32 %9)  ; AtomicBinOp(handle,atomicOp,offset0,offset1,offset2,newValue)
  %15 = getelementptr inbounds [4 x i32], [4 x i32] addrspace(3)* @g0, i32 0, i32 %1
  store i32 %5, i32 addrspace(3)* %15, align 4
  call void @dx.op.barrier(i32 80, i32 9)  ; Barrier(barrierMode)
  %16 = getelementptr inbounds [4 x i32], [4 x i32] addrspace(3)* @g0, i32 0, i32 0
  %17 = atomicrmw and i32 addrspace(3)* %16, i32 %9 monotonic
  %18 = getelementptr inbounds [4 x i32], [4 x i32] addrspace(3)* @g0, i32 0, i32 1
  %19 = atomicrmw or i32 addrspace(3)* %18, i32 %9 monotonic
  %20 = xor i32 %17, %19
  %21 = getelementptr inbounds [4 x i32], [4 x i32] addrspace(3)* @g0, i32 0, i32 2
  %22 = atomicrmw xor i32 addrspace(3)* %21, i32 %9 monotonic
  %23 = add i32 %20, %22
  %24 = xor i32 %14, %23
  %25 = call i32 @dx.op.atomicBinOp.i32(i32 78, %dx.types.Handle %3, i32 4, i32 68, i32 undef, i32 undef, i32 %9)  ; AtomicBinOp(handle,atomicOp,offset0,offset1,offset2,newValue)
  %26 = add i32 %24, %25
  %27 = call i32 @dx.op.atomicBinOp.i32(i32 78, %dx.types.Handle %3, i32 5, i32 72, i32 undef, i32 undef, i32 %9)  ; AtomicBinOp(handle,atomicOp,offset0,offset1,offset2,newValue)
  %28 = xor i32 %26, %27
  %29 = call i32 @dx.op.atomicBinOp.i32(i32 78, %dx.types.Handle %3, i32 6, i32 76, i32 undef, i32 undef, i32 %9)  ; AtomicBinOp(handle,atomicOp,offset0,offset1,offset2,newValue)
  %30 = call float @dx.op.unary.f32(i32 23, float %10)  ; Log(value)
  %31 = call float @dx.op.legacyF16ToF32(i32 131, i32 %5)  ; LegacyF16ToF32(value)
  %32 = call float @dx.op.unary.f32(i32 22, float %31)  ; Frc(value)
  %33 = fadd fast float %30, %32
  %34 = call float @dx.op.binary.f32(i32 36, float %13, float %31)  ; FMin(a,b)
  %35 = fadd fast float %34, %33
  %36 = call float @dx.op.binary.f32(i32 35, float %13, float %10)  ; FMax(a,b)
  %37 = fadd fast float %36, %35
  %38 = call float @dx.op.unary.f32(i32 26, float %31)  ; Round_ne(value)
  %39 = fadd fast float %38, %37
  %40 = call float @dx.op.unary.f32(i32 27, float %10)  ; Round_ni(value)
  %41 = fadd fast float %40, %39
  %42 = call float @dx.op.unary.f32(i32 28, float %13)  ; Round_pi(value)
  %43 = fadd fast float %42, %41
  %44 = call float @dx.op.unary.f32(i32 29, float %31)  ; Round_z(value)
  %45 = fadd fast float %44, %43
  %46 = fdiv fast float 1.000000e+00, %13
  %47 = call float @dx.op.unary.f32(i32 25, float %10)  ; Rsqrt(value)
  %48 = fadd fast float %46, %47
  %49 = call float @dx.op.dot2.f32(i32 54, float %31, float %10, float %13, float %31)  ; Dot2(ax,ay,bx,by)
  %50 = fadd fast float %49, %48
  %51 = call float @dx.op.dot3.f32(i32 55, float %10, float %13, float %31, float %13, float %13, float %10)  ; Dot3(ax,ay,az,bx,by,bz)
  %52 = fadd fast float %51, %50
  %53 = fadd fast float %52, %45
  %54 = fmul fast float %31, %53
  %55 = fcmp fast une float %13, %10
  %56 = select i1 %55, float %31, float %54
  %57 = fcmp fast oge float %31, %10
  %58 = fpext float %31 to double
  %59 = select i1 %57, float %53, float %56
  %60 = bitcast float %59 to i32
  %61 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 2, i32 2, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %61, i32 %1, i32 0, i32 %60, i32 undef, i32 undef, i32 undef, i8 1)  ; BufferStore(uav,coord0,coord1,value0,value1,value2,value3,mask)
  %62 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 1, i32 1, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %63 = call %dx.types.ResRet.i32 @dx.op.bufferLoad.i32(i32 68, %dx.types.Handle %62, i32 %1, i32 0)  ; BufferLoad(srv,index,wot)
  %64 = extractvalue %dx.types.ResRet.i32 %63, 0
  %65 = extractvalue %dx.types.ResRet.i32 %63, 1
  %66 = add i32 %1, 4
  %67 = add i32 %1, 8
  %68 = call %dx.types.ResRet.i32 @dx.op.bufferLoad.i32(i32 68, %dx.types.Handle %62, i32 %66, i32 0)  ; BufferLoad(srv,index,wot)
  %69 = extractvalue %dx.types.ResRet.i32 %68, 0
  %70 = extractvalue %dx.types.ResRet.i32 %68, 1
  %71 = call %dx.types.ResRet.i32 @dx.op.bufferLoad.i32(i32 68, %dx.types.Handle %62, i32 %67, i32 0)  ; BufferLoad(srv,index,wot)
  %72 = extractvalue %dx.types.ResRet.i32 %71, 0
  %73 = extractvalue %dx.types.ResRet.i32 %71, 1
  %74 = call double @dx.op.makeDouble.f64(i32 101, i32 %72, i32 %73)  ; MakeDouble(lo,hi)
  %75 = call double @dx.op.makeDouble.f64(i32 101, i32 %69, i32 %70)  ; MakeDouble(lo,hi)
  %76 = call double @dx.op.binary.f64(i32 36, double %74, double %75)  ; FMin(a,b)
  %77 = call double @dx.op.makeDouble.f64(i32 101, i32 %64, i32 %65)  ; MakeDouble(lo,hi)
  %78 = call double @dx.op.makeDouble.f64(i32 101, i32 %69, i32 %70)  ; MakeDouble(lo,hi)
  %79 = call double @dx.op.binary.f64(i32 35, double %77, double %78)  ; FMax(a,b)
  %80 = fadd fast double %76, %79
  %81 = call double @dx.op.makeDouble.f64(i32 101, i32 %64, i32 %65)  ; MakeDouble(lo,hi)
  %82 = call double @dx.op.makeDouble.f64(i32 101, i32 %69, i32 %70)  ; MakeDouble(lo,hi)
  %83 = fdiv fast double %81, %82
  %84 = fadd fast double %83, %80
  %85 = call double @dx.op.makeDouble.f64(i32 101, i32 %72, i32 %73)  ; MakeDouble(lo,hi)
  %86 = fdiv fast double 1.000000e+00, %85
  %87 = fadd fast double %86, %84
  %88 = call double @dx.op.makeDouble.f64(i32 101, i32 %64, i32 %65)  ; MakeDouble(lo,hi)
  %89 = call double @dx.op.makeDouble.f64(i32 101, i32 %69, i32 %70)  ; MakeDouble(lo,hi)
  %90 = call double @dx.op.makeDouble.f64(i32 101, i32 %72, i32 %73)  ; MakeDouble(lo,hi)
  %91 = call double @dx.op.tertiary.f64(i32 47, double %88, double %89, double %90)  ; Fma(a,b,c)
  %92 = fadd fast double %91, %87
  %93 = fadd fast double %58, %92
  %94 = sitofp i32 %5 to double
  %95 = fadd fast double %93, %94
  %96 = uitofp i32 %5 to double
  %97 = fadd fast double %95, %96
  %98 = call double @dx.op.makeDouble.f64(i32 101, i32 %69, i32 %70)  ; MakeDouble(lo,hi)
  %99 = fadd fast double %98, %97
  %100 = call double @dx.op.makeDouble.f64(i32 101, i32 %72, i32 %73)  ; MakeDouble(lo,hi)
  %101 = fadd fast double %100, %97
  %102 = call double @dx.op.makeDouble.f64(i32 101, i32 %64, i32 %65)  ; MakeDouble(lo,hi)
  %103 = call double @dx.op.makeDouble.f64(i32 101, i32 %72, i32 %73)  ; MakeDouble(lo,hi)
  %104 = fcmp fast oge double %102, %103
  %105 = call double @dx.op.makeDouble.f64(i32 101, i32 %64, i32 %65)  ; MakeDouble(lo,hi)
  %106 = call double @dx.op.makeDouble.f64(i32 101, i32 %72, i32 %73)  ; MakeDouble(lo,hi)
  %107 = fcmp fast une double %105, %106
  %108 = select i1 %104, double %99, double %101
  %109 = call double @dx.op.makeDouble.f64(i32 101, i32 %64, i32 %65)  ; MakeDouble(lo,hi)
  %110 = fadd fast double %109, %97
  %111 = select i1 %107, double %110, double %108
  %112 = call double @dx.op.makeDouble.f64(i32 101, i32 %64, i32 %65)  ; MakeDouble(lo,hi)
  %113 = call double @dx.op.makeDouble.f64(i32 101, i32 %69, i32 %70)  ; MakeDouble(lo,hi)
  %114 = fcmp fast oeq double %112, %113
  %115 = call double @dx.op.makeDouble.f64(i32 101, i32 %64, i32 %65)  ; MakeDouble(lo,hi)
  %116 = fptosi double %115 to i32
  %117 = call double @dx.op.makeDouble.f64(i32 101, i32 %69, i32 %70)  ; MakeDouble(lo,hi)
  %118 = fptoui double %117 to i32
  %119 = select i1 %114, double %97, double %111
  %120 = call %dx.types.splitdouble @dx.op.splitDouble.f64(i32 102, double %119)  ; SplitDouble(value)
  %121 = extractvalue %dx.types.splitdouble %120, 0
  %122 = extractvalue %dx.types.splitdouble %120, 1
  call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %62, i32 %1, i32 0, i32 %121, i32 %122, i32 undef, i32 undef, i8 3)  ; BufferStore(uav,coord0,coord1,value0,value1,value2,value3,mask)
  %123 = call i32 @dx.op.binary.i32(i32 37, i32 %5, i32 %9)  ; IMax(a,b)
  %124 = call i32 @dx.op.binary.i32(i32 38, i32 %5, i32 %9)  ; IMin(a,b)
  %125 = xor i32 %124, %123
  %126 = call i32 @dx.op.binary.i32(i32 39, i32 %5, i32 %9)  ; UMax(a,b)
  %127 = xor i32 %126, %125
  %128 = call i32 @dx.op.binary.i32(i32 40, i32 %5, i32 %12)  ; UMin(a,b)
  %129 = xor i32 %128, %127
  %130 = and i32 %9, 31
  %131 = lshr i32 %5, %130
  %132 = xor i32 %131, %129
  %133 = and i32 %12, 31
  %134 = ashr i32 %5, %133
  %135 = xor i32 %134, %132
  %136 = add i32 %135, %28
  %137 = call i32 @dx.op.unaryBits.i32(i32 34, i32 %5)  ; FirstbitSHi(value)
  %138 = icmp eq i32 %137, -1
  %139 = sub i32 31, %137
  %140 = select i1 %138, i32 -1, i32 %139
  %141 = call i32 @dx.op.unaryBits.i32(i32 32, i32 %5)  ; FirstbitLo(value)
  %142 = add i32 %140, %141
  %143 = call i32 @dx.op.tertiary.i32(i32 52, i32 5, i32 3, i32 %5)  ; Ubfe(a,b,c)
  %144 = add i32 %143, %142
  %145 = call i32 @dx.op.tertiary.i32(i32 51, i32 5, i32 7, i32 %5)  ; Ibfe(a,b,c)
  %146 = add i32 %145, %144
  %147 = add i32 %146, %136
  %148 = icmp ne i32 %5, %9
  %149 = select i1 %148, i32 %9, i32 %12
  %150 = icmp slt i32 %5, %9
  %151 = select i1 %150, i32 %5, i32 %149
  %152 = xor i32 %151, %147
  %153 = lshr i32 %9, 24
  %154 = call i32 @dx.op.quaternary.i32(i32 53, i32 24, i32 8, i32 %12, i32 %153)  ; Bfi(width,offset,value,replacedValue)
  %155 = call i32 @dx.op.tertiary.i32(i32 50, i32 %5, i32 %9, i32 %5)  ; Msad(a,b,c)
  %156 = call i32 @dx.op.tertiary.i32(i32 50, i32 %5, i32 %154, i32 %152)  ; Msad(a,b,c)
  %157 = add i32 %155, %152
  %158 = add i32 %156, %157
  %159 = call i32 @dx.op.tertiary.i32(i32 48, i32 12, i32 %1, i32 80)  ; IMad(a,b,c)
  call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %3, i32 %159, i32 undef, i32 %158, i32 %116, i32 %118, i32 undef, i8 7)  ; BufferStore(uav,coord0,coord1,value0,value1,value2,value3,mask)
  ret void
}

declare i32 @dx.op.flattenedThreadIdInGroup.i32(i32)

declare %dx.types.Handle @dx.op.createHandle(i32, i8, i32, i32, i1)

declare %dx.types.ResRet.i32 @dx.op.bufferLoad.i32(i32, %dx.types.Handle, i32, i32)

declare i32 @dx.op.atomicBinOp.i32(i32, %dx.types.Handle, i32, i32, i32, i32, i32)

declare void @dx.op.barrier(i32, i32)

declare float @dx.op.unary.f32(i32, float)

declare float @dx.op.legacyF16ToF32(i32, i32)

declare float @dx.op.binary.f32(i32, float, float)

declare float @dx.op.dot2.f32(i32, float, float, float, float)

declare float @dx.op.dot3.f32(i32, float, float, float, float, float, float)

declare %dx.types.splitdouble @dx.op.splitDouble.f64(i32, double)

declare void @dx.op.bufferStore.i32(i32, %dx.types.Handle, i32, i32, i32, i32, i32, i32, i8)

declare double @dx.op.makeDouble.f64(i32, i32, i32)

declare double @dx.op.binary.f64(i32, double, double)

declare double @dx.op.tertiary.f64(i32, double, double, double)

declare i32 @dx.op.binary.i32(i32, i32, i32)

declare i32 @dx.op.unaryBits.i32(i32, i32)

declare i32 @dx.op.tertiary.i32(i32, i32, i32, i32)

declare i32 @dx.op.quaternary.i32(i32, i32, i32, i32, i32)
