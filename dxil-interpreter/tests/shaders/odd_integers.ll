; Integers of widths that HLSL has not but its compiler makes: 5 and 33 bits. Assembled by DXC.
target datalayout = "e-m:e-p:32:32-i1:32-i8:32-i16:32-i32:32-i64:64-f16:32-f32:32-f64:64-n8:16:32:64"
target triple = "dxil-ms-dx"

%dx.types.Handle = type { i8* }
%dx.types.ResRet.i32 = type { i32, i32, i32, i32, i32 }
%"class.StructuredBuffer<unsigned int>" = type { i32 }
%"class.RWStructuredBuffer<unsigned int>" = type { i32 }

define void @main() {
entry:
  %out = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 0, i32 0, i1 false)
  %in = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 0, i32 0, i32 0, i1 false)
  %id = call i32 @dx.op.threadId.i32(i32 93, i32 0)
  %load = call %dx.types.ResRet.i32 @dx.op.bufferLoad.i32(i32 68, %dx.types.Handle %in, i32 %id, i32 0)
  %x = extractvalue %dx.types.ResRet.i32 %load, 0
  %y = lshr i32 %x, 8
  %a = trunc i32 %x to i5
  %b = trunc i32 %y to i5
  %b1 = or i5 %b, 1
  %add = add nuw i5 %a, %b
  %sub = sub i5 %a, %b
  %mul = mul i5 %a, %b
  %sdiv = sdiv i5 %a, %b1
  %srem = srem i5 %a, %b1
  %udiv = udiv i5 %a, %b1
  %ashr = ashr i5 %a, 2
  %shl = shl i5 %a, 3
  %not = xor i5 %a, -1
  %slt = icmp slt i5 %a, %b
  %ult = icmp ult i5 %a, %b
  %less = select i1 %slt, i5 %sdiv, i5 -7
  %same = icmp eq i5 %not, -1
  %bit = trunc i5 %a to i1
  %w = zext i5 %mul to i33
  %sw = sext i5 %sub to i33
  %big = mul i33 %sw, 123456789
  %top = ashr i33 %big, 1
  %sum = add i33 %top, %w
  %n = trunc i33 %sum to i32
  %m = lshr i33 %sum, 20
  %m1 = trunc i33 %m to i32
  %se = sext i33 %sum to i64
  %seh = lshr i64 %se, 40
  %se32 = trunc i64 %seh to i32
  %f = sitofp i5 %a to float
  %fb = bitcast float %f to i32
  %uf = uitofp i5 %a to float
  %ub = bitcast float %uf to i32
  switch i5 %a, label %other [
    i5 -1, label %minus
    i5 3, label %three
    i5 -16, label %least
  ]
minus:
  br label %end
three:
  br label %end
least:
  br label %end
other:
  br label %end
end:
  %p = phi i5 [ -2, %minus ], [ %add, %three ], [ %shl, %least ], [ %less, %other ]
  %base = shl i32 %id, 5
  %op = zext i5 %p to i32
  %at0 = add i32 %base, 0
  call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %out, i32 %at0, i32 0, i32 %op, i32 undef, i32 undef, i32 undef, i8 1)
  %oadd = zext i5 %add to i32
  %at1 = add i32 %base, 1
  call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %out, i32 %at1, i32 0, i32 %oadd, i32 undef, i32 undef, i32 undef, i8 1)
  %osub = sext i5 %sub to i32
  %at2 = add i32 %base, 2
  call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %out, i32 %at2, i32 0, i32 %osub, i32 undef, i32 undef, i32 undef, i8 1)
  %omul = zext i5 %mul to i32
  %at3 = add i32 %base, 3
  call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %out, i32 %at3, i32 0, i32 %omul, i32 undef, i32 undef, i32 undef, i8 1)
  %osdiv = sext i5 %sdiv to i32
  %at4 = add i32 %base, 4
  call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %out, i32 %at4, i32 0, i32 %osdiv, i32 undef, i32 undef, i32 undef, i8 1)
  %osrem = sext i5 %srem to i32
  %at5 = add i32 %base, 5
  call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %out, i32 %at5, i32 0, i32 %osrem, i32 undef, i32 undef, i32 undef, i8 1)
  %oudiv = zext i5 %udiv to i32
  %at6 = add i32 %base, 6
  call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %out, i32 %at6, i32 0, i32 %oudiv, i32 undef, i32 undef, i32 undef, i8 1)
  %oashr = sext i5 %ashr to i32
  %at7 = add i32 %base, 7
  call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %out, i32 %at7, i32 0, i32 %oashr, i32 undef, i32 undef, i32 undef, i8 1)
  %oshl = zext i5 %shl to i32
  %at8 = add i32 %base, 8
  call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %out, i32 %at8, i32 0, i32 %oshl, i32 undef, i32 undef, i32 undef, i8 1)
  %onot = zext i5 %not to i32
  %at9 = add i32 %base, 9
  call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %out, i32 %at9, i32 0, i32 %onot, i32 undef, i32 undef, i32 undef, i8 1)
  %oslt = zext i1 %slt to i32
  %at10 = add i32 %base, 10
  call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %out, i32 %at10, i32 0, i32 %oslt, i32 undef, i32 undef, i32 undef, i8 1)
  %oult = zext i1 %ult to i32
  %at11 = add i32 %base, 11
  call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %out, i32 %at11, i32 0, i32 %oult, i32 undef, i32 undef, i32 undef, i8 1)
  %osame = zext i1 %same to i32
  %at12 = add i32 %base, 12
  call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %out, i32 %at12, i32 0, i32 %osame, i32 undef, i32 undef, i32 undef, i8 1)
  %obit = zext i1 %bit to i32
  %at13 = add i32 %base, 13
  call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %out, i32 %at13, i32 0, i32 %obit, i32 undef, i32 undef, i32 undef, i8 1)
  %at14 = add i32 %base, 14
  call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %out, i32 %at14, i32 0, i32 %n, i32 undef, i32 undef, i32 undef, i8 1)
  %at15 = add i32 %base, 15
  call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %out, i32 %at15, i32 0, i32 %m1, i32 undef, i32 undef, i32 undef, i8 1)
  %at16 = add i32 %base, 16
  call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %out, i32 %at16, i32 0, i32 %se32, i32 undef, i32 undef, i32 undef, i8 1)
  %at17 = add i32 %base, 17
  call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %out, i32 %at17, i32 0, i32 %fb, i32 undef, i32 undef, i32 undef, i8 1)
  %at18 = add i32 %base, 18
  call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %out, i32 %at18, i32 0, i32 %ub, i32 undef, i32 undef, i32 undef, i8 1)
  ret void
}

; Function Attrs: nounwind readnone
declare i32 @dx.op.threadId.i32(i32, i32) #0

; Function Attrs: nounwind readonly
declare %dx.types.Handle @dx.op.createHandle(i32, i8, i32, i32, i1) #1

; Function Attrs: nounwind
declare void @dx.op.bufferStore.i32(i32, %dx.types.Handle, i32, i32, i32, i32, i32, i32, i8) #2

; Function Attrs: nounwind readonly
declare %dx.types.ResRet.i32 @dx.op.bufferLoad.i32(i32, %dx.types.Handle, i32, i32) #1

attributes #0 = { nounwind readnone }
attributes #1 = { nounwind readonly }
attributes #2 = { nounwind }

!llvm.ident = !{!0}
!dx.version = !{!1}
!dx.valver = !{!2}
!dx.shaderModel = !{!3}
!dx.resources = !{!4}
!dx.entryPoints = !{!10}

!0 = !{!"dxc(private) 1.7.0.4006 (69e54e290)"}
!1 = !{i32 1, i32 0}
!2 = !{i32 1, i32 7}
!3 = !{!"cs", i32 6, i32 0}
!4 = !{!5, !8, null, null}
!5 = !{!6}
!6 = !{i32 0, %"class.StructuredBuffer<unsigned int>"* undef, !"", i32 0, i32 0, i32 1, i32 12, i32 0, !7}
!7 = !{i32 1, i32 4}
!8 = !{!9}
!9 = !{i32 0, %"class.RWStructuredBuffer<unsigned int>"* undef, !"", i32 0, i32 0, i32 1, i32 12, i1 false, i1 false, i1 false, !7}
!10 = !{void ()* @main, !"main", null, !4, !11}
!11 = !{i32 0, i64 1048592, i32 4, !12}
!12 = !{i32 32, i32 1, i32 1}
