// RUN: xgpu-opt %s | filecheck %s
// RUN: xgpu-translate --mlir-to-llvmir %s | filecheck %s --check-prefix=IR

// A pointer of a memory space that LLVM numbers is a type of the llvm dialect.
// CHECK-LABEL: llvm.func @pointers
// CHECK-SAME: %{{.*}}: !ptr.ptr<#llvm.address_space<1>>
// CHECK-SAME: %{{.*}}: !llvm.struct<(!ptr.ptr<#nvvm.memory_space<shared>>)>
// CHECK: llvm.load %{{.*}} : !llvm.ptr -> !ptr.ptr<#llvm.address_space<4>>
// IR: define void @pointers(ptr addrspace(1) %0, { ptr addrspace(3) } %1, ptr %2)
// IR: load ptr addrspace(4), ptr %2
llvm.func @pointers(%a: !ptr.ptr<#llvm.address_space<1>>,
                    %b: !llvm.struct<(!ptr.ptr<#nvvm.memory_space<shared>>)>, %p: !llvm.ptr) {
  %0 = llvm.load %p : !llvm.ptr -> !ptr.ptr<#llvm.address_space<4>>
  llvm.return
}
