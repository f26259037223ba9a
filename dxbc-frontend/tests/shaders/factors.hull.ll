;
; Buffer Definitions:
;
;
; Resource Bindings:
;
; Name                                 Type  Format         Dim      ID      HLSL Bind  Count
; ------------------------------ ---------- ------- ----------- ------- -------------- ------
;
target datalayout = "e-m:e-p:32:32-i1:32-i8:32-i16:32-i32:32-i64:64-f16:32-f32:32-f64:64-n8:16:32:64"
target triple = "dxil-ms-dx"

@icb = internal constant [20 x i32] [i32 1065353216, i32 1073741824, i32 1082130432, i32 1092616192, i32 3, i32 3, i32 3, i32 12, i32 1073741824, i32 0, i32 1065353216, i32 1065353216, i32 1065353216, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0], align 4

define void @main() {
  %1 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 0, i32 0)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %2 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 1, i32 0)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %3 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 2, i32 0)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  %4 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 3, i32 0)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 0, float %1)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 1, float %2)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 2, float %3)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 3, float %4)  ; StoreOutput(outputSigId,rowIndex,colIndex,value)
  ret void
}

declare float @dx.op.loadInput.f32(i32, i32, i32, i8, i32)

declare void @dx.op.storeOutput.f32(i32, i32, i32, i8, float)

define void @patch_constant() {
  br label %1

; <label>:1                                       ; preds = %10, %0
  %2 = phi i32 [ 0, %0 ], [ %11, %10 ]
  %3 = add i32 %2, 2
  %4 = call i32 @dx.op.binary.i32(i32 40, i32 %3, i32 4)  ; UMin(a,b)
  %5 = mul i32 %4, 4
  %6 = add i32 %5, 0
  %7 = getelementptr inbounds [20 x i32], [20 x i32]* @icb, i32 0, i32 %6
  %8 = load i32, i32* %7, align 4
  %9 = bitcast i32 %8 to float
  call void @dx.op.storePatchConstant.f32(i32 106, i32 0, i32 %2, i8 0, float %9)  ; StorePatchConstant(outputSigID,row,col,value)
  br label %10

; <label>:10                                      ; preds = %1
  %11 = add i32 %2, 1
  %12 = icmp ult i32 %11, 2
  br i1 %12, label %1, label %13

; <label>:13                                      ; preds = %10
  br label %14

; <label>:14                                      ; preds = %36, %13
  %15 = phi i32 [ 0, %13 ], [ %37, %36 ]
  %16 = icmp ult i32 %15, 2
  %17 = select i1 %16, i32 %15, i32 3
  %18 = call i32 @dx.op.binary.i32(i32 40, i32 %15, i32 4)  ; UMin(a,b)
  %19 = mul i32 %18, 4
  %20 = add i32 %19, 3
  %21 = getelementptr inbounds [20 x i32], [20 x i32]* @icb, i32 0, i32 %20
  %22 = load i32, i32* %21, align 4
  %23 = bitcast i32 %22 to float
  %24 = icmp eq i32 %17, 0
  %25 = icmp eq i32 %17, 1
  %26 = icmp eq i32 %17, 2
  %27 = icmp eq i32 %17, 3
  br i1 %24, label %28, label %29

; <label>:28                                      ; preds = %14
  call void @dx.op.storePatchConstant.f32(i32 106, i32 1, i32 0, i8 0, float %23)  ; StorePatchConstant(outputSigID,row,col,value)
  br label %29

; <label>:29                                      ; preds = %28, %14
  br i1 %25, label %30, label %31

; <label>:30                                      ; preds = %29
  call void @dx.op.storePatchConstant.i32(i32 106, i32 2, i32 0, i8 0, i32 %22)  ; StorePatchConstant(outputSigID,row,col,value)
  br label %31

; <label>:31                                      ; preds = %30, %29
  br i1 %26, label %32, label %33

; <label>:32                                      ; preds = %31
  call void @dx.op.storePatchConstant.f32(i32 106, i32 3, i32 0, i8 1, float %23)  ; StorePatchConstant(outputSigID,row,col,value)
  br label %33

; <label>:33                                      ; preds = %32, %31
  br i1 %27, label %34, label %35

; <label>:34                                      ; preds = %33
  call void @dx.op.storePatchConstant.f32(i32 106, i32 4, i32 0, i8 1, float %23)  ; StorePatchConstant(outputSigID,row,col,value)
  br label %35

; <label>:35                                      ; preds = %34, %33
  br label %36

; <label>:36                                      ; preds = %35
  %37 = add i32 %15, 1
  %38 = icmp ult i32 %37, 3
  br i1 %38, label %14, label %39

; <label>:39                                      ; preds = %36
  br label %40

; <label>:40                                      ; preds = %62, %39
  %41 = phi i32 [ 0, %39 ], [ %63, %62 ]
  %42 = icmp ult i32 %41, 2
  %43 = select i1 %42, i32 %41, i32 3
  %44 = call i32 @dx.op.binary.i32(i32 40, i32 %41, i32 4)  ; UMin(a,b)
  %45 = mul i32 %44, 4
  %46 = add i32 %45, 2
  %47 = getelementptr inbounds [20 x i32], [20 x i32]* @icb, i32 0, i32 %46
  %48 = load i32, i32* %47, align 4
  %49 = bitcast i32 %48 to float
  %50 = icmp eq i32 %43, 0
  %51 = icmp eq i32 %43, 1
  %52 = icmp eq i32 %43, 2
  %53 = icmp eq i32 %43, 3
  br i1 %50, label %54, label %55

; <label>:54                                      ; preds = %40
  call void @dx.op.storePatchConstant.f32(i32 106, i32 1, i32 0, i8 1, float %49)  ; StorePatchConstant(outputSigID,row,col,value)
  br label %55

; <label>:55                                      ; preds = %54, %40
  br i1 %51, label %56, label %57

; <label>:56                                      ; preds = %55
  call void @dx.op.storePatchConstant.i32(i32 106, i32 2, i32 0, i8 1, i32 %48)  ; StorePatchConstant(outputSigID,row,col,value)
  br label %57

; <label>:57                                      ; preds = %56, %55
  br i1 %52, label %58, label %59

; <label>:58                                      ; preds = %57
  call void @dx.op.storePatchConstant.f32(i32 106, i32 3, i32 0, i8 2, float %49)  ; StorePatchConstant(outputSigID,row,col,value)
  br label %59

; <label>:59                                      ; preds = %58, %57
  br i1 %53, label %60, label %61

; <label>:60                                      ; preds = %59
  call void @dx.op.storePatchConstant.f32(i32 106, i32 4, i32 0, i8 2, float %49)  ; StorePatchConstant(outputSigID,row,col,value)
  br label %61

; <label>:61                                      ; preds = %60, %59
  br label %62

; <label>:62                                      ; preds = %61
  %63 = add i32 %41, 1
  %64 = icmp ult i32 %63, 3
  br i1 %64, label %40, label %65

; <label>:65                                      ; preds = %62
  br label %66

; <label>:66                                      ; preds = %80, %65
  %67 = phi i32 [ 0, %65 ], [ %81, %80 ]
  %68 = call i32 @dx.op.binary.i32(i32 40, i32 %67, i32 4)  ; UMin(a,b)
  %69 = mul i32 %68, 4
  %70 = add i32 %69, 1
  %71 = getelementptr inbounds [20 x i32], [20 x i32]* @icb, i32 0, i32 %70
  %72 = load i32, i32* %71, align 4
  %73 = bitcast i32 %72 to float
  %74 = icmp eq i32 %67, 0
  %75 = icmp eq i32 %67, 1
  br i1 %74, label %76, label %77

; <label>:76                                      ; preds = %66
  call void @dx.op.storePatchConstant.f32(i32 106, i32 1, i32 0, i8 2, float %73)  ; StorePatchConstant(outputSigID,row,col,value)
  br label %77

; <label>:77                                      ; preds = %76, %66
  br i1 %75, label %78, label %79

; <label>:78                                      ; preds = %77
  call void @dx.op.storePatchConstant.i32(i32 106, i32 2, i32 0, i8 2, i32 %72)  ; StorePatchConstant(outputSigID,row,col,value)
  br label %79

; <label>:79                                      ; preds = %78, %77
  br label %80

; <label>:80                                      ; preds = %79
  %81 = add i32 %67, 1
  %82 = icmp ult i32 %81, 2
  br i1 %82, label %66, label %83

; <label>:83                                      ; preds = %80
  %84 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 0, i32 0)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  call void @dx.op.storePatchConstant.f32(i32 106, i32 3, i32 0, i8 0, float %84)  ; StorePatchConstant(outputSigID,row,col,value)
  br label %85

; <label>:85                                      ; preds = %83
  %86 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 1, i32 0)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  call void @dx.op.storePatchConstant.f32(i32 106, i32 3, i32 0, i8 1, float %86)  ; StorePatchConstant(outputSigID,row,col,value)
  br label %87

; <label>:87                                      ; preds = %85
  %88 = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 2, i32 0)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
  call void @dx.op.storePatchConstant.f32(i32 106, i32 3, i32 0, i8 2, float %88)  ; StorePatchConstant(outputSigID,row,col,value)
  br label %89

; <label>:89                                      ; preds = %87
  call void @dx.op.storePatchConstant.f32(i32 106, i32 4, i32 0, i8 0, float 1.000000e+00)  ; StorePatchConstant(outputSigID,row,col,value)
  br label %90

; <label>:90                                      ; preds = %89
  ret void
}

declare i32 @dx.op.binary.i32(i32, i32, i32)

declare void @dx.op.storePatchConstant.f32(i32, i32, i32, i8, float)

declare void @dx.op.storePatchConstant.i32(i32, i32, i32, i8, i32)
