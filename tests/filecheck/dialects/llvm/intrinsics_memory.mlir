// RUN: xgpu-opt %s | filecheck %s --match-full-lines
// RUN: xgpu-opt --mlir-print-op-generic %s | xgpu-opt | filecheck %s --match-full-lines

// Intrinsics on memory, of the optimizer and of coroutines.

// CHECK: #alias_scope_domain = #llvm.alias_scope_domain<id = distinct[0]<>, description = "d">
// CHECK-NEXT: #alias_scope = #llvm.alias_scope<id = distinct[1]<>, domain = #alias_scope_domain>
// CHECK-NEXT: module {
// CHECK-NEXT:   llvm.func @memory(%arg0: !llvm.ptr, %arg1: !llvm.ptr, %arg2: i64, %arg3: i32, %arg4: i8, %arg5: i1) {
// CHECK-NEXT:     %0 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:     %1 = llvm.alloca %0 x i32 : (i32) -> !llvm.ptr
// CHECK-NEXT:     "llvm.intr.memcpy"(%arg0, %arg1, %arg2) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
// CHECK-NEXT:     "llvm.intr.memmove"(%arg0, %arg1, %arg2) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
// CHECK-NEXT:     "llvm.intr.memcpy"(%arg0, %arg1, %arg3) <{arg_attrs = [{llvm.align = 4 : i64}, {}, {}], isVolatile = true}> : (!llvm.ptr, !llvm.ptr, i32) -> ()
// CHECK-NEXT:     "llvm.intr.memcpy.inline"(%arg0, %arg1) <{isVolatile = false, len = 16 : i64}> : (!llvm.ptr, !llvm.ptr) -> ()
// CHECK-NEXT:     "llvm.intr.memset"(%arg0, %arg4, %arg2) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
// CHECK-NEXT:     "llvm.intr.memset.inline"(%arg0, %arg4) <{isVolatile = false, len = 16 : i64}> : (!llvm.ptr, i8) -> ()
// CHECK-NEXT:     "llvm.intr.prefetch"(%arg0) <{cache = 1 : i32, hint = 3 : i32, rw = 0 : i32}> : (!llvm.ptr) -> ()
// CHECK-NEXT:     llvm.intr.lifetime.start %1 : !llvm.ptr
// CHECK-NEXT:     llvm.intr.lifetime.end %1 : !llvm.ptr
// CHECK-NEXT:     %2 = llvm.intr.invariant.start 8, %arg0 : !llvm.ptr
// CHECK-NEXT:     llvm.intr.invariant.end %2, 8, %arg0 : !llvm.ptr
// CHECK-NEXT:     %3 = llvm.intr.launder.invariant.group %arg0 : !llvm.ptr
// CHECK-NEXT:     %4 = llvm.intr.strip.invariant.group %arg0 : !llvm.ptr
// CHECK-NEXT:     %5 = llvm.intr.ptrmask %arg0, %arg2 : (!llvm.ptr, i64) -> !llvm.ptr
// CHECK-NEXT:     %6 = llvm.intr.stacksave : !llvm.ptr
// CHECK-NEXT:     llvm.intr.stackrestore %6 : !llvm.ptr
// CHECK-NEXT:     %7 = "llvm.intr.annotation"(%arg3, %arg0, %arg1, %arg3) : (i32, !llvm.ptr, !llvm.ptr, i32) -> i32
// CHECK-NEXT:     %8 = "llvm.intr.ptr.annotation"(%arg0, %arg0, %arg1, %arg3, %arg1) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, i32, !llvm.ptr) -> !llvm.ptr
// CHECK-NEXT:     "llvm.intr.var.annotation"(%arg0, %arg0, %arg1, %arg3, %arg1) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, i32, !llvm.ptr) -> ()
// CHECK-NEXT:     llvm.intr.assume %arg5 : i1
// CHECK-NEXT:     llvm.intr.assume %arg5 ["align"(%arg0, %arg2 : !llvm.ptr, i64), "nonnull"(%arg0 : !llvm.ptr)] : i1
// CHECK-NEXT:     llvm.intr.experimental.noalias.scope.decl #alias_scope
// CHECK-NEXT:     llvm.intr.trap
// CHECK-NEXT:     llvm.intr.debugtrap
// CHECK-NEXT:     llvm.intr.ubsantrap <{failureKind = 7 : i8}>
// CHECK-NEXT:     llvm.intr.vastart %arg0 : !llvm.ptr
// CHECK-NEXT:     llvm.intr.vacopy %arg0 to %arg1 : !llvm.ptr, !llvm.ptr
// CHECK-NEXT:     llvm.intr.vaend %arg0 : !llvm.ptr
// CHECK-NEXT:     %9 = llvm.va_arg %arg0 : (!llvm.ptr) -> i32
// CHECK-NEXT:     %10 = llvm.intr.eh.typeid.for %arg0 : (!llvm.ptr) -> i32
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
llvm.func @memory(%p: !llvm.ptr, %q: !llvm.ptr, %l: i64, %i: i32, %b: i8, %c: i1) {
  %one = llvm.mlir.constant(1 : i32) : i32
  %a = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  "llvm.intr.memcpy"(%p, %q, %l) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
  "llvm.intr.memmove"(%p, %q, %l) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
  "llvm.intr.memcpy"(%p, %q, %i) <{arg_attrs = [{llvm.align = 4 : i64}, {}, {}], isVolatile = true}> : (!llvm.ptr, !llvm.ptr, i32) -> ()
  "llvm.intr.memcpy.inline"(%p, %q) <{isVolatile = false, len = 16 : i64}> : (!llvm.ptr, !llvm.ptr) -> ()
  "llvm.intr.memset"(%p, %b, %l) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  "llvm.intr.memset.inline"(%p, %b) <{isVolatile = false, len = 16 : i64}> : (!llvm.ptr, i8) -> ()
  "llvm.intr.prefetch"(%p) <{cache = 1 : i32, hint = 3 : i32, rw = 0 : i32}> : (!llvm.ptr) -> ()
  llvm.intr.lifetime.start %a : !llvm.ptr
  llvm.intr.lifetime.end %a : !llvm.ptr
  %0 = llvm.intr.invariant.start 8, %p : !llvm.ptr
  llvm.intr.invariant.end %0, 8, %p : !llvm.ptr
  %1 = llvm.intr.launder.invariant.group %p : !llvm.ptr
  %2 = llvm.intr.strip.invariant.group %p : !llvm.ptr
  %3 = llvm.intr.ptrmask %p, %l : (!llvm.ptr, i64) -> !llvm.ptr
  %4 = llvm.intr.stacksave : !llvm.ptr
  llvm.intr.stackrestore %4 : !llvm.ptr
  %5 = "llvm.intr.annotation"(%i, %p, %q, %i) : (i32, !llvm.ptr, !llvm.ptr, i32) -> i32
  %6 = "llvm.intr.ptr.annotation"(%p, %p, %q, %i, %q) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, i32, !llvm.ptr) -> !llvm.ptr
  "llvm.intr.var.annotation"(%p, %p, %q, %i, %q) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, i32, !llvm.ptr) -> ()
  llvm.intr.assume %c : i1
  llvm.intr.assume %c ["align"(%p, %l : !llvm.ptr, i64), "nonnull"(%p : !llvm.ptr)] : i1
  llvm.intr.experimental.noalias.scope.decl #llvm.alias_scope<id = distinct[0]<>, domain = <id = distinct[1]<>, description = "d">>
  llvm.intr.trap
  llvm.intr.debugtrap
  llvm.intr.ubsantrap <{failureKind = 7 : i8}>
  llvm.intr.vastart %p : !llvm.ptr
  llvm.intr.vacopy %p to %q : !llvm.ptr, !llvm.ptr
  llvm.intr.vaend %p : !llvm.ptr
  %7 = llvm.va_arg %p : (!llvm.ptr) -> i32
  %8 = llvm.intr.eh.typeid.for %p : (!llvm.ptr) -> i32
  llvm.return
}

// CHECK-NEXT:   llvm.func @coroutine(%arg0: !llvm.ptr, %arg1: i32, %arg2: i1) {
// CHECK-NEXT:     %0 = llvm.intr.coro.id %arg1, %arg0, %arg0, %arg0 : (i32, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> !llvm.token
// CHECK-NEXT:     %1 = llvm.intr.coro.size : i64
// CHECK-NEXT:     %2 = llvm.intr.coro.align : i64
// CHECK-NEXT:     %3 = llvm.intr.coro.begin %0, %arg0 : (!llvm.token, !llvm.ptr) -> !llvm.ptr
// CHECK-NEXT:     %4 = llvm.intr.coro.save %3 : (!llvm.ptr) -> !llvm.token
// CHECK-NEXT:     %5 = llvm.intr.coro.suspend %4, %arg2 : i8
// CHECK-NEXT:     %6 = llvm.mlir.none : !llvm.token
// CHECK-NEXT:     %7 = llvm.intr.coro.end %3, %arg2, %6 : (!llvm.ptr, i1, !llvm.token) -> i1
// CHECK-NEXT:     %8 = llvm.intr.coro.free %0, %3 : (!llvm.token, !llvm.ptr) -> !llvm.ptr
// CHECK-NEXT:     llvm.intr.coro.resume %3 : !llvm.ptr
// CHECK-NEXT:     %9 = llvm.intr.coro.promise %3, %arg1, %arg2 : (!llvm.ptr, i32, i1) -> !llvm.ptr
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
llvm.func @coroutine(%p: !llvm.ptr, %i: i32, %c: i1) {
  %0 = llvm.intr.coro.id %i, %p, %p, %p : (i32, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> !llvm.token
  %1 = llvm.intr.coro.size : i64
  %2 = llvm.intr.coro.align : i64
  %3 = llvm.intr.coro.begin %0, %p : (!llvm.token, !llvm.ptr) -> !llvm.ptr
  %4 = llvm.intr.coro.save %3 : (!llvm.ptr) -> !llvm.token
  %5 = llvm.intr.coro.suspend %4, %c : i8
  %6 = llvm.mlir.none : !llvm.token
  %7 = llvm.intr.coro.end %3, %c, %6 : (!llvm.ptr, i1, !llvm.token) -> i1
  %8 = llvm.intr.coro.free %0, %3 : (!llvm.token, !llvm.ptr) -> !llvm.ptr
  llvm.intr.coro.resume %3 : !llvm.ptr
  %9 = llvm.intr.coro.promise %3, %i, %c : (!llvm.ptr, i32, i1) -> !llvm.ptr
  llvm.return
}

// CHECK-NEXT:   llvm.mlir.global external thread_local @local() {addr_space = 0 : i32} : i32
llvm.mlir.global external thread_local @local() : i32

// CHECK-NEXT:   llvm.func @thread_local() {
// CHECK-NEXT:     %0 = llvm.mlir.addressof @local : !llvm.ptr
// CHECK-NEXT:     %1 = "llvm.intr.threadlocal.address"(%0) : (!llvm.ptr) -> !llvm.ptr
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
// CHECK-NEXT: }
llvm.func @thread_local() {
  %0 = llvm.mlir.addressof @local : !llvm.ptr
  %1 = "llvm.intr.threadlocal.address"(%0) : (!llvm.ptr) -> !llvm.ptr
  llvm.return
}
