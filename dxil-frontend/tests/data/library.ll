;
; Note: shader requires additional functionality:
;       UAVs at every shader stage
;
; shader hash: b65de25a17bb17cc58e63fb922a7ae49
;
; Buffer Definitions:
;
;
; Resource Bindings:
;
; Name                                 Type  Format         Dim      ID      HLSL Bind  Count
; ------------------------------ ---------- ------- ----------- ------- -------------- ------
; as                                texture     i32         ras      T0             t0     1
; ts                                texture     f32          2d      T1      t0,space1unbounded
; o                                     UAV     f32          2d      U0             u0     1
;
;
; Subobjects:
;
;  GlobalRootSignature grs = { <48 bytes> };
;  RaytracingShaderConfig cfg = { MaxPayloadSizeInBytes = 16, MaxAttributeSizeInBytes = 8 };
;  HitGroup hg = { HitGroupType = Triangle, Anyhit = "", Closesthit = "ch", Intersection = "" };
;
target datalayout = "e-m:e-p:32:32-i1:32-i8:32-i16:32-i32:32-i64:64-f16:32-f32:32-f64:64-n8:16:32:64"
target triple = "dxil-ms-dx"

%struct.RaytracingAccelerationStructure = type { i32 }
%"class.RWTexture2D<vector<float, 4> >" = type { <4 x float> }
%"class.Texture2D<vector<float, 4> >" = type { <4 x float>, %"class.Texture2D<vector<float, 4> >::mips_type" }
%"class.Texture2D<vector<float, 4> >::mips_type" = type { i32 }
%struct.PL = type { <4 x float> }
%dx.types.Handle = type { i8* }
%struct.AT = type { <2 x float> }
%dx.types.ResRet.f32 = type { float, float, float, float, i32 }

@"\01?as@@3URaytracingAccelerationStructure@@A" = external constant %struct.RaytracingAccelerationStructure, align 4
@"\01?o@@3V?$RWTexture2D@V?$vector@M$03@@@@A" = external constant %"class.RWTexture2D<vector<float, 4> >", align 4
@"\01?ts@@3PAV?$Texture2D@V?$vector@M$03@@@@A" = external constant [0 x %"class.Texture2D<vector<float, 4> >"], align 4

; Function Attrs: nounwind
define void @"\01?rg@@YAXXZ"() #0 {
  %1 = load %struct.RaytracingAccelerationStructure, %struct.RaytracingAccelerationStructure* @"\01?as@@3URaytracingAccelerationStructure@@A", align 4
  %2 = load %"class.RWTexture2D<vector<float, 4> >", %"class.RWTexture2D<vector<float, 4> >"* @"\01?o@@3V?$RWTexture2D@V?$vector@M$03@@@@A", align 4
  %3 = alloca %struct.PL, align 4
  %4 = getelementptr inbounds %struct.PL, %struct.PL* %3, i32 0, i32 0
  store <4 x float> zeroinitializer, <4 x float>* %4, align 4, !tbaa !33
  %5 = call %dx.types.Handle @dx.op.createHandleForLib.struct.RaytracingAccelerationStructure(i32 160, %struct.RaytracingAccelerationStructure %1)  ; CreateHandleForLib(Resource)
  call void @dx.op.traceRay.struct.PL(i32 157, %dx.types.Handle %5, i32 0, i32 255, i32 0, i32 1, i32 0, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 1.000000e+00, float 1.000000e+02, %struct.PL* nonnull %3)  ; TraceRay(AccelerationStructure,RayFlags,InstanceInclusionMask,RayContributionToHitGroupIndex,MultiplierForGeometryContributionToShaderIndex,MissShaderIndex,Origin_X,Origin_Y,Origin_Z,TMin,Direction_X,Direction_Y,Direction_Z,TMax,payload)
  %6 = load <4 x float>, <4 x float>* %4, align 4, !tbaa !33
  %7 = call i32 @dx.op.dispatchRaysIndex.i32(i32 145, i8 0)  ; DispatchRaysIndex(col)
  %8 = call i32 @dx.op.dispatchRaysIndex.i32(i32 145, i8 1)  ; DispatchRaysIndex(col)
  %9 = call %dx.types.Handle @"dx.op.createHandleForLib.class.RWTexture2D<vector<float, 4> >"(i32 160, %"class.RWTexture2D<vector<float, 4> >" %2)  ; CreateHandleForLib(Resource)
  %10 = extractelement <4 x float> %6, i64 0
  %11 = extractelement <4 x float> %6, i64 1
  %12 = extractelement <4 x float> %6, i64 2
  %13 = extractelement <4 x float> %6, i64 3
  call void @dx.op.textureStore.f32(i32 67, %dx.types.Handle %9, i32 %7, i32 %8, i32 undef, float %10, float %11, float %12, float %13, i8 15)  ; TextureStore(srv,coord0,coord1,coord2,value0,value1,value2,value3,mask)
  ret void
}

; Function Attrs: nounwind
define void @"\01?ch@@YAXUPL@@UAT@@@Z"(%struct.PL* noalias nocapture %p, %struct.AT* nocapture readonly %a) #0 {
  %1 = call i32 @dx.op.instanceID.i32(i32 141)  ; InstanceID()
  %2 = getelementptr inbounds %struct.AT, %struct.AT* %a, i32 0, i32 0
  %3 = load <2 x float>, <2 x float>* %2, align 4, !tbaa !33
  %4 = extractelement <2 x float> %3, i64 0
  %5 = extractelement <2 x float> %3, i64 1
  %6 = fptosi float %4 to i32
  %7 = fptosi float %5 to i32
  %8 = getelementptr inbounds [0 x %"class.Texture2D<vector<float, 4> >"], [0 x %"class.Texture2D<vector<float, 4> >"]* @"\01?ts@@3PAV?$Texture2D@V?$vector@M$03@@@@A", i32 0, i32 %1, !dx.nonuniform !36
  %9 = load %"class.Texture2D<vector<float, 4> >", %"class.Texture2D<vector<float, 4> >"* %8, align 4
  %10 = call %dx.types.Handle @"dx.op.createHandleForLib.class.Texture2D<vector<float, 4> >"(i32 160, %"class.Texture2D<vector<float, 4> >" %9)  ; CreateHandleForLib(Resource)
  %11 = call %dx.types.ResRet.f32 @dx.op.textureLoad.f32(i32 66, %dx.types.Handle %10, i32 0, i32 %6, i32 %7, i32 undef, i32 undef, i32 undef, i32 undef)  ; TextureLoad(srv,mipLevelOrSampleCount,coord0,coord1,coord2,offset0,offset1,offset2)
  %12 = extractvalue %dx.types.ResRet.f32 %11, 0
  %13 = insertelement <4 x float> undef, float %12, i64 0
  %14 = extractvalue %dx.types.ResRet.f32 %11, 1
  %15 = insertelement <4 x float> %13, float %14, i64 1
  %16 = extractvalue %dx.types.ResRet.f32 %11, 2
  %17 = insertelement <4 x float> %15, float %16, i64 2
  %18 = extractvalue %dx.types.ResRet.f32 %11, 3
  %19 = insertelement <4 x float> %17, float %18, i64 3
  %20 = getelementptr inbounds %struct.PL, %struct.PL* %p, i32 0, i32 0
  store <4 x float> %19, <4 x float>* %20, align 4
  ret void
}

; Function Attrs: nounwind
define void @"\01?ms@@YAXUPL@@@Z"(%struct.PL* noalias nocapture %p) #0 {
  %1 = getelementptr inbounds %struct.PL, %struct.PL* %p, i32 0, i32 0
  store <4 x float> <float 1.000000e+00, float 1.000000e+00, float 1.000000e+00, float 1.000000e+00>, <4 x float>* %1, align 4
  ret void
}

; Function Attrs: nounwind readnone
define float @"\01?add@@YAMMM@Z"(float %a, float %b) #1 {
  %1 = fadd fast float %b, %a
  ret float %1
}

; Function Attrs: nounwind
declare void @dx.op.traceRay.struct.PL(i32, %dx.types.Handle, i32, i32, i32, i32, i32, float, float, float, float, float, float, float, float, %struct.PL*) #0

; Function Attrs: nounwind
declare void @dx.op.textureStore.f32(i32, %dx.types.Handle, i32, i32, i32, float, float, float, float, i8) #0

; Function Attrs: nounwind readnone
declare i32 @dx.op.dispatchRaysIndex.i32(i32, i8) #1

; Function Attrs: nounwind readnone
declare i32 @dx.op.instanceID.i32(i32) #1

; Function Attrs: nounwind readonly
declare %dx.types.ResRet.f32 @dx.op.textureLoad.f32(i32, %dx.types.Handle, i32, i32, i32, i32, i32, i32, i32) #2

; Function Attrs: nounwind readonly
declare %dx.types.Handle @dx.op.createHandleForLib.struct.RaytracingAccelerationStructure(i32, %struct.RaytracingAccelerationStructure) #2

; Function Attrs: nounwind readonly
declare %dx.types.Handle @"dx.op.createHandleForLib.class.RWTexture2D<vector<float, 4> >"(i32, %"class.RWTexture2D<vector<float, 4> >") #2

; Function Attrs: nounwind readonly
declare %dx.types.Handle @"dx.op.createHandleForLib.class.Texture2D<vector<float, 4> >"(i32, %"class.Texture2D<vector<float, 4> >") #2

attributes #0 = { nounwind }
attributes #1 = { nounwind readnone }
attributes #2 = { nounwind readonly }

!llvm.ident = !{!0}
!dx.version = !{!1}
!dx.valver = !{!2}
!dx.shaderModel = !{!3}
!dx.resources = !{!4}
!dx.typeAnnotations = !{!12}
!dx.entryPoints = !{!24, !26, !29, !31}

!0 = !{!"dxc(private) 1.7.0.4006 (69e54e290)"}
!1 = !{i32 1, i32 3}
!2 = !{i32 1, i32 7}
!3 = !{!"lib", i32 6, i32 3}
!4 = !{!5, !10, null, null}
!5 = !{!6, !8}
!6 = !{i32 0, %struct.RaytracingAccelerationStructure* @"\01?as@@3URaytracingAccelerationStructure@@A", !"as", i32 0, i32 0, i32 1, i32 16, i32 0, !7}
!7 = !{i32 0, i32 4}
!8 = !{i32 1, [0 x %"class.Texture2D<vector<float, 4> >"]* @"\01?ts@@3PAV?$Texture2D@V?$vector@M$03@@@@A", !"ts", i32 1, i32 0, i32 -1, i32 2, i32 0, !9}
!9 = !{i32 0, i32 9}
!10 = !{!11}
!11 = !{i32 0, %"class.RWTexture2D<vector<float, 4> >"* @"\01?o@@3V?$RWTexture2D@V?$vector@M$03@@@@A", !"o", i32 0, i32 0, i32 1, i32 2, i1 false, i1 false, i1 false, !9}
!12 = !{i32 1, void ()* @"\01?rg@@YAXXZ", !13, void (%struct.PL*, %struct.AT*)* @"\01?ch@@YAXUPL@@UAT@@@Z", !16, void (%struct.PL*)* @"\01?ms@@YAXUPL@@@Z", !19, float (float, float)* @"\01?add@@YAMMM@Z", !20}
!13 = !{!14}
!14 = !{i32 1, !15, !15}
!15 = !{}
!16 = !{!14, !17, !18}
!17 = !{i32 2, !15, !15}
!18 = !{i32 0, !15, !15}
!19 = !{!14, !17}
!20 = !{!21, !23, !23}
!21 = !{i32 1, !22, !15}
!22 = !{i32 7, i32 9}
!23 = !{i32 0, !22, !15}
!24 = !{null, !"", null, !4, !25}
!25 = !{i32 0, i64 65536}
!26 = !{void (%struct.PL*, %struct.AT*)* @"\01?ch@@YAXUPL@@UAT@@@Z", !"\01?ch@@YAXUPL@@UAT@@@Z", null, null, !27}
!27 = !{i32 8, i32 10, i32 6, i32 16, i32 7, i32 8, i32 5, !28}
!28 = !{i32 0}
!29 = !{void (%struct.PL*)* @"\01?ms@@YAXUPL@@@Z", !"\01?ms@@YAXUPL@@@Z", null, null, !30}
!30 = !{i32 8, i32 11, i32 6, i32 16, i32 5, !28}
!31 = !{void ()* @"\01?rg@@YAXXZ", !"\01?rg@@YAXXZ", null, null, !32}
!32 = !{i32 8, i32 7, i32 5, !28}
!33 = !{!34, !34, i64 0}
!34 = !{!"omnipotent char", !35, i64 0}
!35 = !{!"Simple C/C++ TBAA"}
!36 = !{i32 1}
