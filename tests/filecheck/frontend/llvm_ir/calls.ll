; RUN: xgpu-translate --import-llvm %s | filecheck %s --match-full-lines

declare i32 @f(i32, ptr)
declare fastcc void @fast()
declare i32 @printf(ptr, ...)
declare void @pure() memory(none)
declare void @reads(ptr) memory(argmem: read)
declare float @g(float)

define void @direct(i32 %x, ptr %p) {
  %1 = call i32 @f(i32 %x, ptr %p)
  call fastcc void @fast()
  %2 = call i32 (ptr, ...) @printf(ptr %p, i32 %x)
  tail call void @pure()
  call void @reads(ptr noundef nonnull align 4 %p)
  %3 = call reassoc nsz float @g(float 2.0)
  %4 = notail call signext i32 @f(i32 zeroext %x, ptr %p) #0
  ret void
}

define i32 @tail(i32 %x, ptr %p) {
  %1 = musttail call i32 @f(i32 %x, ptr %p)
  ret i32 %1
}

define void @indirect(ptr %f, i32 %x) {
  %1 = call i32 %f(i32 %x)
  call void (i32, ...) %f(i32 %x, float 1.0)
  ret void
}

define void @assembly(i32 %x, ptr %p) {
  %1 = call i32 asm "mov.b32 $0, $1;", "=r,r"(i32 %x)
  call void asm sideeffect "bar.sync 0;", "~{memory}"()
  %2 = call { i32, i32 } asm alignstack inteldialect "x", "=r,=r,r"(i32 %x)
  call void asm sideeffect "st $1, $0", "=*m,r,~{memory}"(ptr elementtype(i32) %p, i32 %x)
  ret void
}

attributes #0 = { convergent noinline nounwind willreturn memory(read) }

; CHECK: module attributes {dlti.dl_spec = #dlti.dl_spec<!llvm.ptr = dense<64> : vector<4xi64>, i1 = dense<8> : vector<2xi64>, i8 = dense<8> : vector<2xi64>, i16 = dense<16> : vector<2xi64>, i32 = dense<32> : vector<2xi64>, i64 = dense<[32, 64]> : vector<2xi64>, f16 = dense<16> : vector<2xi64>, f64 = dense<64> : vector<2xi64>, f128 = dense<128> : vector<2xi64>, "dlti.endianness" = "little">, llvm.module_asm = [], llvm.target_triple = ""} {
; CHECK-NEXT:   llvm.func @f(i32, !llvm.ptr) -> i32
; CHECK-NEXT:   llvm.func fastcc @fast()
; CHECK-NEXT:   llvm.func @printf(!llvm.ptr, ...) -> i32
; CHECK-NEXT:   llvm.func @pure() attributes {memory_effects = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = none, errnoMem = none, targetMem0 = none, targetMem1 = none>}
; CHECK-NEXT:   llvm.func @reads(!llvm.ptr) attributes {memory_effects = #llvm.memory_effects<other = none, argMem = read, inaccessibleMem = none, errnoMem = none, targetMem0 = none, targetMem1 = none>}
; CHECK-NEXT:   llvm.func @g(f32) -> f32
; CHECK-NEXT:   llvm.func @direct(%arg0: i32, %arg1: !llvm.ptr) {
; CHECK-NEXT:     %0 = llvm.mlir.constant(2.000000e+00 : f32) : f32
; CHECK-NEXT:     %1 = llvm.call @f(%arg0, %arg1) : (i32, !llvm.ptr) -> i32
; CHECK-NEXT:     llvm.call fastcc @fast() : () -> ()
; CHECK-NEXT:     %2 = llvm.call @printf(%arg1, %arg0) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i32) -> i32
; CHECK-NEXT:     llvm.call tail @pure() {memory_effects = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = none, errnoMem = none, targetMem0 = none, targetMem1 = none>} : () -> ()
; CHECK-NEXT:     llvm.call @reads(%arg1) {memory_effects = #llvm.memory_effects<other = none, argMem = read, inaccessibleMem = none, errnoMem = none, targetMem0 = none, targetMem1 = none>} : (!llvm.ptr {llvm.align = 4 : i64, llvm.nonnull, llvm.noundef}) -> ()
; CHECK-NEXT:     %3 = llvm.call @g(%0) {fastmathFlags = #llvm.fastmath<nsz, reassoc>} : (f32) -> f32
; CHECK-NEXT:     %4 = llvm.call notail @f(%arg0, %arg1) {convergent, memory_effects = #llvm.memory_effects<other = read, argMem = read, inaccessibleMem = read, errnoMem = read, targetMem0 = read, targetMem1 = read>, no_inline, no_unwind, will_return} : (i32 {llvm.zeroext}, !llvm.ptr) -> (i32 {llvm.signext})
; CHECK-NEXT:     llvm.return
; CHECK-NEXT:   }
; CHECK-NEXT:   llvm.func @tail(%arg0: i32, %arg1: !llvm.ptr) -> i32 {
; CHECK-NEXT:     %0 = llvm.call musttail @f(%arg0, %arg1) : (i32, !llvm.ptr) -> i32
; CHECK-NEXT:     llvm.return %0 : i32
; CHECK-NEXT:   }
; CHECK-NEXT:   llvm.func @indirect(%arg0: !llvm.ptr, %arg1: i32) {
; CHECK-NEXT:     %0 = llvm.mlir.constant(1.000000e+00 : f32) : f32
; CHECK-NEXT:     %1 = llvm.call %arg0(%arg1) : !llvm.ptr, (i32) -> i32
; CHECK-NEXT:     llvm.call %arg0(%arg1, %0) vararg(!llvm.func<void (i32, ...)>) : !llvm.ptr, (i32, f32) -> ()
; CHECK-NEXT:     llvm.return
; CHECK-NEXT:   }
; CHECK-NEXT:   llvm.func @assembly(%arg0: i32, %arg1: !llvm.ptr) {
; CHECK-NEXT:     %0 = llvm.inline_asm asm_dialect = att "mov.b32 $0, $1;", "=r,r" %arg0 : (i32) -> i32
; CHECK-NEXT:     %1 = llvm.inline_asm has_side_effects asm_dialect = att "bar.sync 0;", "~{memory}"  : () -> !llvm.void
; CHECK-NEXT:     %2 = llvm.inline_asm is_align_stack asm_dialect = intel "x", "=r,=r,r" %arg0 : (i32) -> !llvm.struct<(i32, i32)>
; CHECK-NEXT:     %3 = llvm.inline_asm has_side_effects asm_dialect = att operand_attrs = [{elementtype = i32}, {}] "st $1, $0", "=*m,r,~{memory}" %arg1, %arg0 : (!llvm.ptr, i32) -> !llvm.void
; CHECK-NEXT:     llvm.return
; CHECK-NEXT:   }
; CHECK-NEXT: }
