;
; Buffer Definitions:
;
;
; Resource Bindings:
;
; Name                                 Type  Format         Dim      ID      HLSL Bind  Count
; ------------------------------ ---------- ------- ----------- ------- -------------- ------
; linear_sampler                    sampler      NA          NA      S0             s0     1
; comparison                        sampler      NA          NA      S1             s1     1
; color                             texture     f32          2d      T0             t0     1
; samples                           texture     f32        2dMS      T1             t1     1
; depth                             texture     f32     2darray      T2             t2     1
;
target datalayout = "e-m:e-p:32:32-i1:32-i8:32-i16:32-i32:32-i64:64-f16:32-f32:32-f64:64-n8:16:32:64"
target triple = "dxil-ms-dx"

%dx.types.Handle = type { i8* }
%dx.types.ResRet.f32 = type { float, float, float, float, i32 }
%dx.types.SamplePos = type { float, float }
%dx.types.Dimensions = type { i32, i32, i32, i32 }

define void @main() {
  %1 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 0, i32 0, i32 0, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %2 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 3, i32 0, i32 0, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %3 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 0, i32 undef)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %4 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 1, i32 undef)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %5 = call %dx.types.ResRet.f32 @dx.op.sample.f32(i32 60, %dx.types.Handle %1, %dx.types.Handle %2, float %3, float %4, float undef, float undef, i32 -3, i32 7, i32 undef, float 0.000000e+00)  ; Sample(srv,sampler,coord0,coord1,coord2,coord3,offset0,offset1,offset2,clamp)
  %6 = extractvalue %dx.types.ResRet.f32 %5, 0
  %7 = extractvalue %dx.types.ResRet.f32 %5, 1
  %8 = extractvalue %dx.types.ResRet.f32 %5, 2
  %9 = extractvalue %dx.types.ResRet.f32 %5, 3
  %10 = fcmp fast olt float %9, 5.000000e-01
  call void @dx.op.discard(i32 82, i1 %10)  ; Discard(condition)
  br label %11

; <label>:11                                      ; preds = %51, %21, %0
  %12 = phi i32 [ 0, %0 ], [ %23, %21 ], [ %52, %51 ]
  %13 = phi float [ %6, %0 ], [ %13, %21 ], [ %39, %51 ]
  %14 = phi float [ %7, %0 ], [ %22, %21 ], [ %42, %51 ]
  %15 = phi float [ %9, %0 ], [ %15, %21 ], [ %48, %51 ]
  %16 = phi float [ %8, %0 ], [ %16, %21 ], [ %45, %51 ]
  %17 = call i32 @dx.op.loadInput.i32(i32 4, i32 1, i32 0, i8 0, i32 undef)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %18 = icmp sge i32 %12, %17
  br i1 %18, label %53, label %19

; <label>:19                                      ; preds = %11
  %20 = fcmp fast olt float 9.000000e+00, %13
  br i1 %20, label %21, label %24

; <label>:21                                      ; preds = %19
  %22 = call float @dx.op.unary.f32(i32 13, float %14)  ; Sin(value)
  %23 = add i32 %12, 1
  br label %11

; <label>:24                                      ; preds = %19
  %25 = sitofp i32 %12 to float
  %26 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 0, i32 undef)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %27 = fadd fast float %25, %26
  %28 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 1, i32 undef)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %29 = fadd fast float %25, %28
  %30 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 0, i32 0, i32 0, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %31 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 3, i32 0, i32 0, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %32 = call %dx.types.ResRet.f32 @dx.op.sampleLevel.f32(i32 62, %dx.types.Handle %30, %dx.types.Handle %31, float %27, float %29, float undef, float undef, i32 0, i32 0, i32 undef, float 1.000000e+00)  ; SampleLevel(srv,sampler,coord0,coord1,coord2,coord3,offset0,offset1,offset2,LOD)
  %33 = extractvalue %dx.types.ResRet.f32 %32, 0
  %34 = extractvalue %dx.types.ResRet.f32 %32, 1
  %35 = extractvalue %dx.types.ResRet.f32 %32, 2
  %36 = extractvalue %dx.types.ResRet.f32 %32, 3
  %37 = call float @dx.op.unary.f32(i32 6, float %15)  ; FAbs(value)
  %38 = fsub fast float -0.000000e+00, %37
  %39 = call float @dx.op.tertiary.f32(i32 46, float %33, float %38, float %13)  ; FMad(a,b,c)
  %40 = call float @dx.op.unary.f32(i32 6, float %15)  ; FAbs(value)
  %41 = fsub fast float -0.000000e+00, %40
  %42 = call float @dx.op.tertiary.f32(i32 46, float %34, float %41, float %14)  ; FMad(a,b,c)
  %43 = call float @dx.op.unary.f32(i32 6, float %15)  ; FAbs(value)
  %44 = fsub fast float -0.000000e+00, %43
  %45 = call float @dx.op.tertiary.f32(i32 46, float %35, float %44, float %16)  ; FMad(a,b,c)
  %46 = call float @dx.op.unary.f32(i32 6, float %15)  ; FAbs(value)
  %47 = fsub fast float -0.000000e+00, %46
  %48 = call float @dx.op.tertiary.f32(i32 46, float %36, float %47, float %15)  ; FMad(a,b,c)
  %49 = fcmp fast oeq float %42, 3.000000e+00
  br i1 %49, label %50, label %51

; <label>:50                                      ; preds = %24
  br label %53

; <label>:51                                      ; preds = %24
  %52 = add i32 %12, 1
  br label %11

; <label>:53                                      ; preds = %50, %11
  %54 = phi float [ %13, %11 ], [ %39, %50 ]
  %55 = phi float [ %14, %11 ], [ %42, %50 ]
  %56 = phi float [ %16, %11 ], [ %45, %50 ]
  %57 = phi float [ %15, %11 ], [ %48, %50 ]
  %58 = call i32 @dx.op.loadInput.i32(i32 4, i32 1, i32 0, i8 0, i32 undef)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  switch i32 %58, label %83 [
    i32 1, label %59
    i32 2, label %75
  ]

; <label>:59                                      ; preds = %53
  %60 = call float @dx.op.loadInput.f32(i32 4, i32 2, i32 0, i8 0, i32 undef)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %61 = fptosi float %60 to i32
  %62 = call float @dx.op.loadInput.f32(i32 4, i32 2, i32 0, i8 1, i32 undef)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %63 = fptosi float %62 to i32
  %64 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 0, i32 1, i32 1, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %65 = call i32 @dx.op.sampleIndex.i32(i32 90)  ; SampleIndex()
  %66 = call %dx.types.ResRet.f32 @dx.op.textureLoad.f32(i32 66, %dx.types.Handle %64, i32 %65, i32 %61, i32 %63, i32 undef, i32 0, i32 0, i32 undef)  ; TextureLoad(srv,mipLevelOrSampleCount,coord0,coord1,coord2,offset0,offset1,offset2)
  %67 = extractvalue %dx.types.ResRet.f32 %66, 0
  %68 = extractvalue %dx.types.ResRet.f32 %66, 1
  %69 = extractvalue %dx.types.ResRet.f32 %66, 2
  %70 = extractvalue %dx.types.ResRet.f32 %66, 3
  %71 = fadd fast float %67, %54
  %72 = fadd fast float %68, %55
  %73 = fadd fast float %69, %56
  %74 = fadd fast float %70, %57
  br label %97

; <label>:75                                      ; preds = %53
  %76 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 0, i32 undef)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %77 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 1, i32 undef)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %78 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 0, i32 2, i32 2, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %79 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 3, i32 1, i32 1, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %80 = call %dx.types.ResRet.f32 @dx.op.sampleCmpLevelZero.f32(i32 65, %dx.types.Handle %78, %dx.types.Handle %79, float %76, float %77, float 2.000000e+00, float undef, i32 0, i32 0, i32 undef, float 2.500000e-01)  ; SampleCmpLevelZero(srv,sampler,coord0,coord1,coord2,coord3,offset0,offset1,offset2,compareValue)
  %81 = extractvalue %dx.types.ResRet.f32 %80, 0
  %82 = fadd fast float %81, %54
  br label %97

; <label>:83                                      ; preds = %53
  %84 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 0, i32 0, i32 0, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %85 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 3, i32 0, i32 0, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %86 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 0, i32 undef)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %87 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 1, i32 undef)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %88 = call %dx.types.ResRet.f32 @dx.op.textureGather.f32(i32 73, %dx.types.Handle %84, %dx.types.Handle %85, float %86, float %87, float undef, float undef, i32 0, i32 0, i32 0)  ; TextureGather(srv,sampler,coord0,coord1,coord2,coord3,offset0,offset1,channel)
  %89 = extractvalue %dx.types.ResRet.f32 %88, 0
  %90 = extractvalue %dx.types.ResRet.f32 %88, 1
  %91 = extractvalue %dx.types.ResRet.f32 %88, 2
  %92 = extractvalue %dx.types.ResRet.f32 %88, 3
  %93 = fadd fast float %89, %54
  %94 = fadd fast float %90, %55
  %95 = fadd fast float %91, %56
  %96 = fadd fast float %92, %57
  br label %97

; <label>:97                                      ; preds = %83, %75, %59
  %98 = phi float [ %73, %59 ], [ %56, %75 ], [ %95, %83 ]
  %99 = phi float [ %71, %59 ], [ %82, %75 ], [ %93, %83 ]
  %100 = phi float [ %72, %59 ], [ %55, %75 ], [ %94, %83 ]
  %101 = phi float [ %74, %59 ], [ %57, %75 ], [ %96, %83 ]
  %102 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 0, i32 0, i32 0, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %103 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 0, i32 undef)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %104 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 3, i32 0, i32 0, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %105 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 1, i32 undef)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %106 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 0, i32 1, i32 1, i1 false)  ; CreateHandle(resourceClass,rangeId,index,nonUniformIndex)
  %107 = call %dx.types.SamplePos @dx.op.texture2DMSGetSamplePosition(i32 75, %dx.types.Handle %106, i32 1)  ; Texture2DMSGetSamplePosition(srv,index)
  %108 = extractvalue %dx.types.SamplePos %107, 1
  %109 = extractvalue %dx.types.SamplePos %107, 0
  %110 = fadd fast float %109, %108
  %111 = fadd fast float %110, %98
  %112 = call %dx.types.ResRet.f32 @dx.op.sampleGrad.f32(i32 63, %dx.types.Handle %102, %dx.types.Handle %104, float %103, float %105, float undef, float undef, i32 0, i32 0, i32 undef, float %105, float %103, float undef, float %103, float %105, float undef, float 0.000000e+00)  ; SampleGrad(srv,sampler,coord0,coord1,coord2,coord3,offset0,offset1,offset2,ddx0,ddx1,ddx2,ddy0,ddy1,ddy2,clamp)
  %113 = extractvalue %dx.types.ResRet.f32 %112, 0
  %114 = extractvalue %dx.types.ResRet.f32 %112, 1
  %115 = extractvalue %dx.types.ResRet.f32 %112, 2
  %116 = extractvalue %dx.types.ResRet.f32 %112, 3
  %117 = call %dx.types.ResRet.f32 @dx.op.sampleBias.f32(i32 61, %dx.types.Handle %102, %dx.types.Handle %104, float %103, float %105, float undef, float undef, i32 0, i32 0, i32 undef, float 5.000000e-01, float 0.000000e+00)  ; SampleBias(srv,sampler,coord0,coord1,coord2,coord3,offset0,offset1,offset2,bias,clamp)
  %118 = extractvalue %dx.types.ResRet.f32 %117, 0
  %119 = extractvalue %dx.types.ResRet.f32 %117, 1
  %120 = extractvalue %dx.types.ResRet.f32 %117, 2
  %121 = extractvalue %dx.types.ResRet.f32 %117, 3
  %122 = fadd fast float %113, %118
  %123 = fadd fast float %114, %119
  %124 = fadd fast float %115, %120
  %125 = fadd fast float %116, %121
  %126 = fadd fast float %122, %99
  %127 = fadd fast float %123, %100
  %128 = fadd fast float %124, %111
  %129 = fadd fast float %125, %101
  %130 = call float @dx.op.unary.f32(i32 7, float %126)  ; Saturate(value)
  %131 = call float @dx.op.unary.f32(i32 7, float %127)  ; Saturate(value)
  %132 = call float @dx.op.unary.f32(i32 7, float %128)  ; Saturate(value)
  %133 = call float @dx.op.unary.f32(i32 7, float %129)  ; Saturate(value)
  %134 = call i32 @dx.op.loadInput.i32(i32 4, i32 3, i32 0, i8 0, i32 undef)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %135 = icmp ne i32 %134, 0
  %136 = select i1 %135, float %130, float %126
  %137 = icmp ne i32 %134, 0
  %138 = select i1 %137, float %131, float %127
  %139 = icmp ne i32 %134, 0
  %140 = select i1 %139, float %132, float %128
  %141 = icmp ne i32 %134, 0
  %142 = select i1 %141, float %133, float %129
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 0, float %136)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 1, float %138)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 2, float %140)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 3, float %142)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  ret void
}

declare %dx.types.Handle @dx.op.createHandle(i32, i8, i32, i32, i1)

declare float @dx.op.loadInput.f32(i32, i32, i32, i8, i32)

declare %dx.types.ResRet.f32 @dx.op.sample.f32(i32, %dx.types.Handle, %dx.types.Handle, float, float, float, float, i32, i32, i32, float)

declare void @dx.op.discard(i32, i1)

declare i32 @dx.op.loadInput.i32(i32, i32, i32, i8, i32)

declare float @dx.op.unary.f32(i32, float)

declare %dx.types.ResRet.f32 @dx.op.sampleLevel.f32(i32, %dx.types.Handle, %dx.types.Handle, float, float, float, float, i32, i32, i32, float)

declare float @dx.op.tertiary.f32(i32, float, float, float)

declare i32 @dx.op.sampleIndex.i32(i32)

declare %dx.types.ResRet.f32 @dx.op.textureLoad.f32(i32, %dx.types.Handle, i32, i32, i32, i32, i32, i32, i32)

declare %dx.types.ResRet.f32 @dx.op.sampleCmpLevelZero.f32(i32, %dx.types.Handle, %dx.types.Handle, float, float, float, float, i32, i32, i32, float)

declare %dx.types.ResRet.f32 @dx.op.textureGather.f32(i32, %dx.types.Handle, %dx.types.Handle, float, float, float, float, i32, i32, i32)

declare %dx.types.Dimensions @dx.op.getDimensions(i32, %dx.types.Handle, i32)

declare float @dx.op.calculateLOD.f32(i32, %dx.types.Handle, %dx.types.Handle, float, float, float, i1)

declare %dx.types.SamplePos @dx.op.texture2DMSGetSamplePosition(i32, %dx.types.Handle, i32)

declare %dx.types.ResRet.f32 @dx.op.sampleGrad.f32(i32, %dx.types.Handle, %dx.types.Handle, float, float, float, float, i32, i32, i32, float, float, float, float, float, float, float)

declare %dx.types.ResRet.f32 @dx.op.sampleBias.f32(i32, %dx.types.Handle, %dx.types.Handle, float, float, float, float, i32, i32, i32, float, float)

declare void @dx.op.storeOutput.f32(i32, i32, i32, i8, float)
