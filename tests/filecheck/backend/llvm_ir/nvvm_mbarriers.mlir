// RUN: xgpu-translate %s --mlir-to-llvmir | filecheck %s --match-full-lines

// Each operation on an mbarrier by the memory that it lies in, scope and order.

// CHECK: ; ModuleID = 'LLVMDialectModule'
// CHECK-NEXT: source_filename = "LLVMDialectModule"
// CHECK-EMPTY:
// CHECK-NEXT: define void @init(ptr %0, ptr addrspace(3) %1, i32 %2, i1 %3) {
// CHECK-NEXT:   call void @llvm.nvvm.mbarrier.init(ptr %0, i32 %2)
// CHECK-NEXT:   call void @llvm.nvvm.mbarrier.inval(ptr %0)
// CHECK-NEXT:   call void @llvm.nvvm.mbarrier.inval.shared(ptr addrspace(3) %1)
// CHECK-NEXT:   ret void
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @init(%p: !llvm.ptr, %s: !llvm.ptr<3>, %count: i32, %predicate: i1) {
  nvvm.mbarrier.init %p, %count : !llvm.ptr, i32
  nvvm.mbarrier.inval %p : !llvm.ptr
  nvvm.mbarrier.inval %s : !llvm.ptr<3>
  llvm.return
}

// CHECK-NEXT: define void @arrive(ptr %0, ptr addrspace(3) %1, ptr addrspace(7) %2, i32 %3, i1 %4) {
// CHECK-NEXT:   %6 = addrspacecast ptr %0 to ptr addrspace(3)
// CHECK-NEXT:   %7 = call i64 @llvm.nvvm.mbarrier.arrive.shared(ptr addrspace(3) %6)
// CHECK-NEXT:   %8 = call i64 @llvm.nvvm.mbarrier.arrive.scope.cta.space.cta(ptr addrspace(3) %1, i32 %3)
// CHECK-NEXT:   %9 = call i64 @llvm.nvvm.mbarrier.arrive.relaxed.scope.cluster.space.cta(ptr addrspace(3) %1, i32 %3)
// CHECK-NEXT:   call void @llvm.nvvm.mbarrier.arrive.scope.cta.space.cluster(ptr addrspace(7) %2, i32 1)
// CHECK-NEXT:   %10 = call i64 @llvm.nvvm.mbarrier.arrive.noComplete(ptr %0, i32 %3)
// CHECK-NEXT:   %11 = call i64 @llvm.nvvm.mbarrier.arrive.noComplete.shared(ptr addrspace(3) %1, i32 %3)
// CHECK-NEXT:   %12 = call i64 @llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta(ptr addrspace(3) %1, i32 %3)
// CHECK-NEXT:   %13 = call i64 @llvm.nvvm.mbarrier.arrive.expect.tx.relaxed.scope.cta.space.cta(ptr addrspace(3) %1, i32 %3)
// CHECK-NEXT:   call void @llvm.nvvm.mbarrier.arrive.expect.tx.scope.cluster.space.cluster(ptr addrspace(7) %2, i32 %3)
// CHECK-NEXT:   %14 = addrspacecast ptr %0 to ptr addrspace(3)
// CHECK-NEXT:   %15 = call i64 @llvm.nvvm.mbarrier.arrive.drop.scope.cta.space.cta(ptr addrspace(3) %14, i32 1)
// CHECK-NEXT:   %16 = call i64 @llvm.nvvm.mbarrier.arrive.drop.relaxed.scope.cta.space.cta(ptr addrspace(3) %1, i32 %3)
// CHECK-NEXT:   call void @llvm.nvvm.mbarrier.arrive.drop.scope.cluster.space.cluster(ptr addrspace(7) %2, i32 %3)
// CHECK-NEXT:   %17 = call i64 @llvm.nvvm.mbarrier.arrive.drop.noComplete(ptr %0, i32 %3)
// CHECK-NEXT:   %18 = call i64 @llvm.nvvm.mbarrier.arrive.drop.noComplete.shared(ptr addrspace(3) %1, i32 %3)
// CHECK-NEXT:   %19 = call i64 @llvm.nvvm.mbarrier.arrive.drop.expect.tx.scope.cta.space.cta(ptr addrspace(3) %1, i32 %3)
// CHECK-NEXT:   call void @llvm.nvvm.mbarrier.arrive.drop.expect.tx.relaxed.scope.cta.space.cluster(ptr addrspace(7) %2, i32 %3)
// CHECK-NEXT:   call void @llvm.nvvm.cp.async.mbarrier.arrive(ptr %0)
// CHECK-NEXT:   call void @llvm.nvvm.cp.async.mbarrier.arrive.noinc.shared(ptr addrspace(3) %1)
// CHECK-NEXT:   ret void
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @arrive(%p: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %count: i32, %predicate: i1) {
  %0 = nvvm.mbarrier.arrive %p : !llvm.ptr -> i64
  %1 = nvvm.mbarrier.arrive %s, %count : !llvm.ptr<3> -> i64
  %2 = nvvm.mbarrier.arrive %s, %count {relaxed = true, scope = #nvvm.mem_scope<cluster>} : !llvm.ptr<3> -> i64
  nvvm.mbarrier.arrive %c : !llvm.ptr<7>
  %3 = nvvm.mbarrier.arrive.nocomplete %p, %count : !llvm.ptr, i32 -> i64
  %4 = nvvm.mbarrier.arrive.nocomplete %s, %count : !llvm.ptr<3>, i32 -> i64
  %5 = nvvm.mbarrier.arrive.expect_tx %s, %count : !llvm.ptr<3>, i32 -> i64
  %6 = nvvm.mbarrier.arrive.expect_tx %s, %count {relaxed = true} : !llvm.ptr<3>, i32 -> i64
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

// CHECK-NEXT: define void @transactions(ptr addrspace(3) %0, ptr addrspace(7) %1, i32 %2) {
// CHECK-NEXT:   call void @llvm.nvvm.mbarrier.expect.tx.scope.cta.space.cta(ptr addrspace(3) %0, i32 %2)
// CHECK-NEXT:   call void @llvm.nvvm.mbarrier.expect.tx.scope.cluster.space.cluster(ptr addrspace(7) %1, i32 %2)
// CHECK-NEXT:   call void @llvm.nvvm.mbarrier.complete.tx.scope.cta.space.cta(ptr addrspace(3) %0, i32 %2)
// CHECK-NEXT:   call void @llvm.nvvm.mbarrier.complete.tx.scope.cluster.space.cluster(ptr addrspace(7) %1, i32 %2)
// CHECK-NEXT:   ret void
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @transactions(%s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %count: i32) {
  nvvm.mbarrier.expect_tx %s, %count : !llvm.ptr<3>, i32
  nvvm.mbarrier.expect_tx %c, %count {scope = #nvvm.mem_scope<cluster>} : !llvm.ptr<7>, i32
  nvvm.mbarrier.complete_tx %s, %count : !llvm.ptr<3>, i32
  nvvm.mbarrier.complete_tx %c, %count {scope = #nvvm.mem_scope<cluster>} : !llvm.ptr<7>, i32
  llvm.return
}

// CHECK-NEXT: define void @wait(ptr %0, ptr addrspace(3) %1, i64 %2, i32 %3, i32 %4) {
// CHECK-NEXT:   %6 = addrspacecast ptr %0 to ptr addrspace(3)
// CHECK-NEXT:   %7 = call i1 @llvm.nvvm.mbarrier.test.wait.scope.cta.space.cta(ptr addrspace(3) %6, i64 %2)
// CHECK-NEXT:   %8 = call i1 @llvm.nvvm.mbarrier.test.wait.parity.relaxed.scope.cluster.space.cta(ptr addrspace(3) %1, i32 %3)
// CHECK-NEXT:   %9 = addrspacecast ptr %0 to ptr addrspace(3)
// CHECK-NEXT:   %10 = call i1 @llvm.nvvm.mbarrier.try.wait.scope.cta.space.cta(ptr addrspace(3) %9, i64 %2)
// CHECK-NEXT:   %11 = call i1 @llvm.nvvm.mbarrier.try.wait.parity.tl.scope.cta.space.cta(ptr addrspace(3) %1, i32 %3, i32 %4)
// CHECK-NEXT:   %12 = call i1 @llvm.nvvm.mbarrier.try.wait.parity.tl.relaxed.scope.cluster.space.cta(ptr addrspace(3) %1, i32 %3, i32 %4)
// CHECK-NEXT:   ret void
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @wait(%p: !llvm.ptr, %s: !llvm.ptr<3>, %state: i64, %phase: i32, %ticks: i32) {
  %0 = nvvm.mbarrier.test.wait %p, %state : !llvm.ptr, i64 -> i1
  %1 = nvvm.mbarrier.test.wait %s, %phase {relaxed = true, scope = #nvvm.mem_scope<cluster>} : !llvm.ptr<3>, i32 -> i1
  %2 = nvvm.mbarrier.try_wait %p, %state : !llvm.ptr, i64 -> i1
  %3 = nvvm.mbarrier.try_wait %s, %phase, %ticks : !llvm.ptr<3>, i32, i32 -> i1
  %4 = nvvm.mbarrier.try_wait %s, %phase, %ticks {relaxed = true, scope = #nvvm.mem_scope<cluster>} : !llvm.ptr<3>, i32, i32 -> i1
  llvm.return
}

// CHECK-NEXT: define i1 @of_a_constant_address(i32 %0, i64 %1) {
// CHECK-NEXT:   %3 = call i64 @llvm.nvvm.mbarrier.arrive.shared(ptr addrspace(3) addrspacecast (ptr null to ptr addrspace(3)))
// CHECK-NEXT:   %4 = call i64 @llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta(ptr addrspace(3) addrspacecast (ptr null to ptr addrspace(3)), i32 %0)
// CHECK-NEXT:   %5 = call i1 @llvm.nvvm.mbarrier.test.wait.scope.cta.space.cta(ptr addrspace(3) addrspacecast (ptr null to ptr addrspace(3)), i64 %3)
// CHECK-NEXT:   ret i1 %5
// CHECK-NEXT: }
llvm.func @of_a_constant_address(%count: i32, %state: i64) -> i1 {
  %p = llvm.mlir.zero : !llvm.ptr
  %0 = nvvm.mbarrier.arrive %p : !llvm.ptr -> i64
  %1 = nvvm.mbarrier.arrive.expect_tx %p, %count : !llvm.ptr, i32 -> i64
  %2 = nvvm.mbarrier.test.wait %p, %0 : !llvm.ptr, i64 -> i1
  llvm.return %2 : i1
}

// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nounwind
// CHECK-NEXT: declare void @llvm.nvvm.mbarrier.init(ptr, i32) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nounwind memory(argmem: write)
// CHECK-NEXT: declare void @llvm.nvvm.mbarrier.inval(ptr writeonly captures(none)) #1
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nounwind memory(argmem: write)
// CHECK-NEXT: declare void @llvm.nvvm.mbarrier.inval.shared(ptr addrspace(3) writeonly captures(none)) #1
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nounwind
// CHECK-NEXT: declare i64 @llvm.nvvm.mbarrier.arrive.shared(ptr addrspace(3)) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nounwind
// CHECK-NEXT: declare i64 @llvm.nvvm.mbarrier.arrive.scope.cta.space.cta(ptr addrspace(3), i32) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nounwind memory(argmem: readwrite)
// CHECK-NEXT: declare i64 @llvm.nvvm.mbarrier.arrive.relaxed.scope.cluster.space.cta(ptr addrspace(3), i32) #2
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nounwind
// CHECK-NEXT: declare void @llvm.nvvm.mbarrier.arrive.scope.cta.space.cluster(ptr addrspace(7), i32) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nounwind
// CHECK-NEXT: declare i64 @llvm.nvvm.mbarrier.arrive.noComplete(ptr, i32) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nounwind
// CHECK-NEXT: declare i64 @llvm.nvvm.mbarrier.arrive.noComplete.shared(ptr addrspace(3), i32) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nounwind
// CHECK-NEXT: declare i64 @llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta(ptr addrspace(3), i32) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nounwind memory(argmem: readwrite)
// CHECK-NEXT: declare i64 @llvm.nvvm.mbarrier.arrive.expect.tx.relaxed.scope.cta.space.cta(ptr addrspace(3), i32) #2
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nounwind
// CHECK-NEXT: declare void @llvm.nvvm.mbarrier.arrive.expect.tx.scope.cluster.space.cluster(ptr addrspace(7), i32) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nounwind
// CHECK-NEXT: declare i64 @llvm.nvvm.mbarrier.arrive.drop.scope.cta.space.cta(ptr addrspace(3), i32) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nounwind memory(argmem: readwrite)
// CHECK-NEXT: declare i64 @llvm.nvvm.mbarrier.arrive.drop.relaxed.scope.cta.space.cta(ptr addrspace(3), i32) #2
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nounwind
// CHECK-NEXT: declare void @llvm.nvvm.mbarrier.arrive.drop.scope.cluster.space.cluster(ptr addrspace(7), i32) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nounwind
// CHECK-NEXT: declare i64 @llvm.nvvm.mbarrier.arrive.drop.noComplete(ptr, i32) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nounwind
// CHECK-NEXT: declare i64 @llvm.nvvm.mbarrier.arrive.drop.noComplete.shared(ptr addrspace(3), i32) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nounwind
// CHECK-NEXT: declare i64 @llvm.nvvm.mbarrier.arrive.drop.expect.tx.scope.cta.space.cta(ptr addrspace(3), i32) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nounwind memory(argmem: readwrite)
// CHECK-NEXT: declare void @llvm.nvvm.mbarrier.arrive.drop.expect.tx.relaxed.scope.cta.space.cluster(ptr addrspace(7), i32) #2
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nounwind
// CHECK-NEXT: declare void @llvm.nvvm.cp.async.mbarrier.arrive(ptr) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nounwind
// CHECK-NEXT: declare void @llvm.nvvm.cp.async.mbarrier.arrive.noinc.shared(ptr addrspace(3)) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nounwind memory(argmem: readwrite)
// CHECK-NEXT: declare void @llvm.nvvm.mbarrier.expect.tx.scope.cta.space.cta(ptr addrspace(3), i32) #2
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nounwind memory(argmem: readwrite)
// CHECK-NEXT: declare void @llvm.nvvm.mbarrier.expect.tx.scope.cluster.space.cluster(ptr addrspace(7), i32) #2
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nounwind memory(argmem: readwrite)
// CHECK-NEXT: declare void @llvm.nvvm.mbarrier.complete.tx.scope.cta.space.cta(ptr addrspace(3), i32) #2
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nounwind memory(argmem: readwrite)
// CHECK-NEXT: declare void @llvm.nvvm.mbarrier.complete.tx.scope.cluster.space.cluster(ptr addrspace(7), i32) #2
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nounwind
// CHECK-NEXT: declare i1 @llvm.nvvm.mbarrier.test.wait.scope.cta.space.cta(ptr addrspace(3) captures(none), i64) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nounwind memory(argmem: read)
// CHECK-NEXT: declare i1 @llvm.nvvm.mbarrier.test.wait.parity.relaxed.scope.cluster.space.cta(ptr addrspace(3) captures(none), i32) #3
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nounwind
// CHECK-NEXT: declare i1 @llvm.nvvm.mbarrier.try.wait.scope.cta.space.cta(ptr addrspace(3) captures(none), i64) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nounwind
// CHECK-NEXT: declare i1 @llvm.nvvm.mbarrier.try.wait.parity.tl.scope.cta.space.cta(ptr addrspace(3) captures(none), i32, i32) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nounwind memory(argmem: read)
// CHECK-NEXT: declare i1 @llvm.nvvm.mbarrier.try.wait.parity.tl.relaxed.scope.cluster.space.cta(ptr addrspace(3) captures(none), i32, i32) #3
// CHECK-EMPTY:
// CHECK-NEXT: attributes #0 = { convergent nocallback nounwind }
// CHECK-NEXT: attributes #1 = { convergent nocallback nounwind memory(argmem: write) }
// CHECK-NEXT: attributes #2 = { convergent nocallback nounwind memory(argmem: readwrite) }
// CHECK-NEXT: attributes #3 = { convergent nocallback nounwind memory(argmem: read) }
// CHECK-EMPTY:
// CHECK-NEXT: !llvm.module.flags = !{!0}
// CHECK-EMPTY:
// CHECK-NEXT: !0 = !{i32 2, !"Debug Info Version", i32 3}
