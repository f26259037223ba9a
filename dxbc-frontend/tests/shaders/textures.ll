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
; t1                                texture     f32          1d      T0             t0     1
; t1a                               texture     f32     1darray      T1             t1     1
; t2                                texture     f32          2d      T2             t2     1
; t2a                               texture     f32     2darray      T3             t3     1
; t3                                texture     f32          3d      T4             t4     1
; tc                                texture     f32        cube      T5             t5     1
; tca                               texture     f32   cubearray      T6             t6     1
; tms                               texture     f32        2dMS      T7             t7     1
; tu                                texture     u32          2d      T8             t8     1
; depth                             texture     f32          2d      T9             t9     1
;
target datalayout = "e-m:e-p:32:32-i1:32-i8:32-i16:32-i32:32-i64:64-f16:32-f32:32-f64:64-n8:16:32:64"
target triple = "dxil-ms-dx"

%dx.types.Handle = type { i8* }
%dx.types.ResRet.f32 = type { float, float, float, float, i32 }
%dx.types.ResRet.i32 = type { i32, i32, i32, i32, i32 }
%dx.types.Dimensions = type { i32, i32, i32, i32 }
%dx.types.SamplePos = type { float, float }

define void @main() {
  %1 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 0, i32 0, i32 0, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %2 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 3, i32 0, i32 0, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %3 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 0, i32 undef)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %4 = call %dx.types.ResRet.f32 @dx.op.sample.f32(i32 60, %dx.types.Handle %1, %dx.types.Handle %2, float %3, float undef, float undef, float undef, i32 2, i32 undef, i32 undef, float 0.000000e+00)  ; Sample(srv,sampler,coord0,coord1,coord2,coord3,offset0,offset1,offset2,clamp)
  %5 = extractvalue %dx.types.ResRet.f32 %4, 0
  %6 = extractvalue %dx.types.ResRet.f32 %4, 1
  %7 = extractvalue %dx.types.ResRet.f32 %4, 2
  %8 = extractvalue %dx.types.ResRet.f32 %4, 3
  %9 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 0, i32 1, i32 1, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %10 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 1, i32 undef)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %11 = call %dx.types.ResRet.f32 @dx.op.sampleBias.f32(i32 61, %dx.types.Handle %9, %dx.types.Handle %2, float %3, float %10, float undef, float undef, i32 0, i32 undef, i32 undef, float 5.000000e-01, float 0.000000e+00)  ; SampleBias(srv,sampler,coord0,coord1,coord2,coord3,offset0,offset1,offset2,bias,clamp)
  %12 = extractvalue %dx.types.ResRet.f32 %11, 0
  %13 = extractvalue %dx.types.ResRet.f32 %11, 1
  %14 = extractvalue %dx.types.ResRet.f32 %11, 2
  %15 = extractvalue %dx.types.ResRet.f32 %11, 3
  %16 = fadd fast float %5, %12
  %17 = fadd fast float %6, %13
  %18 = fadd fast float %7, %14
  %19 = fadd fast float %8, %15
  %20 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 0, i32 2, i32 2, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %21 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 3, i32 undef)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %22 = call %dx.types.ResRet.f32 @dx.op.sampleLevel.f32(i32 62, %dx.types.Handle %20, %dx.types.Handle %2, float %3, float %10, float undef, float undef, i32 -3, i32 4, i32 undef, float %21)  ; SampleLevel(srv,sampler,coord0,coord1,coord2,coord3,offset0,offset1,offset2,LOD)
  %23 = extractvalue %dx.types.ResRet.f32 %22, 0
  %24 = extractvalue %dx.types.ResRet.f32 %22, 1
  %25 = extractvalue %dx.types.ResRet.f32 %22, 2
  %26 = extractvalue %dx.types.ResRet.f32 %22, 3
  %27 = fadd fast float %16, %23
  %28 = fadd fast float %17, %24
  %29 = fadd fast float %18, %25
  %30 = fadd fast float %19, %26
  %31 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 0, i32 3, i32 3, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %32 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 2, i32 undef)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %33 = call %dx.types.ResRet.f32 @dx.op.sampleGrad.f32(i32 63, %dx.types.Handle %31, %dx.types.Handle %2, float %3, float %10, float %32, float undef, i32 1, i32 2, i32 undef, float %3, float %10, float undef, float %32, float %21, float undef, float 0.000000e+00)  ; SampleGrad(srv,sampler,coord0,coord1,coord2,coord3,offset0,offset1,offset2,ddx0,ddx1,ddx2,ddy0,ddy1,ddy2,clamp)
  %34 = extractvalue %dx.types.ResRet.f32 %33, 0
  %35 = extractvalue %dx.types.ResRet.f32 %33, 1
  %36 = extractvalue %dx.types.ResRet.f32 %33, 2
  %37 = extractvalue %dx.types.ResRet.f32 %33, 3
  %38 = fadd fast float %27, %34
  %39 = fadd fast float %28, %35
  %40 = fadd fast float %29, %36
  %41 = fadd fast float %30, %37
  %42 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 0, i32 4, i32 4, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %43 = call %dx.types.ResRet.f32 @dx.op.sample.f32(i32 60, %dx.types.Handle %42, %dx.types.Handle %2, float %3, float %10, float %32, float undef, i32 1, i32 2, i32 3, float 0.000000e+00)  ; Sample(srv,sampler,coord0,coord1,coord2,coord3,offset0,offset1,offset2,clamp)
  %44 = extractvalue %dx.types.ResRet.f32 %43, 0
  %45 = extractvalue %dx.types.ResRet.f32 %43, 1
  %46 = extractvalue %dx.types.ResRet.f32 %43, 2
  %47 = extractvalue %dx.types.ResRet.f32 %43, 3
  %48 = fadd fast float %38, %47
  %49 = fadd fast float %39, %46
  %50 = fadd fast float %40, %45
  %51 = fadd fast float %41, %44
  %52 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 0, i32 5, i32 5, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %53 = call %dx.types.ResRet.f32 @dx.op.sampleGrad.f32(i32 63, %dx.types.Handle %52, %dx.types.Handle %2, float %3, float %10, float %32, float undef, i32 undef, i32 undef, i32 undef, float %10, float %32, float %21, float %3, float %10, float %21, float 0.000000e+00)  ; SampleGrad(srv,sampler,coord0,coord1,coord2,coord3,offset0,offset1,offset2,ddx0,ddx1,ddx2,ddy0,ddy1,ddy2,clamp)
  %54 = extractvalue %dx.types.ResRet.f32 %53, 0
  %55 = extractvalue %dx.types.ResRet.f32 %53, 1
  %56 = extractvalue %dx.types.ResRet.f32 %53, 2
  %57 = extractvalue %dx.types.ResRet.f32 %53, 3
  %58 = fadd fast float %48, %54
  %59 = fadd fast float %49, %55
  %60 = fadd fast float %50, %56
  %61 = fadd fast float %51, %57
  %62 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 0, i32 6, i32 6, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %63 = call %dx.types.ResRet.f32 @dx.op.sample.f32(i32 60, %dx.types.Handle %62, %dx.types.Handle %2, float %3, float %10, float %32, float %21, i32 undef, i32 undef, i32 undef, float 0.000000e+00)  ; Sample(srv,sampler,coord0,coord1,coord2,coord3,offset0,offset1,offset2,clamp)
  %64 = extractvalue %dx.types.ResRet.f32 %63, 1
  %65 = fadd fast float %58, %64
  %66 = fadd fast float %59, %64
  %67 = fadd fast float %60, %64
  %68 = fadd fast float %61, %64
  %69 = call i32 @dx.op.loadInput.i32(i32 4, i32 1, i32 0, i8 0, i32 undef)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %70 = call i32 @dx.op.loadInput.i32(i32 4, i32 1, i32 0, i8 1, i32 undef)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %71 = call %dx.types.ResRet.f32 @dx.op.textureLoad.f32(i32 66, %dx.types.Handle %20, i32 1, i32 %69, i32 %70, i32 undef, i32 1, i32 -1, i32 undef)  ; TextureLoad(srv,mipLevelOrSampleCount,coord0,coord1,coord2,offset0,offset1,offset2)
  %72 = extractvalue %dx.types.ResRet.f32 %71, 0
  %73 = extractvalue %dx.types.ResRet.f32 %71, 1
  %74 = extractvalue %dx.types.ResRet.f32 %71, 2
  %75 = extractvalue %dx.types.ResRet.f32 %71, 3
  %76 = fadd fast float %65, %72
  %77 = fadd fast float %66, %73
  %78 = fadd fast float %67, %74
  %79 = fadd fast float %68, %75
  %80 = call i32 @dx.op.loadInput.i32(i32 4, i32 1, i32 0, i8 2, i32 undef)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %81 = call %dx.types.ResRet.f32 @dx.op.textureLoad.f32(i32 66, %dx.types.Handle %42, i32 0, i32 %69, i32 %70, i32 %80, i32 0, i32 0, i32 0)  ; TextureLoad(srv,mipLevelOrSampleCount,coord0,coord1,coord2,offset0,offset1,offset2)
  %82 = extractvalue %dx.types.ResRet.f32 %81, 0
  %83 = extractvalue %dx.types.ResRet.f32 %81, 1
  %84 = extractvalue %dx.types.ResRet.f32 %81, 2
  %85 = extractvalue %dx.types.ResRet.f32 %81, 3
  %86 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 0, i32 7, i32 7, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %87 = call %dx.types.ResRet.f32 @dx.op.textureLoad.f32(i32 66, %dx.types.Handle %86, i32 %80, i32 %69, i32 %70, i32 undef, i32 1, i32 1, i32 undef)  ; TextureLoad(srv,mipLevelOrSampleCount,coord0,coord1,coord2,offset0,offset1,offset2)
  %88 = extractvalue %dx.types.ResRet.f32 %87, 0
  %89 = extractvalue %dx.types.ResRet.f32 %87, 1
  %90 = extractvalue %dx.types.ResRet.f32 %87, 2
  %91 = extractvalue %dx.types.ResRet.f32 %87, 3
  %92 = fadd fast float %76, %82
  %93 = fadd fast float %77, %83
  %94 = fadd fast float %78, %84
  %95 = fadd fast float %79, %85
  %96 = call %dx.types.ResRet.f32 @dx.op.textureLoad.f32(i32 66, %dx.types.Handle %9, i32 %80, i32 %69, i32 %70, i32 undef, i32 0, i32 undef, i32 undef)  ; TextureLoad(srv,mipLevelOrSampleCount,coord0,coord1,coord2,offset0,offset1,offset2)
  %97 = extractvalue %dx.types.ResRet.f32 %96, 0
  %98 = extractvalue %dx.types.ResRet.f32 %96, 1
  %99 = extractvalue %dx.types.ResRet.f32 %96, 2
  %100 = extractvalue %dx.types.ResRet.f32 %96, 3
  %101 = fadd fast float %92, %97
  %102 = fadd fast float %93, %98
  %103 = fadd fast float %94, %99
  %104 = fadd fast float %95, %100
  %105 = fadd fast float %88, %101
  %106 = fadd fast float %89, %102
  %107 = fadd fast float %90, %103
  %108 = fadd fast float %91, %104
  %109 = call %dx.types.ResRet.f32 @dx.op.textureGather.f32(i32 73, %dx.types.Handle %20, %dx.types.Handle %2, float %3, float %10, float undef, float undef, i32 1, i32 2, i32 0)  ; TextureGather(srv,sampler,coord0,coord1,coord2,coord3,offset0,offset1,channel)
  %110 = extractvalue %dx.types.ResRet.f32 %109, 0
  %111 = extractvalue %dx.types.ResRet.f32 %109, 1
  %112 = extractvalue %dx.types.ResRet.f32 %109, 2
  %113 = extractvalue %dx.types.ResRet.f32 %109, 3
  %114 = call %dx.types.ResRet.f32 @dx.op.textureGather.f32(i32 73, %dx.types.Handle %20, %dx.types.Handle %2, float %10, float %32, float undef, float undef, i32 0, i32 0, i32 2)  ; TextureGather(srv,sampler,coord0,coord1,coord2,coord3,offset0,offset1,channel)
  %115 = extractvalue %dx.types.ResRet.f32 %114, 0
  %116 = extractvalue %dx.types.ResRet.f32 %114, 1
  %117 = extractvalue %dx.types.ResRet.f32 %114, 2
  %118 = extractvalue %dx.types.ResRet.f32 %114, 3
  %119 = fadd fast float %110, %115
  %120 = fadd fast float %111, %116
  %121 = fadd fast float %112, %117
  %122 = fadd fast float %113, %118
  %123 = call %dx.types.ResRet.f32 @dx.op.textureGather.f32(i32 73, %dx.types.Handle %62, %dx.types.Handle %2, float %3, float %10, float %32, float %21, i32 undef, i32 undef, i32 3)  ; TextureGather(srv,sampler,coord0,coord1,coord2,coord3,offset0,offset1,channel)
  %124 = extractvalue %dx.types.ResRet.f32 %123, 0
  %125 = extractvalue %dx.types.ResRet.f32 %123, 1
  %126 = extractvalue %dx.types.ResRet.f32 %123, 2
  %127 = extractvalue %dx.types.ResRet.f32 %123, 3
  %128 = fadd fast float %119, %124
  %129 = fadd fast float %120, %125
  %130 = fadd fast float %121, %126
  %131 = fadd fast float %122, %127
  %132 = fadd fast float %105, %128
  %133 = fadd fast float %106, %129
  %134 = fadd fast float %107, %130
  %135 = fadd fast float %108, %131
  %136 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 0, i32 8, i32 8, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %137 = call %dx.types.ResRet.i32 @dx.op.textureGather.i32(i32 73, %dx.types.Handle %136, %dx.types.Handle %2, float %3, float %10, float undef, float undef, i32 %69, i32 %70, i32 1)  ; TextureGather(srv,sampler,coord0,coord1,coord2,coord3,offset0,offset1,channel)
  %138 = extractvalue %dx.types.ResRet.i32 %137, 0
  %139 = extractvalue %dx.types.ResRet.i32 %137, 1
  %140 = extractvalue %dx.types.ResRet.i32 %137, 2
  %141 = extractvalue %dx.types.ResRet.i32 %137, 3
  %142 = uitofp i32 %138 to float
  %143 = uitofp i32 %139 to float
  %144 = uitofp i32 %140 to float
  %145 = uitofp i32 %141 to float
  %146 = fadd fast float %132, %142
  %147 = fadd fast float %133, %143
  %148 = fadd fast float %134, %144
  %149 = fadd fast float %135, %145
  %150 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 0, i32 9, i32 9, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %151 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 3, i32 1, i32 1, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %152 = call %dx.types.ResRet.f32 @dx.op.sampleCmp.f32(i32 64, %dx.types.Handle %150, %dx.types.Handle %151, float %3, float %10, float undef, float undef, i32 0, i32 0, i32 undef, float %32, float 0.000000e+00)  ; SampleCmp(srv,sampler,coord0,coord1,coord2,coord3,offset0,offset1,offset2,compareValue,clamp)
  %153 = extractvalue %dx.types.ResRet.f32 %152, 0
  %154 = call %dx.types.ResRet.f32 @dx.op.sampleCmpLevelZero.f32(i32 65, %dx.types.Handle %150, %dx.types.Handle %151, float %3, float %10, float undef, float undef, i32 2, i32 2, i32 undef, float %32)  ; SampleCmpLevelZero(srv,sampler,coord0,coord1,coord2,coord3,offset0,offset1,offset2,compareValue)
  %155 = extractvalue %dx.types.ResRet.f32 %154, 0
  %156 = fadd fast float %155, %153
  %157 = fadd fast float %146, %156
  %158 = fadd fast float %147, %156
  %159 = fadd fast float %148, %156
  %160 = fadd fast float %149, %156
  %161 = call %dx.types.ResRet.f32 @dx.op.textureGatherCmp.f32(i32 74, %dx.types.Handle %150, %dx.types.Handle %151, float %3, float %10, float undef, float undef, i32 0, i32 0, i32 0, float %21)  ; TextureGatherCmp(srv,sampler,coord0,coord1,coord2,coord3,offset0,offset1,channel,compareValue)
  %162 = extractvalue %dx.types.ResRet.f32 %161, 0
  %163 = extractvalue %dx.types.ResRet.f32 %161, 1
  %164 = extractvalue %dx.types.ResRet.f32 %161, 2
  %165 = extractvalue %dx.types.ResRet.f32 %161, 3
  %166 = call i32 @dx.op.loadInput.i32(i32 4, i32 1, i32 0, i8 3, i32 undef)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %167 = call %dx.types.ResRet.f32 @dx.op.textureGatherCmp.f32(i32 74, %dx.types.Handle %150, %dx.types.Handle %151, float %3, float %10, float undef, float undef, i32 %80, i32 %166, i32 0, float %21)  ; TextureGatherCmp(srv,sampler,coord0,coord1,coord2,coord3,offset0,offset1,channel,compareValue)
  %168 = extractvalue %dx.types.ResRet.f32 %167, 0
  %169 = extractvalue %dx.types.ResRet.f32 %167, 1
  %170 = extractvalue %dx.types.ResRet.f32 %167, 2
  %171 = extractvalue %dx.types.ResRet.f32 %167, 3
  %172 = fadd fast float %162, %168
  %173 = fadd fast float %163, %169
  %174 = fadd fast float %164, %170
  %175 = fadd fast float %165, %171
  %176 = fadd fast float %157, %172
  %177 = fadd fast float %158, %173
  %178 = fadd fast float %159, %174
  %179 = fadd fast float %160, %175
  %180 = call float @dx.op.calculateLOD.f32(i32 81, %dx.types.Handle %20, %dx.types.Handle %2, float %3, float %10, float undef, i1 true)  ; CalculateLOD(handle,sampler,coord0,coord1,coord2,clamped)
  %181 = call float @dx.op.calculateLOD.f32(i32 81, %dx.types.Handle %20, %dx.types.Handle %2, float %32, float %21, float undef, i1 false)  ; CalculateLOD(handle,sampler,coord0,coord1,coord2,clamped)
  %182 = fadd fast float %181, %180
  %183 = fadd fast float %176, %182
  %184 = call %dx.types.Dimensions @dx.op.getDimensions(i32 72, %dx.types.Handle %31, i32 %69)  ; GetDimensions(handle,mipLevel)
  %185 = extractvalue %dx.types.Dimensions %184, 0
  %186 = extractvalue %dx.types.Dimensions %184, 1
  %187 = extractvalue %dx.types.Dimensions %184, 2
  %188 = extractvalue %dx.types.Dimensions %184, 3
  %189 = uitofp i32 %185 to float
  %190 = uitofp i32 %186 to float
  %191 = uitofp i32 %187 to float
  %192 = uitofp i32 %188 to float
  %193 = fadd fast float %183, %189
  %194 = fadd fast float %177, %190
  %195 = fadd fast float %178, %191
  %196 = fadd fast float %179, %192
  %197 = call %dx.types.Dimensions @dx.op.getDimensions(i32 72, %dx.types.Handle %86, i32 0)  ; GetDimensions(handle,mipLevel)
  %198 = extractvalue %dx.types.Dimensions %197, 0
  %199 = extractvalue %dx.types.Dimensions %197, 1
  %200 = uitofp i32 %198 to float
  %201 = uitofp i32 %199 to float
  %202 = call %dx.types.Dimensions @dx.op.getDimensions(i32 72, %dx.types.Handle %86, i32 0)  ; GetDimensions(handle,mipLevel)
  %203 = extractvalue %dx.types.Dimensions %202, 3
  %204 = uitofp i32 %203 to float
  %205 = fadd fast float %193, %200
  %206 = fadd fast float %194, %201
  %207 = fadd fast float %195, %204
  %208 = fadd fast float %196, 0.000000e+00
  %209 = call %dx.types.Dimensions @dx.op.getDimensions(i32 72, %dx.types.Handle %20, i32 0)  ; GetDimensions(handle,mipLevel)
  %210 = extractvalue %dx.types.Dimensions %209, 0
  %211 = uitofp i32 %210 to float
  %212 = extractvalue %dx.types.Dimensions %209, 1
  %213 = uitofp i32 %212 to float
  %214 = fdiv fast float 1.000000e+00, %213
  %215 = fadd fast float %205, %211
  %216 = fadd fast float %206, %214
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 2, float %207)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 3, float %208)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  %217 = call %dx.types.SamplePos @dx.op.texture2DMSGetSamplePosition(i32 75, %dx.types.Handle %86, i32 %69)  ; Texture2DMSGetSamplePosition(srv,index)
  %218 = extractvalue %dx.types.SamplePos %217, 0
  %219 = extractvalue %dx.types.SamplePos %217, 1
  %220 = call %dx.types.SamplePos @dx.op.renderTargetGetSamplePosition(i32 76, i32 %70)  ; RenderTargetGetSamplePosition(index)
  %221 = extractvalue %dx.types.SamplePos %220, 0
  %222 = extractvalue %dx.types.SamplePos %220, 1
  %223 = fadd fast float %218, %221
  %224 = fadd fast float %219, %222
  %225 = call i32 @dx.op.renderTargetGetSampleCount(i32 77)  ; RenderTargetGetSampleCount()
  %226 = uitofp i32 %225 to float
  %227 = uitofp i32 %225 to float
  %228 = fadd fast float %223, %226
  %229 = fadd fast float %224, %227
  %230 = fadd fast float %228, %215
  %231 = fadd fast float %229, %216
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 0, float %230)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 1, float %231)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  ret void
}

declare %dx.types.Handle @dx.op.createHandle(i32, i8, i32, i32, i1)

declare float @dx.op.loadInput.f32(i32, i32, i32, i8, i32)

declare %dx.types.ResRet.f32 @dx.op.sample.f32(i32, %dx.types.Handle, %dx.types.Handle, float, float, float, float, i32, i32, i32, float)

declare %dx.types.ResRet.f32 @dx.op.sampleBias.f32(i32, %dx.types.Handle, %dx.types.Handle, float, float, float, float, i32, i32, i32, float, float)

declare %dx.types.ResRet.f32 @dx.op.sampleLevel.f32(i32, %dx.types.Handle, %dx.types.Handle, float, float, float, float, i32, i32, i32, float)

declare %dx.types.ResRet.f32 @dx.op.sampleGrad.f32(i32, %dx.types.Handle, %dx.types.Handle, float, float, float, float, i32, i32, i32, float, float, float, float, float, float, float)

declare i32 @dx.op.loadInput.i32(i32, i32, i32, i8, i32)

declare %dx.types.ResRet.f32 @dx.op.textureLoad.f32(i32, %dx.types.Handle, i32, i32, i32, i32, i32, i32, i32)

declare %dx.types.ResRet.f32 @dx.op.textureGather.f32(i32, %dx.types.Handle, %dx.types.Handle, float, float, float, float, i32, i32, i32)

declare %dx.types.ResRet.i32 @dx.op.textureGather.i32(i32, %dx.types.Handle, %dx.types.Handle, float, float, float, float, i32, i32, i32)

declare %dx.types.ResRet.f32 @dx.op.sampleCmp.f32(i32, %dx.types.Handle, %dx.types.Handle, float, float, float, float, i32, i32, i32, float, float)

declare %dx.types.ResRet.f32 @dx.op.sampleCmpLevelZero.f32(i32, %dx.types.Handle, %dx.types.Handle, float, float, float, float, i32, i32, i32, float)

declare %dx.types.ResRet.f32 @dx.op.textureGatherCmp.f32(i32, %dx.types.Handle, %dx.types.Handle, float, float, float, float, i32, i32, i32, float)

declare float @dx.op.calculateLOD.f32(i32, %dx.types.Handle, %dx.types.Handle, float, float, float, i1)

declare %dx.types.Dimensions @dx.op.getDimensions(i32, %dx.types.Handle, i32)

declare void @dx.op.storeOutput.f32(i32, i32, i32, i8, float)

declare %dx.types.SamplePos @dx.op.texture2DMSGetSamplePosition(i32, %dx.types.Handle, i32)

declare %dx.types.SamplePos @dx.op.renderTargetGetSamplePosition(i32, i32)

declare i32 @dx.op.renderTargetGetSampleCount(i32)
