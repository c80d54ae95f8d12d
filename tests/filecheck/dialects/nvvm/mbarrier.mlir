// RUN: xgpu-opt %s | filecheck %s --match-full-lines
// RUN: xgpu-opt --mlir-print-op-generic %s | xgpu-opt | filecheck %s --match-full-lines

// Every operation on an mbarrier, in generic and shared memory and in that of a cluster.

// CHECK: module {
// CHECK-NEXT:   llvm.func @init(%arg0: !llvm.ptr, %arg1: !llvm.ptr<3>, %arg2: i32, %arg3: i1) {
// CHECK-NEXT:     nvvm.mbarrier.init %arg0, %arg2 : !llvm.ptr, i32
// CHECK-NEXT:     nvvm.mbarrier.init %arg1, %arg2, predicate = %arg3 : !llvm.ptr<3>, i32, i1
// CHECK-NEXT:     nvvm.mbarrier.inval %arg0 : !llvm.ptr
// CHECK-NEXT:     nvvm.mbarrier.inval %arg1 : !llvm.ptr<3>
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
llvm.func @init(%p: !llvm.ptr, %s: !llvm.ptr<3>, %count: i32, %predicate: i1) {
  nvvm.mbarrier.init %p, %count : !llvm.ptr, i32
  nvvm.mbarrier.init %s, %count, predicate = %predicate : !llvm.ptr<3>, i32, i1
  nvvm.mbarrier.inval %p : !llvm.ptr
  nvvm.mbarrier.inval %s : !llvm.ptr<3>
  llvm.return
}

// CHECK-NEXT:   llvm.func @arrive(%arg0: !llvm.ptr, %arg1: !llvm.ptr<3>, %arg2: !llvm.ptr<7>, %arg3: i32, %arg4: i1) {
// CHECK-NEXT:     %0 = nvvm.mbarrier.arrive %arg0 : !llvm.ptr -> i64
// CHECK-NEXT:     %1 = nvvm.mbarrier.arrive %arg1, %arg3 : !llvm.ptr<3> -> i64
// CHECK-NEXT:     %2 = nvvm.mbarrier.arrive %arg1, %arg3 {relaxed = true, scope = #nvvm.mem_scope<cluster>} : !llvm.ptr<3> -> i64
// CHECK-NEXT:     nvvm.mbarrier.arrive %arg2 : !llvm.ptr<7>
// CHECK-NEXT:     %3 = nvvm.mbarrier.arrive.nocomplete %arg0, %arg3 : !llvm.ptr, i32 -> i64
// CHECK-NEXT:     %4 = nvvm.mbarrier.arrive.nocomplete %arg1, %arg3 : !llvm.ptr<3>, i32 -> i64
// CHECK-NEXT:     %5 = nvvm.mbarrier.arrive.expect_tx %arg1, %arg3 : !llvm.ptr<3>, i32 -> i64
// CHECK-NEXT:     %6 = nvvm.mbarrier.arrive.expect_tx %arg1, %arg3 {relaxed = true} : !llvm.ptr<3>, i32 -> i64
// CHECK-NEXT:     nvvm.mbarrier.arrive.expect_tx %arg1, %arg3, predicate = %arg4 : !llvm.ptr<3>, i32, i1
// CHECK-NEXT:     nvvm.mbarrier.arrive.expect_tx %arg2, %arg3 {scope = #nvvm.mem_scope<cluster>} : !llvm.ptr<7>, i32
// CHECK-NEXT:     %7 = nvvm.mbarrier.arrive_drop %arg0 : !llvm.ptr -> i64
// CHECK-NEXT:     %8 = nvvm.mbarrier.arrive_drop %arg1, %arg3 {relaxed = true} : !llvm.ptr<3> -> i64
// CHECK-NEXT:     nvvm.mbarrier.arrive_drop %arg2, %arg3 {scope = #nvvm.mem_scope<cluster>} : !llvm.ptr<7>
// CHECK-NEXT:     %9 = nvvm.mbarrier.arrive_drop.nocomplete %arg0, %arg3 : !llvm.ptr, i32 -> i64
// CHECK-NEXT:     %10 = nvvm.mbarrier.arrive_drop.nocomplete %arg1, %arg3 : !llvm.ptr<3>, i32 -> i64
// CHECK-NEXT:     %11 = nvvm.mbarrier.arrive_drop.expect_tx %arg1, %arg3 : !llvm.ptr<3>, i32 -> i64
// CHECK-NEXT:     nvvm.mbarrier.arrive_drop.expect_tx %arg2, %arg3 {relaxed = true} : !llvm.ptr<7>, i32
// CHECK-NEXT:     nvvm.cp.async.mbarrier.arrive %arg0 : !llvm.ptr
// CHECK-NEXT:     nvvm.cp.async.mbarrier.arrive %arg1 {noinc = true} : !llvm.ptr<3>
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
llvm.func @arrive(%p: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %count: i32, %predicate: i1) {
  %0 = nvvm.mbarrier.arrive %p : !llvm.ptr -> i64
  %1 = nvvm.mbarrier.arrive %s, %count : !llvm.ptr<3> -> i64
  %2 = nvvm.mbarrier.arrive %s, %count {relaxed = true, scope = #nvvm.mem_scope<cluster>} : !llvm.ptr<3> -> i64
  nvvm.mbarrier.arrive %c : !llvm.ptr<7>
  %3 = nvvm.mbarrier.arrive.nocomplete %p, %count : !llvm.ptr, i32 -> i64
  %4 = nvvm.mbarrier.arrive.nocomplete %s, %count : !llvm.ptr<3>, i32 -> i64
  %5 = nvvm.mbarrier.arrive.expect_tx %s, %count : !llvm.ptr<3>, i32 -> i64
  %6 = nvvm.mbarrier.arrive.expect_tx %s, %count {relaxed = true} : !llvm.ptr<3>, i32 -> i64
  nvvm.mbarrier.arrive.expect_tx %s, %count, predicate = %predicate : !llvm.ptr<3>, i32, i1
  nvvm.mbarrier.arrive.expect_tx %c, %count {scope = #nvvm.mem_scope<cluster>} : !llvm.ptr<7>, i32
  %7 = nvvm.mbarrier.arrive_drop %p : !llvm.ptr -> i64
  %8 = nvvm.mbarrier.arrive_drop %s, %count {relaxed = true} : !llvm.ptr<3> -> i64
  nvvm.mbarrier.arrive_drop %c, %count {scope = #nvvm.mem_scope<cluster>} : !llvm.ptr<7>
  %9 = nvvm.mbarrier.arrive_drop.nocomplete %p, %count : !llvm.ptr, i32 -> i64
  %10 = nvvm.mbarrier.arrive_drop.nocomplete %s, %count : !llvm.ptr<3>, i32 -> i64
  %11 = nvvm.mbarrier.arrive_drop.expect_tx %s, %count : !llvm.ptr<3>, i32 -> i64
  nvvm.mbarrier.arrive_drop.expect_tx %c, %count {relaxed = true} : !llvm.ptr<7>, i32
  nvvm.cp.async.mbarrier.arrive %p : !llvm.ptr
  nvvm.cp.async.mbarrier.arrive %s {noinc = true} : !llvm.ptr<3>
  llvm.return
}

// CHECK-NEXT:   llvm.func @transactions(%arg0: !llvm.ptr<3>, %arg1: !llvm.ptr<7>, %arg2: i32) {
// CHECK-NEXT:     nvvm.mbarrier.expect_tx %arg0, %arg2 : !llvm.ptr<3>, i32
// CHECK-NEXT:     nvvm.mbarrier.expect_tx %arg1, %arg2 {scope = #nvvm.mem_scope<cluster>} : !llvm.ptr<7>, i32
// CHECK-NEXT:     nvvm.mbarrier.complete_tx %arg0, %arg2 : !llvm.ptr<3>, i32
// CHECK-NEXT:     nvvm.mbarrier.complete_tx %arg1, %arg2 {scope = #nvvm.mem_scope<cluster>} : !llvm.ptr<7>, i32
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
llvm.func @transactions(%s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %count: i32) {
  nvvm.mbarrier.expect_tx %s, %count : !llvm.ptr<3>, i32
  nvvm.mbarrier.expect_tx %c, %count {scope = #nvvm.mem_scope<cluster>} : !llvm.ptr<7>, i32
  nvvm.mbarrier.complete_tx %s, %count : !llvm.ptr<3>, i32
  nvvm.mbarrier.complete_tx %c, %count {scope = #nvvm.mem_scope<cluster>} : !llvm.ptr<7>, i32
  llvm.return
}

// CHECK-NEXT:   llvm.func @wait(%arg0: !llvm.ptr, %arg1: !llvm.ptr<3>, %arg2: i64, %arg3: i32, %arg4: i32) {
// CHECK-NEXT:     %0 = nvvm.mbarrier.test.wait %arg0, %arg2 : !llvm.ptr, i64 -> i1
// CHECK-NEXT:     %1 = nvvm.mbarrier.test.wait %arg1, %arg3 {relaxed = true, scope = #nvvm.mem_scope<cluster>} : !llvm.ptr<3>, i32 -> i1
// CHECK-NEXT:     %2 = nvvm.mbarrier.try_wait %arg0, %arg2 : !llvm.ptr, i64 -> i1
// CHECK-NEXT:     %3 = nvvm.mbarrier.try_wait %arg1, %arg3, %arg4 : !llvm.ptr<3>, i32, i32 -> i1
// CHECK-NEXT:     %4 = nvvm.mbarrier.try_wait %arg1, %arg3, %arg4 {relaxed = true, scope = #nvvm.mem_scope<cluster>} : !llvm.ptr<3>, i32, i32 -> i1
// CHECK-NEXT:     nvvm.mbarrier.try_wait.parity %arg0, %arg3, %arg4 : !llvm.ptr, i32, i32
// CHECK-NEXT:     nvvm.mbarrier.try_wait.parity %arg1, %arg3, %arg4 : !llvm.ptr<3>, i32, i32
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
// CHECK-NEXT: }
llvm.func @wait(%p: !llvm.ptr, %s: !llvm.ptr<3>, %state: i64, %phase: i32, %ticks: i32) {
  %0 = nvvm.mbarrier.test.wait %p, %state : !llvm.ptr, i64 -> i1
  %1 = nvvm.mbarrier.test.wait %s, %phase {relaxed = true, scope = #nvvm.mem_scope<cluster>} : !llvm.ptr<3>, i32 -> i1
  %2 = nvvm.mbarrier.try_wait %p, %state : !llvm.ptr, i64 -> i1
  %3 = nvvm.mbarrier.try_wait %s, %phase, %ticks : !llvm.ptr<3>, i32, i32 -> i1
  %4 = nvvm.mbarrier.try_wait %s, %phase, %ticks {relaxed = true, scope = #nvvm.mem_scope<cluster>} : !llvm.ptr<3>, i32, i32 -> i1
  nvvm.mbarrier.try_wait.parity %p, %phase, %ticks : !llvm.ptr, i32, i32
  nvvm.mbarrier.try_wait.parity %s, %phase, %ticks : !llvm.ptr<3>, i32, i32
  llvm.return
}
