; RUN: xgpu-translate --import-llvm --split-input-file --emit-expensive-warnings --verify-diagnostics %s

define void @f(i1 %c) {
  br label %loop
loop:
  ; expected-warning@+2 {{unknown loop annotation llvm.loop.strange}}
  ; expected-warning@+1 {{unhandled metadata: !0 = distinct !{!0, !1} on   br i1 %c, label %loop, label %end, !llvm.loop !0}}
  br i1 %c, label %loop, label %end, !llvm.loop !0
end:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.strange"}

; // -----

define void @f(i1 %c) {
  br label %loop
loop:
  ; expected-warning@+2 {{expected metadata node llvm.loop.unroll.count to hold an i32 value}}
  ; expected-warning@+1 {{unhandled metadata}}
  br i1 %c, label %loop, label %end, !llvm.loop !0
end:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.count", i64 4}

; // -----

declare void @f(i32)

define void @g(float %x) {
  ; expected-warning@+1 {{incompatible call and callee types: '!llvm.func<void (f32)>' and '!llvm.func<void (i32)>'}}
  call void @f(float %x)
  ret void
}
