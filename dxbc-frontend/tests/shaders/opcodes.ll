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
  %59 = call %dx.types.splitdouble @dx.op.splitDouble.f64(i32 102, double %58)  ; SplitDouble(value)
  %60 = extractvalue %dx.types.splitdouble %59, 0
  %61 = extractvalue %dx.types.splitdouble %59, 1
  %62 = select i1 %57, float %53, float %56
  %63 = bitcast float %62 to i32
  %64 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 2, i32 2, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %64, i32 %1, i32 0, i32 %63, i32 undef, i32 undef, i32 undef, i8 1)  ; BufferStore(uav,coord0,coord1,value0,value1,value2,value3,mask)
  %65 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 1, i32 1, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %66 = call %dx.types.ResRet.i32 @dx.op.bufferLoad.i32(i32 68, %dx.types.Handle %65, i32 %1, i32 0)  ; BufferLoad(srv,index,wot)
  %67 = extractvalue %dx.types.ResRet.i32 %66, 0
  %68 = extractvalue %dx.types.ResRet.i32 %66, 1
  %69 = add i32 %1, 4
  %70 = add i32 %1, 8
  %71 = call %dx.types.ResRet.i32 @dx.op.bufferLoad.i32(i32 68, %dx.types.Handle %65, i32 %69, i32 0)  ; BufferLoad(srv,index,wot)
  %72 = extractvalue %dx.types.ResRet.i32 %71, 0
  %73 = extractvalue %dx.types.ResRet.i32 %71, 1
  %74 = call %dx.types.ResRet.i32 @dx.op.bufferLoad.i32(i32 68, %dx.types.Handle %65, i32 %70, i32 0)  ; BufferLoad(srv,index,wot)
  %75 = extractvalue %dx.types.ResRet.i32 %74, 0
  %76 = extractvalue %dx.types.ResRet.i32 %74, 1
  %77 = call double @dx.op.makeDouble.f64(i32 101, i32 %75, i32 %76)  ; MakeDouble(lo,hi)
  %78 = call double @dx.op.makeDouble.f64(i32 101, i32 %72, i32 %73)  ; MakeDouble(lo,hi)
  %79 = call double @dx.op.binary.f64(i32 36, double %77, double %78)  ; FMin(a,b)
  %80 = call %dx.types.splitdouble @dx.op.splitDouble.f64(i32 102, double %79)  ; SplitDouble(value)
  %81 = extractvalue %dx.types.splitdouble %80, 0
  %82 = extractvalue %dx.types.splitdouble %80, 1
  %83 = call double @dx.op.makeDouble.f64(i32 101, i32 %67, i32 %68)  ; MakeDouble(lo,hi)
  %84 = call double @dx.op.makeDouble.f64(i32 101, i32 %72, i32 %73)  ; MakeDouble(lo,hi)
  %85 = call double @dx.op.binary.f64(i32 35, double %83, double %84)  ; FMax(a,b)
  %86 = call %dx.types.splitdouble @dx.op.splitDouble.f64(i32 102, double %85)  ; SplitDouble(value)
  %87 = extractvalue %dx.types.splitdouble %86, 0
  %88 = extractvalue %dx.types.splitdouble %86, 1
  %89 = call double @dx.op.makeDouble.f64(i32 101, i32 %81, i32 %82)  ; MakeDouble(lo,hi)
  %90 = call double @dx.op.makeDouble.f64(i32 101, i32 %87, i32 %88)  ; MakeDouble(lo,hi)
  %91 = fadd fast double %89, %90
  %92 = call %dx.types.splitdouble @dx.op.splitDouble.f64(i32 102, double %91)  ; SplitDouble(value)
  %93 = extractvalue %dx.types.splitdouble %92, 0
  %94 = extractvalue %dx.types.splitdouble %92, 1
  %95 = call double @dx.op.makeDouble.f64(i32 101, i32 %67, i32 %68)  ; MakeDouble(lo,hi)
  %96 = call double @dx.op.makeDouble.f64(i32 101, i32 %72, i32 %73)  ; MakeDouble(lo,hi)
  %97 = fdiv fast double %95, %96
  %98 = call %dx.types.splitdouble @dx.op.splitDouble.f64(i32 102, double %97)  ; SplitDouble(value)
  %99 = extractvalue %dx.types.splitdouble %98, 0
  %100 = extractvalue %dx.types.splitdouble %98, 1
  %101 = call double @dx.op.makeDouble.f64(i32 101, i32 %99, i32 %100)  ; MakeDouble(lo,hi)
  %102 = call double @dx.op.makeDouble.f64(i32 101, i32 %93, i32 %94)  ; MakeDouble(lo,hi)
  %103 = fadd fast double %101, %102
  %104 = call %dx.types.splitdouble @dx.op.splitDouble.f64(i32 102, double %103)  ; SplitDouble(value)
  %105 = extractvalue %dx.types.splitdouble %104, 0
  %106 = extractvalue %dx.types.splitdouble %104, 1
  %107 = call double @dx.op.makeDouble.f64(i32 101, i32 %75, i32 %76)  ; MakeDouble(lo,hi)
  %108 = fdiv fast double 1.000000e+00, %107
  %109 = call %dx.types.splitdouble @dx.op.splitDouble.f64(i32 102, double %108)  ; SplitDouble(value)
  %110 = extractvalue %dx.types.splitdouble %109, 0
  %111 = extractvalue %dx.types.splitdouble %109, 1
  %112 = call double @dx.op.makeDouble.f64(i32 101, i32 %110, i32 %111)  ; MakeDouble(lo,hi)
  %113 = call double @dx.op.makeDouble.f64(i32 101, i32 %105, i32 %106)  ; MakeDouble(lo,hi)
  %114 = fadd fast double %112, %113
  %115 = call %dx.types.splitdouble @dx.op.splitDouble.f64(i32 102, double %114)  ; SplitDouble(value)
  %116 = extractvalue %dx.types.splitdouble %115, 0
  %117 = extractvalue %dx.types.splitdouble %115, 1
  %118 = call double @dx.op.makeDouble.f64(i32 101, i32 %67, i32 %68)  ; MakeDouble(lo,hi)
  %119 = call double @dx.op.makeDouble.f64(i32 101, i32 %72, i32 %73)  ; MakeDouble(lo,hi)
  %120 = call double @dx.op.makeDouble.f64(i32 101, i32 %75, i32 %76)  ; MakeDouble(lo,hi)
  %121 = call double @dx.op.tertiary.f64(i32 47, double %118, double %119, double %120)  ; Fma(a,b,c)
  %122 = call %dx.types.splitdouble @dx.op.splitDouble.f64(i32 102, double %121)  ; SplitDouble(value)
  %123 = extractvalue %dx.types.splitdouble %122, 0
  %124 = extractvalue %dx.types.splitdouble %122, 1
  %125 = call double @dx.op.makeDouble.f64(i32 101, i32 %123, i32 %124)  ; MakeDouble(lo,hi)
  %126 = call double @dx.op.makeDouble.f64(i32 101, i32 %116, i32 %117)  ; MakeDouble(lo,hi)
  %127 = fadd fast double %125, %126
  %128 = call %dx.types.splitdouble @dx.op.splitDouble.f64(i32 102, double %127)  ; SplitDouble(value)
  %129 = extractvalue %dx.types.splitdouble %128, 0
  %130 = extractvalue %dx.types.splitdouble %128, 1
  %131 = call double @dx.op.makeDouble.f64(i32 101, i32 %60, i32 %61)  ; MakeDouble(lo,hi)
  %132 = call double @dx.op.makeDouble.f64(i32 101, i32 %129, i32 %130)  ; MakeDouble(lo,hi)
  %133 = fadd fast double %131, %132
  %134 = call %dx.types.splitdouble @dx.op.splitDouble.f64(i32 102, double %133)  ; SplitDouble(value)
  %135 = extractvalue %dx.types.splitdouble %134, 0
  %136 = extractvalue %dx.types.splitdouble %134, 1
  %137 = sitofp i32 %5 to double
  %138 = call %dx.types.splitdouble @dx.op.splitDouble.f64(i32 102, double %137)  ; SplitDouble(value)
  %139 = extractvalue %dx.types.splitdouble %138, 0
  %140 = extractvalue %dx.types.splitdouble %138, 1
  %141 = call double @dx.op.makeDouble.f64(i32 101, i32 %135, i32 %136)  ; MakeDouble(lo,hi)
  %142 = call double @dx.op.makeDouble.f64(i32 101, i32 %139, i32 %140)  ; MakeDouble(lo,hi)
  %143 = fadd fast double %141, %142
  %144 = call %dx.types.splitdouble @dx.op.splitDouble.f64(i32 102, double %143)  ; SplitDouble(value)
  %145 = extractvalue %dx.types.splitdouble %144, 0
  %146 = extractvalue %dx.types.splitdouble %144, 1
  %147 = uitofp i32 %5 to double
  %148 = call %dx.types.splitdouble @dx.op.splitDouble.f64(i32 102, double %147)  ; SplitDouble(value)
  %149 = extractvalue %dx.types.splitdouble %148, 0
  %150 = extractvalue %dx.types.splitdouble %148, 1
  %151 = call double @dx.op.makeDouble.f64(i32 101, i32 %145, i32 %146)  ; MakeDouble(lo,hi)
  %152 = call double @dx.op.makeDouble.f64(i32 101, i32 %149, i32 %150)  ; MakeDouble(lo,hi)
  %153 = fadd fast double %151, %152
  %154 = call %dx.types.splitdouble @dx.op.splitDouble.f64(i32 102, double %153)  ; SplitDouble(value)
  %155 = extractvalue %dx.types.splitdouble %154, 0
  %156 = extractvalue %dx.types.splitdouble %154, 1
  %157 = call double @dx.op.makeDouble.f64(i32 101, i32 %72, i32 %73)  ; MakeDouble(lo,hi)
  %158 = call double @dx.op.makeDouble.f64(i32 101, i32 %155, i32 %156)  ; MakeDouble(lo,hi)
  %159 = fadd fast double %157, %158
  %160 = call %dx.types.splitdouble @dx.op.splitDouble.f64(i32 102, double %159)  ; SplitDouble(value)
  %161 = extractvalue %dx.types.splitdouble %160, 0
  %162 = extractvalue %dx.types.splitdouble %160, 1
  %163 = call double @dx.op.makeDouble.f64(i32 101, i32 %75, i32 %76)  ; MakeDouble(lo,hi)
  %164 = call double @dx.op.makeDouble.f64(i32 101, i32 %155, i32 %156)  ; MakeDouble(lo,hi)
  %165 = fadd fast double %163, %164
  %166 = call %dx.types.splitdouble @dx.op.splitDouble.f64(i32 102, double %165)  ; SplitDouble(value)
  %167 = extractvalue %dx.types.splitdouble %166, 0
  %168 = extractvalue %dx.types.splitdouble %166, 1
  %169 = call double @dx.op.makeDouble.f64(i32 101, i32 %67, i32 %68)  ; MakeDouble(lo,hi)
  %170 = call double @dx.op.makeDouble.f64(i32 101, i32 %75, i32 %76)  ; MakeDouble(lo,hi)
  %171 = fcmp fast oge double %169, %170
  %172 = call double @dx.op.makeDouble.f64(i32 101, i32 %67, i32 %68)  ; MakeDouble(lo,hi)
  %173 = call double @dx.op.makeDouble.f64(i32 101, i32 %75, i32 %76)  ; MakeDouble(lo,hi)
  %174 = fcmp fast une double %172, %173
  %175 = call double @dx.op.makeDouble.f64(i32 101, i32 %161, i32 %162)  ; MakeDouble(lo,hi)
  %176 = call double @dx.op.makeDouble.f64(i32 101, i32 %167, i32 %168)  ; MakeDouble(lo,hi)
  %177 = select i1 %171, double %175, double %176
  %178 = call %dx.types.splitdouble @dx.op.splitDouble.f64(i32 102, double %177)  ; SplitDouble(value)
  %179 = extractvalue %dx.types.splitdouble %178, 0
  %180 = extractvalue %dx.types.splitdouble %178, 1
  %181 = call double @dx.op.makeDouble.f64(i32 101, i32 %67, i32 %68)  ; MakeDouble(lo,hi)
  %182 = call double @dx.op.makeDouble.f64(i32 101, i32 %155, i32 %156)  ; MakeDouble(lo,hi)
  %183 = fadd fast double %181, %182
  %184 = call %dx.types.splitdouble @dx.op.splitDouble.f64(i32 102, double %183)  ; SplitDouble(value)
  %185 = extractvalue %dx.types.splitdouble %184, 0
  %186 = extractvalue %dx.types.splitdouble %184, 1
  %187 = call double @dx.op.makeDouble.f64(i32 101, i32 %185, i32 %186)  ; MakeDouble(lo,hi)
  %188 = call double @dx.op.makeDouble.f64(i32 101, i32 %179, i32 %180)  ; MakeDouble(lo,hi)
  %189 = select i1 %174, double %187, double %188
  %190 = call %dx.types.splitdouble @dx.op.splitDouble.f64(i32 102, double %189)  ; SplitDouble(value)
  %191 = extractvalue %dx.types.splitdouble %190, 0
  %192 = extractvalue %dx.types.splitdouble %190, 1
  %193 = call double @dx.op.makeDouble.f64(i32 101, i32 %67, i32 %68)  ; MakeDouble(lo,hi)
  %194 = call double @dx.op.makeDouble.f64(i32 101, i32 %72, i32 %73)  ; MakeDouble(lo,hi)
  %195 = fcmp fast oeq double %193, %194
  %196 = call double @dx.op.makeDouble.f64(i32 101, i32 %67, i32 %68)  ; MakeDouble(lo,hi)
  %197 = fptosi double %196 to i32
  %198 = call double @dx.op.makeDouble.f64(i32 101, i32 %72, i32 %73)  ; MakeDouble(lo,hi)
  %199 = fptoui double %198 to i32
  %200 = call double @dx.op.makeDouble.f64(i32 101, i32 %155, i32 %156)  ; MakeDouble(lo,hi)
  %201 = call double @dx.op.makeDouble.f64(i32 101, i32 %191, i32 %192)  ; MakeDouble(lo,hi)
  %202 = select i1 %195, double %200, double %201
  %203 = call %dx.types.splitdouble @dx.op.splitDouble.f64(i32 102, double %202)  ; SplitDouble(value)
  %204 = extractvalue %dx.types.splitdouble %203, 0
  %205 = extractvalue %dx.types.splitdouble %203, 1
  call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %65, i32 %1, i32 0, i32 %204, i32 %205, i32 undef, i32 undef, i8 3)  ; BufferStore(uav,coord0,coord1,value0,value1,value2,value3,mask)
  %206 = call i32 @dx.op.binary.i32(i32 37, i32 %5, i32 %9)  ; IMax(a,b)
  %207 = call i32 @dx.op.binary.i32(i32 38, i32 %5, i32 %9)  ; IMin(a,b)
  %208 = xor i32 %207, %206
  %209 = call i32 @dx.op.binary.i32(i32 39, i32 %5, i32 %9)  ; UMax(a,b)
  %210 = xor i32 %209, %208
  %211 = call i32 @dx.op.binary.i32(i32 40, i32 %5, i32 %12)  ; UMin(a,b)
  %212 = xor i32 %211, %210
  %213 = and i32 %9, 31
  %214 = lshr i32 %5, %213
  %215 = xor i32 %214, %212
  %216 = and i32 %12, 31
  %217 = ashr i32 %5, %216
  %218 = xor i32 %217, %215
  %219 = add i32 %218, %28
  %220 = call i32 @dx.op.unaryBits.i32(i32 34, i32 %5)  ; FirstbitSHi(value)
  %221 = icmp eq i32 %220, -1
  %222 = sub i32 31, %220
  %223 = select i1 %221, i32 -1, i32 %222
  %224 = call i32 @dx.op.unaryBits.i32(i32 32, i32 %5)  ; FirstbitLo(value)
  %225 = add i32 %223, %224
  %226 = call i32 @dx.op.tertiary.i32(i32 52, i32 5, i32 3, i32 %5)  ; Ubfe(a,b,c)
  %227 = add i32 %226, %225
  %228 = call i32 @dx.op.tertiary.i32(i32 51, i32 5, i32 7, i32 %5)  ; Ibfe(a,b,c)
  %229 = add i32 %228, %227
  %230 = add i32 %229, %219
  %231 = icmp ne i32 %5, %9
  %232 = select i1 %231, i32 %9, i32 %12
  %233 = icmp slt i32 %5, %9
  %234 = select i1 %233, i32 %5, i32 %232
  %235 = xor i32 %234, %230
  %236 = lshr i32 %9, 24
  %237 = call i32 @dx.op.quaternary.i32(i32 53, i32 24, i32 8, i32 %12, i32 %236)  ; Bfi(width,offset,value,replacedValue)
  %238 = call i32 @dx.op.tertiary.i32(i32 50, i32 %5, i32 %9, i32 %5)  ; Msad(a,b,c)
  %239 = call i32 @dx.op.tertiary.i32(i32 50, i32 %5, i32 %237, i32 %235)  ; Msad(a,b,c)
  %240 = add i32 %238, %235
  %241 = add i32 %239, %240
  %242 = call i32 @dx.op.tertiary.i32(i32 48, i32 12, i32 %1, i32 80)  ; IMad(a,b,c)
  call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %3, i32 %242, i32 undef, i32 %241, i32 %197, i32 %199, i32 undef, i8 7)  ; BufferStore(uav,coord0,coord1,value0,value1,value2,value3,mask)
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
