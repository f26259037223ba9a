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
  %13 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 3, i32 undef)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %14 = call %dx.types.ResRet.f32 @dx.op.sampleBias.f32(i32 61, %dx.types.Handle %1, %dx.types.Handle %2, float %3, float %4, float undef, float undef, i32 0, i32 0, i32 undef, float %13, float 1.500000e+00)  ; SampleBias(srv,sampler,coord0,coord1,coord2,coord3,offset0,offset1,offset2,bias,clamp)
  %15 = extractvalue %dx.types.ResRet.f32 %14, 0
  %16 = extractvalue %dx.types.ResRet.f32 %14, 1
  %17 = extractvalue %dx.types.ResRet.f32 %14, 2
  %18 = extractvalue %dx.types.ResRet.f32 %14, 3
  %19 = extractvalue %dx.types.ResRet.f32 %14, 4
  %20 = call i1 @dx.op.checkAccessFullyMapped.i32(i32 71, i32 %19)  ; CheckAccessFullyMapped(status)
  %21 = fadd fast float %7, %15
  %22 = fadd fast float %8, %16
  %23 = fadd fast float %9, %17
  %24 = fadd fast float %10, %18
  %25 = and i1 %20, %12
  %26 = call %dx.types.ResRet.f32 @dx.op.sampleGrad.f32(i32 63, %dx.types.Handle %1, %dx.types.Handle %2, float %3, float %4, float undef, float undef, i32 0, i32 0, i32 undef, float %3, float %4, float undef, float %5, float %13, float undef, float %3)  ; SampleGrad(srv,sampler,coord0,coord1,coord2,coord3,offset0,offset1,offset2,ddx0,ddx1,ddx2,ddy0,ddy1,ddy2,clamp)
  %27 = extractvalue %dx.types.ResRet.f32 %26, 0
  %28 = extractvalue %dx.types.ResRet.f32 %26, 1
  %29 = extractvalue %dx.types.ResRet.f32 %26, 2
  %30 = extractvalue %dx.types.ResRet.f32 %26, 3
  %31 = extractvalue %dx.types.ResRet.f32 %26, 4
  %32 = call i1 @dx.op.checkAccessFullyMapped.i32(i32 71, i32 %31)  ; CheckAccessFullyMapped(status)
  %33 = fadd fast float %21, %27
  %34 = fadd fast float %22, %28
  %35 = fadd fast float %23, %29
  %36 = fadd fast float %24, %30
  %37 = and i1 %32, %25
  %38 = call %dx.types.ResRet.f32 @dx.op.sampleLevel.f32(i32 62, %dx.types.Handle %1, %dx.types.Handle %2, float %3, float %4, float undef, float undef, i32 0, i32 0, i32 undef, float %13)  ; SampleLevel(srv,sampler,coord0,coord1,coord2,coord3,offset0,offset1,offset2,LOD)
  %39 = extractvalue %dx.types.ResRet.f32 %38, 0
  %40 = extractvalue %dx.types.ResRet.f32 %38, 1
  %41 = extractvalue %dx.types.ResRet.f32 %38, 2
  %42 = extractvalue %dx.types.ResRet.f32 %38, 3
  %43 = extractvalue %dx.types.ResRet.f32 %38, 4
  %44 = call i1 @dx.op.checkAccessFullyMapped.i32(i32 71, i32 %43)  ; CheckAccessFullyMapped(status)
  %45 = fadd fast float %33, %39
  %46 = fadd fast float %34, %40
  %47 = fadd fast float %35, %41
  %48 = fadd fast float %36, %42
  %49 = and i1 %44, %37
  %50 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 3, i32 1, i32 1, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %51 = call %dx.types.ResRet.f32 @dx.op.sampleCmp.f32(i32 64, %dx.types.Handle %1, %dx.types.Handle %50, float %3, float %4, float undef, float undef, i32 0, i32 0, i32 undef, float %13, float %3)  ; SampleCmp(srv,sampler,coord0,coord1,coord2,coord3,offset0,offset1,offset2,compareValue,clamp)
  %52 = extractvalue %dx.types.ResRet.f32 %51, 0
  %53 = extractvalue %dx.types.ResRet.f32 %51, 4
  %54 = call i1 @dx.op.checkAccessFullyMapped.i32(i32 71, i32 %53)  ; CheckAccessFullyMapped(status)
  %55 = fadd fast float %45, %52
  %56 = fadd fast float %46, %52
  %57 = fadd fast float %47, %52
  %58 = fadd fast float %48, %52
  %59 = and i1 %54, %49
  %60 = call %dx.types.ResRet.f32 @dx.op.sampleCmpLevelZero.f32(i32 65, %dx.types.Handle %1, %dx.types.Handle %50, float %3, float %4, float undef, float undef, i32 0, i32 0, i32 undef, float %13)  ; SampleCmpLevelZero(srv,sampler,coord0,coord1,coord2,coord3,offset0,offset1,offset2,compareValue)
  %61 = extractvalue %dx.types.ResRet.f32 %60, 0
  %62 = extractvalue %dx.types.ResRet.f32 %60, 4
  %63 = call i1 @dx.op.checkAccessFullyMapped.i32(i32 71, i32 %62)  ; CheckAccessFullyMapped(status)
  %64 = fadd fast float %55, %61
  %65 = fadd fast float %56, %61
  %66 = fadd fast float %57, %61
  %67 = fadd fast float %58, %61
  %68 = and i1 %63, %59
  %69 = fptosi float %3 to i32
  %70 = fptosi float %4 to i32
  %71 = fptosi float %5 to i32
  %72 = call %dx.types.ResRet.f32 @dx.op.textureLoad.f32(i32 66, %dx.types.Handle %1, i32 %71, i32 %69, i32 %70, i32 undef, i32 0, i32 0, i32 undef)  ; TextureLoad(srv,mipLevelOrSampleCount,coord0,coord1,coord2,offset0,offset1,offset2)
  %73 = extractvalue %dx.types.ResRet.f32 %72, 0
  %74 = extractvalue %dx.types.ResRet.f32 %72, 1
  %75 = extractvalue %dx.types.ResRet.f32 %72, 2
  %76 = extractvalue %dx.types.ResRet.f32 %72, 3
  %77 = extractvalue %dx.types.ResRet.f32 %72, 4
  %78 = call i1 @dx.op.checkAccessFullyMapped.i32(i32 71, i32 %77)  ; CheckAccessFullyMapped(status)
  %79 = fadd fast float %64, %73
  %80 = fadd fast float %65, %74
  %81 = fadd fast float %66, %75
  %82 = fadd fast float %67, %76
  %83 = and i1 %78, %68
  %84 = call %dx.types.ResRet.f32 @dx.op.textureGather.f32(i32 73, %dx.types.Handle %1, %dx.types.Handle %2, float %3, float %4, float undef, float undef, i32 0, i32 0, i32 0)  ; TextureGather(srv,sampler,coord0,coord1,coord2,coord3,offset0,offset1,channel)
  %85 = extractvalue %dx.types.ResRet.f32 %84, 0
  %86 = extractvalue %dx.types.ResRet.f32 %84, 1
  %87 = extractvalue %dx.types.ResRet.f32 %84, 2
  %88 = extractvalue %dx.types.ResRet.f32 %84, 3
  %89 = extractvalue %dx.types.ResRet.f32 %84, 4
  %90 = call i1 @dx.op.checkAccessFullyMapped.i32(i32 71, i32 %89)  ; CheckAccessFullyMapped(status)
  %91 = fadd fast float %79, %85
  %92 = fadd fast float %80, %86
  %93 = fadd fast float %81, %87
  %94 = fadd fast float %82, %88
  %95 = and i1 %90, %83
  %96 = call %dx.types.ResRet.f32 @dx.op.textureGatherCmp.f32(i32 74, %dx.types.Handle %1, %dx.types.Handle %50, float %3, float %4, float undef, float undef, i32 0, i32 0, i32 0, float %3)  ; TextureGatherCmp(srv,sampler,coord0,coord1,coord2,coord3,offset0,offset1,channel,compareValue)
  %97 = extractvalue %dx.types.ResRet.f32 %96, 0
  %98 = extractvalue %dx.types.ResRet.f32 %96, 1
  %99 = extractvalue %dx.types.ResRet.f32 %96, 2
  %100 = extractvalue %dx.types.ResRet.f32 %96, 3
  %101 = extractvalue %dx.types.ResRet.f32 %96, 4
  %102 = call i1 @dx.op.checkAccessFullyMapped.i32(i32 71, i32 %101)  ; CheckAccessFullyMapped(status)
  %103 = fadd fast float %91, %97
  %104 = fadd fast float %92, %98
  %105 = fadd fast float %93, %99
  %106 = fadd fast float %94, %100
  %107 = and i1 %102, %95
  %108 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 0, i32 1, i32 1, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %109 = call %dx.types.ResRet.i32 @dx.op.bufferLoad.i32(i32 68, %dx.types.Handle %108, i32 %69, i32 undef)  ; BufferLoad(srv,index,wot)
  %110 = extractvalue %dx.types.ResRet.i32 %109, 0
  %111 = extractvalue %dx.types.ResRet.i32 %109, 4
  %112 = call i1 @dx.op.checkAccessFullyMapped.i32(i32 71, i32 %111)  ; CheckAccessFullyMapped(status)
  %113 = uitofp i32 %110 to float
  %114 = fadd fast float %103, %113
  %115 = fadd fast float %104, %113
  %116 = fadd fast float %105, %113
  %117 = fadd fast float %106, %113
  %118 = and i1 %112, %107
  %119 = fptoui float %3 to i32
  %120 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 0, i32 2, i32 2, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %121 = call %dx.types.ResRet.i32 @dx.op.bufferLoad.i32(i32 68, %dx.types.Handle %120, i32 %119, i32 undef)  ; BufferLoad(srv,index,wot)
  %122 = extractvalue %dx.types.ResRet.i32 %121, 0
  %123 = extractvalue %dx.types.ResRet.i32 %121, 1
  %124 = extractvalue %dx.types.ResRet.i32 %121, 4
  %125 = call i1 @dx.op.checkAccessFullyMapped.i32(i32 71, i32 %124)  ; CheckAccessFullyMapped(status)
  %126 = uitofp i32 %122 to float
  %127 = uitofp i32 %123 to float
  %128 = uitofp i32 %122 to float
  %129 = uitofp i32 %123 to float
  %130 = fadd fast float %114, %126
  %131 = fadd fast float %115, %127
  %132 = fadd fast float %116, %128
  %133 = fadd fast float %117, %129
  %134 = and i1 %125, %118
  %135 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 0, i32 3, i32 3, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %136 = call %dx.types.ResRet.i32 @dx.op.bufferLoad.i32(i32 68, %dx.types.Handle %135, i32 %69, i32 0)  ; BufferLoad(srv,index,wot)
  %137 = extractvalue %dx.types.ResRet.i32 %136, 0
  %138 = extractvalue %dx.types.ResRet.i32 %136, 1
  %139 = extractvalue %dx.types.ResRet.i32 %136, 2
  %140 = extractvalue %dx.types.ResRet.i32 %136, 3
  %141 = extractvalue %dx.types.ResRet.i32 %136, 4
  %142 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 0, i32 1, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %143 = call %dx.types.ResRet.f32 @dx.op.textureLoad.f32(i32 66, %dx.types.Handle %142, i32 undef, i32 %69, i32 %70, i32 undef, i32 undef, i32 undef, i32 undef)  ; TextureLoad(srv,mipLevelOrSampleCount,coord0,coord1,coord2,offset0,offset1,offset2)
  %144 = extractvalue %dx.types.ResRet.f32 %143, 0
  %145 = extractvalue %dx.types.ResRet.f32 %143, 4
  %146 = call i1 @dx.op.checkAccessFullyMapped.i32(i32 71, i32 %141)  ; CheckAccessFullyMapped(status)
  %147 = uitofp i32 %137 to float
  %148 = uitofp i32 %138 to float
  %149 = uitofp i32 %139 to float
  %150 = uitofp i32 %140 to float
  %151 = fadd fast float %130, %147
  %152 = fadd fast float %131, %148
  %153 = fadd fast float %132, %149
  %154 = fadd fast float %133, %150
  %155 = fadd fast float %144, %151
  %156 = bitcast float %155 to i32
  %157 = fadd fast float %144, %152
  %158 = bitcast float %157 to i32
  %159 = fadd fast float %144, %153
  %160 = bitcast float %159 to i32
  %161 = fadd fast float %144, %154
  %162 = bitcast float %161 to i32
  %163 = call i1 @dx.op.checkAccessFullyMapped.i32(i32 71, i32 %145)  ; CheckAccessFullyMapped(status)
  %164 = and i1 %146, %134
  %165 = and i1 %163, %164
  %166 = sext i1 %165 to i32
  %167 = and i32 %156, %166
  %168 = bitcast i32 %167 to float
  %169 = and i32 %158, %166
  %170 = bitcast i32 %169 to float
  %171 = and i32 %160, %166
  %172 = bitcast i32 %171 to float
  %173 = and i32 %162, %166
  %174 = bitcast i32 %173 to float
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 0, float %168)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 1, float %170)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 2, float %172)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 3, float %174)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
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
