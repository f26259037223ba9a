;
; Buffer Definitions:
;
;
; Resource Bindings:
;
; Name                                 Type  Format         Dim      ID      HLSL Bind  Count
; ------------------------------ ---------- ------- ----------- ------- -------------- ------
; s                                 sampler      NA          NA      S0             s0     1
; cs                                sampler      NA          NA      S1             s1     1
; t                                 texture     f32          2d      T0             t0     1
; b                                 texture     u32         buf      T1             t1     1
; raw                               texture    byte         r/o      T2             t2     1
; st                                texture  struct         r/o      T3             t3     1
; u                                     UAV     f32          2d      U0             u1     1
;
target datalayout = "e-m:e-p:32:32-i1:32-i8:32-i16:32-i32:32-i64:64-f16:32-f32:32-f64:64-n8:16:32:64"
target triple = "dxil-ms-dx"

%dx.types.Handle = type { i8* }
%dx.types.ResRet.f32 = type { float, float, float, float, i32 }
%dx.types.ResRet.i32 = type { i32, i32, i32, i32, i32 }

define void @main() {
  %1 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 0, i32 0, i32 0, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %2 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 3, i32 0, i32 0, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %3 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 0, i32 undef)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %4 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 1, i32 undef)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %5 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 2, i32 undef)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %6 = call %dx.types.ResRet.f32 @dx.op.sample.f32(i32 60, %dx.types.Handle %1, %dx.types.Handle %2, float %3, float %4, float undef, float undef, i32 0, i32 1, i32 undef, float %5)  ; Sample(srv,sampler,coord0,coord1,coord2,coord3,offset0,offset1,offset2,clamp)
  %7 = extractvalue %dx.types.ResRet.f32 %6, 0
  %8 = extractvalue %dx.types.ResRet.f32 %6, 1
  %9 = extractvalue %dx.types.ResRet.f32 %6, 2
  %10 = extractvalue %dx.types.ResRet.f32 %6, 3
  %11 = extractvalue %dx.types.ResRet.f32 %6, 4
  %12 = call i1 @dx.op.checkAccessFullyMapped.i32(i32 71, i32 %11)  ; CheckAccessFullyMapped(status)
  %13 = sext i1 %12 to i32
  %14 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 3, i32 undef)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %15 = call %dx.types.ResRet.f32 @dx.op.sampleBias.f32(i32 61, %dx.types.Handle %1, %dx.types.Handle %2, float %3, float %4, float undef, float undef, i32 0, i32 0, i32 undef, float %14, float 1.500000e+00)  ; SampleBias(srv,sampler,coord0,coord1,coord2,coord3,offset0,offset1,offset2,bias,clamp)
  %16 = extractvalue %dx.types.ResRet.f32 %15, 0
  %17 = extractvalue %dx.types.ResRet.f32 %15, 1
  %18 = extractvalue %dx.types.ResRet.f32 %15, 2
  %19 = extractvalue %dx.types.ResRet.f32 %15, 3
  %20 = extractvalue %dx.types.ResRet.f32 %15, 4
  %21 = call i1 @dx.op.checkAccessFullyMapped.i32(i32 71, i32 %20)  ; CheckAccessFullyMapped(status)
  %22 = sext i1 %21 to i32
  %23 = fadd fast float %7, %16
  %24 = fadd fast float %8, %17
  %25 = fadd fast float %9, %18
  %26 = fadd fast float %10, %19
  %27 = and i32 %22, %13
  %28 = call %dx.types.ResRet.f32 @dx.op.sampleGrad.f32(i32 63, %dx.types.Handle %1, %dx.types.Handle %2, float %3, float %4, float undef, float undef, i32 0, i32 0, i32 undef, float %3, float %4, float undef, float %5, float %14, float undef, float %3)  ; SampleGrad(srv,sampler,coord0,coord1,coord2,coord3,offset0,offset1,offset2,ddx0,ddx1,ddx2,ddy0,ddy1,ddy2,clamp)
  %29 = extractvalue %dx.types.ResRet.f32 %28, 0
  %30 = extractvalue %dx.types.ResRet.f32 %28, 1
  %31 = extractvalue %dx.types.ResRet.f32 %28, 2
  %32 = extractvalue %dx.types.ResRet.f32 %28, 3
  %33 = extractvalue %dx.types.ResRet.f32 %28, 4
  %34 = call i1 @dx.op.checkAccessFullyMapped.i32(i32 71, i32 %33)  ; CheckAccessFullyMapped(status)
  %35 = sext i1 %34 to i32
  %36 = fadd fast float %23, %29
  %37 = fadd fast float %24, %30
  %38 = fadd fast float %25, %31
  %39 = fadd fast float %26, %32
  %40 = and i32 %35, %27
  %41 = call %dx.types.ResRet.f32 @dx.op.sampleLevel.f32(i32 62, %dx.types.Handle %1, %dx.types.Handle %2, float %3, float %4, float undef, float undef, i32 0, i32 0, i32 undef, float %14)  ; SampleLevel(srv,sampler,coord0,coord1,coord2,coord3,offset0,offset1,offset2,LOD)
  %42 = extractvalue %dx.types.ResRet.f32 %41, 0
  %43 = extractvalue %dx.types.ResRet.f32 %41, 1
  %44 = extractvalue %dx.types.ResRet.f32 %41, 2
  %45 = extractvalue %dx.types.ResRet.f32 %41, 3
  %46 = extractvalue %dx.types.ResRet.f32 %41, 4
  %47 = call i1 @dx.op.checkAccessFullyMapped.i32(i32 71, i32 %46)  ; CheckAccessFullyMapped(status)
  %48 = sext i1 %47 to i32
  %49 = fadd fast float %36, %42
  %50 = fadd fast float %37, %43
  %51 = fadd fast float %38, %44
  %52 = fadd fast float %39, %45
  %53 = and i32 %48, %40
  %54 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 3, i32 1, i32 1, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %55 = call %dx.types.ResRet.f32 @dx.op.sampleCmp.f32(i32 64, %dx.types.Handle %1, %dx.types.Handle %54, float %3, float %4, float undef, float undef, i32 0, i32 0, i32 undef, float %14, float %3)  ; SampleCmp(srv,sampler,coord0,coord1,coord2,coord3,offset0,offset1,offset2,compareValue,clamp)
  %56 = extractvalue %dx.types.ResRet.f32 %55, 0
  %57 = extractvalue %dx.types.ResRet.f32 %55, 4
  %58 = call i1 @dx.op.checkAccessFullyMapped.i32(i32 71, i32 %57)  ; CheckAccessFullyMapped(status)
  %59 = sext i1 %58 to i32
  %60 = fadd fast float %49, %56
  %61 = fadd fast float %50, %56
  %62 = fadd fast float %51, %56
  %63 = fadd fast float %52, %56
  %64 = and i32 %59, %53
  %65 = call %dx.types.ResRet.f32 @dx.op.sampleCmpLevelZero.f32(i32 65, %dx.types.Handle %1, %dx.types.Handle %54, float %3, float %4, float undef, float undef, i32 0, i32 0, i32 undef, float %14)  ; SampleCmpLevelZero(srv,sampler,coord0,coord1,coord2,coord3,offset0,offset1,offset2,compareValue)
  %66 = extractvalue %dx.types.ResRet.f32 %65, 0
  %67 = extractvalue %dx.types.ResRet.f32 %65, 4
  %68 = call i1 @dx.op.checkAccessFullyMapped.i32(i32 71, i32 %67)  ; CheckAccessFullyMapped(status)
  %69 = sext i1 %68 to i32
  %70 = fadd fast float %60, %66
  %71 = fadd fast float %61, %66
  %72 = fadd fast float %62, %66
  %73 = fadd fast float %63, %66
  %74 = and i32 %69, %64
  %75 = fptosi float %3 to i32
  %76 = fptosi float %4 to i32
  %77 = fptosi float %5 to i32
  %78 = call %dx.types.ResRet.f32 @dx.op.textureLoad.f32(i32 66, %dx.types.Handle %1, i32 %77, i32 %75, i32 %76, i32 undef, i32 0, i32 0, i32 undef)  ; TextureLoad(srv,mipLevelOrSampleCount,coord0,coord1,coord2,offset0,offset1,offset2)
  %79 = extractvalue %dx.types.ResRet.f32 %78, 0
  %80 = extractvalue %dx.types.ResRet.f32 %78, 1
  %81 = extractvalue %dx.types.ResRet.f32 %78, 2
  %82 = extractvalue %dx.types.ResRet.f32 %78, 3
  %83 = extractvalue %dx.types.ResRet.f32 %78, 4
  %84 = call i1 @dx.op.checkAccessFullyMapped.i32(i32 71, i32 %83)  ; CheckAccessFullyMapped(status)
  %85 = sext i1 %84 to i32
  %86 = fadd fast float %70, %79
  %87 = fadd fast float %71, %80
  %88 = fadd fast float %72, %81
  %89 = fadd fast float %73, %82
  %90 = and i32 %85, %74
  %91 = call %dx.types.ResRet.f32 @dx.op.textureGather.f32(i32 73, %dx.types.Handle %1, %dx.types.Handle %2, float %3, float %4, float undef, float undef, i32 0, i32 0, i32 0)  ; TextureGather(srv,sampler,coord0,coord1,coord2,coord3,offset0,offset1,channel)
  %92 = extractvalue %dx.types.ResRet.f32 %91, 0
  %93 = extractvalue %dx.types.ResRet.f32 %91, 1
  %94 = extractvalue %dx.types.ResRet.f32 %91, 2
  %95 = extractvalue %dx.types.ResRet.f32 %91, 3
  %96 = extractvalue %dx.types.ResRet.f32 %91, 4
  %97 = call i1 @dx.op.checkAccessFullyMapped.i32(i32 71, i32 %96)  ; CheckAccessFullyMapped(status)
  %98 = sext i1 %97 to i32
  %99 = fadd fast float %86, %92
  %100 = fadd fast float %87, %93
  %101 = fadd fast float %88, %94
  %102 = fadd fast float %89, %95
  %103 = and i32 %98, %90
  %104 = call %dx.types.ResRet.f32 @dx.op.textureGatherCmp.f32(i32 74, %dx.types.Handle %1, %dx.types.Handle %54, float %3, float %4, float undef, float undef, i32 0, i32 0, i32 0, float %3)  ; TextureGatherCmp(srv,sampler,coord0,coord1,coord2,coord3,offset0,offset1,channel,compareValue)
  %105 = extractvalue %dx.types.ResRet.f32 %104, 0
  %106 = extractvalue %dx.types.ResRet.f32 %104, 1
  %107 = extractvalue %dx.types.ResRet.f32 %104, 2
  %108 = extractvalue %dx.types.ResRet.f32 %104, 3
  %109 = extractvalue %dx.types.ResRet.f32 %104, 4
  %110 = call i1 @dx.op.checkAccessFullyMapped.i32(i32 71, i32 %109)  ; CheckAccessFullyMapped(status)
  %111 = sext i1 %110 to i32
  %112 = fadd fast float %99, %105
  %113 = fadd fast float %100, %106
  %114 = fadd fast float %101, %107
  %115 = fadd fast float %102, %108
  %116 = and i32 %111, %103
  %117 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 0, i32 1, i32 1, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %118 = call %dx.types.ResRet.i32 @dx.op.bufferLoad.i32(i32 68, %dx.types.Handle %117, i32 %75, i32 undef)  ; BufferLoad(srv,index,wot)
  %119 = extractvalue %dx.types.ResRet.i32 %118, 0
  %120 = extractvalue %dx.types.ResRet.i32 %118, 4
  %121 = call i1 @dx.op.checkAccessFullyMapped.i32(i32 71, i32 %120)  ; CheckAccessFullyMapped(status)
  %122 = sext i1 %121 to i32
  %123 = uitofp i32 %119 to float
  %124 = fadd fast float %112, %123
  %125 = fadd fast float %113, %123
  %126 = fadd fast float %114, %123
  %127 = fadd fast float %115, %123
  %128 = and i32 %122, %116
  %129 = fptoui float %3 to i32
  %130 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 0, i32 2, i32 2, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %131 = call %dx.types.ResRet.i32 @dx.op.bufferLoad.i32(i32 68, %dx.types.Handle %130, i32 %129, i32 undef)  ; BufferLoad(srv,index,wot)
  %132 = extractvalue %dx.types.ResRet.i32 %131, 0
  %133 = extractvalue %dx.types.ResRet.i32 %131, 1
  %134 = extractvalue %dx.types.ResRet.i32 %131, 4
  %135 = call i1 @dx.op.checkAccessFullyMapped.i32(i32 71, i32 %134)  ; CheckAccessFullyMapped(status)
  %136 = sext i1 %135 to i32
  %137 = uitofp i32 %132 to float
  %138 = uitofp i32 %133 to float
  %139 = uitofp i32 %132 to float
  %140 = uitofp i32 %133 to float
  %141 = fadd fast float %124, %137
  %142 = fadd fast float %125, %138
  %143 = fadd fast float %126, %139
  %144 = fadd fast float %127, %140
  %145 = and i32 %136, %128
  %146 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 0, i32 3, i32 3, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %147 = call %dx.types.ResRet.i32 @dx.op.bufferLoad.i32(i32 68, %dx.types.Handle %146, i32 %75, i32 0)  ; BufferLoad(srv,index,wot)
  %148 = extractvalue %dx.types.ResRet.i32 %147, 0
  %149 = extractvalue %dx.types.ResRet.i32 %147, 1
  %150 = extractvalue %dx.types.ResRet.i32 %147, 2
  %151 = extractvalue %dx.types.ResRet.i32 %147, 3
  %152 = extractvalue %dx.types.ResRet.i32 %147, 4
  %153 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 0, i32 1, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %154 = call %dx.types.ResRet.f32 @dx.op.textureLoad.f32(i32 66, %dx.types.Handle %153, i32 undef, i32 %75, i32 %76, i32 undef, i32 undef, i32 undef, i32 undef)  ; TextureLoad(srv,mipLevelOrSampleCount,coord0,coord1,coord2,offset0,offset1,offset2)
  %155 = extractvalue %dx.types.ResRet.f32 %154, 0
  %156 = extractvalue %dx.types.ResRet.f32 %154, 4
  %157 = call i1 @dx.op.checkAccessFullyMapped.i32(i32 71, i32 %152)  ; CheckAccessFullyMapped(status)
  %158 = sext i1 %157 to i32
  %159 = uitofp i32 %148 to float
  %160 = uitofp i32 %149 to float
  %161 = uitofp i32 %150 to float
  %162 = uitofp i32 %151 to float
  %163 = fadd fast float %141, %159
  %164 = fadd fast float %142, %160
  %165 = fadd fast float %143, %161
  %166 = fadd fast float %144, %162
  %167 = fadd fast float %155, %163
  %168 = bitcast float %167 to i32
  %169 = fadd fast float %155, %164
  %170 = bitcast float %169 to i32
  %171 = fadd fast float %155, %165
  %172 = bitcast float %171 to i32
  %173 = fadd fast float %155, %166
  %174 = bitcast float %173 to i32
  %175 = call i1 @dx.op.checkAccessFullyMapped.i32(i32 71, i32 %156)  ; CheckAccessFullyMapped(status)
  %176 = sext i1 %175 to i32
  %177 = and i32 %158, %145
  %178 = and i32 %176, %177
  %179 = and i32 %168, %178
  %180 = bitcast i32 %179 to float
  %181 = and i32 %170, %178
  %182 = bitcast i32 %181 to float
  %183 = and i32 %172, %178
  %184 = bitcast i32 %183 to float
  %185 = and i32 %174, %178
  %186 = bitcast i32 %185 to float
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 0, float %180)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 1, float %182)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 2, float %184)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 3, float %186)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  ret void
}

declare %dx.types.Handle @dx.op.createHandle(i32, i8, i32, i32, i1)

declare float @dx.op.loadInput.f32(i32, i32, i32, i8, i32)

declare %dx.types.ResRet.f32 @dx.op.sample.f32(i32, %dx.types.Handle, %dx.types.Handle, float, float, float, float, i32, i32, i32, float)

declare i1 @dx.op.checkAccessFullyMapped.i32(i32, i32)

declare %dx.types.ResRet.f32 @dx.op.sampleBias.f32(i32, %dx.types.Handle, %dx.types.Handle, float, float, float, float, i32, i32, i32, float, float)

declare %dx.types.ResRet.f32 @dx.op.sampleGrad.f32(i32, %dx.types.Handle, %dx.types.Handle, float, float, float, float, i32, i32, i32, float, float, float, float, float, float, float)

declare %dx.types.ResRet.f32 @dx.op.sampleLevel.f32(i32, %dx.types.Handle, %dx.types.Handle, float, float, float, float, i32, i32, i32, float)

declare %dx.types.ResRet.f32 @dx.op.sampleCmp.f32(i32, %dx.types.Handle, %dx.types.Handle, float, float, float, float, i32, i32, i32, float, float)

declare %dx.types.ResRet.f32 @dx.op.sampleCmpLevelZero.f32(i32, %dx.types.Handle, %dx.types.Handle, float, float, float, float, i32, i32, i32, float)

declare %dx.types.ResRet.f32 @dx.op.textureLoad.f32(i32, %dx.types.Handle, i32, i32, i32, i32, i32, i32, i32)

declare %dx.types.ResRet.f32 @dx.op.textureGather.f32(i32, %dx.types.Handle, %dx.types.Handle, float, float, float, float, i32, i32, i32)

declare %dx.types.ResRet.f32 @dx.op.textureGatherCmp.f32(i32, %dx.types.Handle, %dx.types.Handle, float, float, float, float, i32, i32, i32, float)

declare %dx.types.ResRet.i32 @dx.op.bufferLoad.i32(i32, %dx.types.Handle, i32, i32)

declare void @dx.op.storeOutput.f32(i32, i32, i32, i8, float)
