; shader hash: 5132886ba546b706a1e0e63ce975e3a6
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

%"struct.DispatchNodeInputRecord<Item>" = type { i32 }
%struct.Item = type { i32 }
%dx.types.NodeRecordHandle = type { i8* }

; Function Attrs: nounwind readonly
define i32 @"\01?Value@@YAIU?$DispatchNodeInputRecord@UItem@@@@@Z"(%"struct.DispatchNodeInputRecord<Item>"* nocapture readonly %record) #0 {
  %1 = load %"struct.DispatchNodeInputRecord<Item>", %"struct.DispatchNodeInputRecord<Item>"* %record, align 4
  %2 = call %struct.Item addrspace(6)* @dx.op.getNodeRecordPtr.struct.Item(i32 239, %"struct.DispatchNodeInputRecord<Item>" %1, i32 0)  ; GetNodeRecordPtr(recordhandle,arrayIndex)
  %3 = getelementptr %struct.Item, %struct.Item addrspace(6)* %2, i32 0, i32 0
  %4 = load i32, i32 addrspace(6)* %3, align 4
  ret i32 %4
}

; Function Attrs: nounwind readnone
declare %struct.Item addrspace(6)* @dx.op.getNodeRecordPtr.struct.Item(i32, %dx.types.NodeRecordHandle, i32) #1

attributes #0 = { nounwind readonly }
attributes #1 = { nounwind readnone }

!llvm.ident = !{!0}
!dx.version = !{!1}
!dx.valver = !{!2}
!dx.shaderModel = !{!3}
!dx.typeAnnotations = !{!4, !10}
!dx.entryPoints = !{!16}

!0 = !{!"dxcoob 1.9.2602.17 (21d28f727)"}
!1 = !{i32 1, i32 9}
!2 = !{i32 0, i32 0}
!3 = !{!"lib", i32 6, i32 15}
!4 = !{i32 0, %"struct.DispatchNodeInputRecord<Item>" undef, !5}
!5 = !{i32 4, !6, !7}
!6 = !{i32 6, !"h", i32 3, i32 0, i32 7, i32 4}
!7 = !{i32 0, !8}
!8 = !{!9}
!9 = !{i32 0, %struct.Item undef}
!10 = !{i32 1, i32 (%"struct.DispatchNodeInputRecord<Item>"*)* @"\01?Value@@YAIU?$DispatchNodeInputRecord@UItem@@@@@Z", !11}
!11 = !{!12, !15}
!12 = !{i32 1, !13, !14}
!13 = !{i32 7, i32 5}
!14 = !{}
!15 = !{i32 0, !14, !14}
!16 = !{null, !"", null, null, null}
