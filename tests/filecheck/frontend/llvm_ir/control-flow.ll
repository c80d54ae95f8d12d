; RUN: xgpu-translate --import-llvm %s | filecheck %s --match-full-lines

; Phis become block arguments; a value that comes in along an edge stands at the branch.
define i32 @loop(i32 %n) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %sum = phi i32 [ 0, %entry ], [ %added, %body ]
  %done = icmp eq i32 %i, %n
  br i1 %done, label %exit, label %body, !prof !0

body:
  %added = add i32 %sum, %i
  %next = add i32 %i, 1
  br label %header, !llvm.loop !1

exit:
  ret i32 %sum
}

define i32 @switched(i32 %n) {
  switch i32 %n, label %other [
    i32 0, label %zero
    i32 -5, label %other
  ], !prof !2

zero:
  br label %other

other:
  %r = phi i32 [ 1, %zero ], [ %n, %0 ], [ %n, %0 ]
  ret i32 %r
}

define void @empty_switch(i8 %n) {
  switch i8 %n, label %end [
  ]
end:
  ret void
}

define i32 @addressed(i1 %c) {
  %target = select i1 %c, ptr blockaddress(@addressed, %first), ptr blockaddress(@addressed, %second)
  indirectbr ptr %target, [label %first, label %second]

first:
  br label %second

second:
  %r = phi i32 [ 1, %0 ], [ 2, %first ]
  ret i32 %r
}

; Unreachable blocks are left out.
define void @dead() {
  unreachable

never:
  %x = add i32 %x, 1
  br label %never
}

declare i32 @personality(...)
declare i32 @may_throw(i32)

; An invoke that hands its own result to a phi gets a block in between.
define i32 @invoking(i32 %x) personality ptr @personality {
entry:
  %a = invoke i32 @may_throw(i32 %x) to label %then unwind label %catch

then:
  %b = invoke fastcc i32 @may_throw(i32 noundef %a) to label %end unwind label %catch

catch:
  %p = landingpad { ptr, i32 } cleanup catch ptr null filter [1 x ptr] zeroinitializer
  resume { ptr, i32 } %p

end:
  %r = phi i32 [ %b, %then ]
  ret i32 %r
}

!0 = !{!"branch_weights", i32 1, i32 99}
!1 = distinct !{!1, !3, !4}
!2 = !{!"branch_weights", i32 1, i32 2, i32 3}
!3 = !{!"llvm.loop.mustprogress"}
!4 = !{!"llvm.loop.unroll.count", i32 4}

; CHECK: #loop_unroll = #llvm.loop_unroll<count = 4 : i32>
; CHECK-NEXT: #loop_annotation = #llvm.loop_annotation<unroll = #loop_unroll, mustProgress = true>
; CHECK-NEXT: module attributes {dlti.dl_spec = #dlti.dl_spec<!llvm.ptr = dense<64> : vector<4xi64>, i1 = dense<8> : vector<2xi64>, i8 = dense<8> : vector<2xi64>, i16 = dense<16> : vector<2xi64>, i32 = dense<32> : vector<2xi64>, i64 = dense<[32, 64]> : vector<2xi64>, f16 = dense<16> : vector<2xi64>, f64 = dense<64> : vector<2xi64>, f128 = dense<128> : vector<2xi64>, "dlti.endianness" = "little">, llvm.module_asm = [], llvm.target_triple = ""} {
; CHECK-NEXT:   llvm.func @loop(%arg0: i32) -> i32 {
; CHECK-NEXT:     %0 = llvm.mlir.constant(0 : i32) : i32
; CHECK-NEXT:     %1 = llvm.mlir.constant(1 : i32) : i32
; CHECK-NEXT:     llvm.br ^bb1(%0, %0 : i32, i32)
; CHECK-NEXT:   ^bb1(%2: i32, %3: i32):  // 2 preds: ^bb0, ^bb2
; CHECK-NEXT:     %4 = llvm.icmp "eq" %2, %arg0 : i32
; CHECK-NEXT:     llvm.cond_br %4 weights([1, 99]), ^bb3, ^bb2
; CHECK-NEXT:   ^bb2:  // pred: ^bb1
; CHECK-NEXT:     %5 = llvm.add %3, %2 : i32
; CHECK-NEXT:     %6 = llvm.add %2, %1 : i32
; CHECK-NEXT:     llvm.br ^bb1(%6, %5 : i32, i32) {loop_annotation = #loop_annotation}
; CHECK-NEXT:   ^bb3:  // pred: ^bb1
; CHECK-NEXT:     llvm.return %3 : i32
; CHECK-NEXT:   }
; CHECK-NEXT:   llvm.func @switched(%arg0: i32) -> i32 {
; CHECK-NEXT:     %0 = llvm.mlir.constant(1 : i32) : i32
; CHECK-NEXT:     llvm.switch %arg0 : i32, ^bb2(%arg0 : i32) [
; CHECK-NEXT:       0: ^bb1,
; CHECK-NEXT:       -5: ^bb2(%arg0 : i32)
; CHECK-NEXT:     ] {branch_weights = array<i32: 1, 2, 3>}
; CHECK-NEXT:   ^bb1:  // pred: ^bb0
; CHECK-NEXT:     llvm.br ^bb2(%0 : i32)
; CHECK-NEXT:   ^bb2(%1: i32):  // 3 preds: ^bb0, ^bb0, ^bb1
; CHECK-NEXT:     llvm.return %1 : i32
; CHECK-NEXT:   }
; CHECK-NEXT:   llvm.func @empty_switch(%arg0: i8) {
; CHECK-NEXT:     llvm.switch %arg0 : i8, ^bb1 [
; CHECK-NEXT:     ]
; CHECK-NEXT:   ^bb1:  // pred: ^bb0
; CHECK-NEXT:     llvm.return
; CHECK-NEXT:   }
; CHECK-NEXT:   llvm.func @addressed(%arg0: i1) -> i32 {
; CHECK-NEXT:     %0 = llvm.blockaddress <function = @addressed, tag = <id = 1>> : !llvm.ptr
; CHECK-NEXT:     %1 = llvm.blockaddress <function = @addressed, tag = <id = 2>> : !llvm.ptr
; CHECK-NEXT:     %2 = llvm.mlir.constant(1 : i32) : i32
; CHECK-NEXT:     %3 = llvm.mlir.constant(2 : i32) : i32
; CHECK-NEXT:     %4 = llvm.select %arg0, %0, %1 : i1, !llvm.ptr
; CHECK-NEXT:     llvm.indirectbr %4 : !llvm.ptr, [
; CHECK-NEXT:     ^bb1,
; CHECK-NEXT:     ^bb2(%2 : i32)
; CHECK-NEXT:     ]
; CHECK-NEXT:   ^bb1:  // pred: ^bb0
; CHECK-NEXT:     llvm.blocktag <id = 1>
; CHECK-NEXT:     llvm.br ^bb2(%3 : i32)
; CHECK-NEXT:   ^bb2(%5: i32):  // 2 preds: ^bb0, ^bb1
; CHECK-NEXT:     llvm.blocktag <id = 2>
; CHECK-NEXT:     llvm.return %5 : i32
; CHECK-NEXT:   }
; CHECK-NEXT:   llvm.func @dead() {
; CHECK-NEXT:     llvm.unreachable
; CHECK-NEXT:   }
; CHECK-NEXT:   llvm.func @personality(...) -> i32
; CHECK-NEXT:   llvm.func @may_throw(i32) -> i32
; CHECK-NEXT:   llvm.func @invoking(%arg0: i32) -> i32 attributes {personality = @personality} {
; CHECK-NEXT:     %0 = llvm.mlir.zero : !llvm.ptr
; CHECK-NEXT:     %1 = llvm.mlir.zero : !llvm.array<1 x ptr>
; CHECK-NEXT:     %2 = llvm.invoke @may_throw(%arg0) to ^bb1 unwind ^bb2 : (i32) -> i32
; CHECK-NEXT:   ^bb1:  // pred: ^bb0
; CHECK-NEXT:     %3 = llvm.invoke fastcc @may_throw(%2) to ^bb3 unwind ^bb2 : (i32 {llvm.noundef}) -> i32
; CHECK-NEXT:   ^bb2:  // 2 preds: ^bb0, ^bb1
; CHECK-NEXT:     %4 = llvm.landingpad cleanup (catch %0 : !llvm.ptr) (filter %1 : !llvm.array<1 x ptr>) : !llvm.struct<(ptr, i32)>
; CHECK-NEXT:     llvm.resume %4 : !llvm.struct<(ptr, i32)>
; CHECK-NEXT:   ^bb3:  // pred: ^bb1
; CHECK-NEXT:     llvm.br ^bb4(%3 : i32)
; CHECK-NEXT:   ^bb4(%5: i32):  // pred: ^bb3
; CHECK-NEXT:     llvm.return %5 : i32
; CHECK-NEXT:   }

; Labels named as directives of PTX are.
define i32 @labels_with_dots(i32 %n) {
.entry:
  br label %.func

.func:
  ret i32 %n
}

; CHECK: llvm.func @labels_with_dots(%[[N:.*]]: i32) -> i32 {
; CHECK-NEXT: llvm.br ^[[AFTER:.*]]
; CHECK-NEXT: ^[[AFTER]]:  // pred: ^bb0
; CHECK-NEXT: llvm.return %[[N]] : i32
; CHECK-NEXT: }
; CHECK-NEXT: }
