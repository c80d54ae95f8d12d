// RUN: xgpu-opt --pass-pipeline='builtin.module(gpu.module(gpu-define-device-runtime))' %s | filecheck %s

// CHECK: module {
// CHECK-NEXT:   gpu.module @kernels {
// CHECK-NEXT:     func.func private @cudaCGGetIntrinsicHandle(%arg0: i32) -> i64 {
// CHECK-NEXT:       %c32_i64 = arith.constant 32 : i64
// CHECK-NEXT:       %0 = nvvm.read.ptx.sreg.envreg1 : i32
// CHECK-NEXT:       %1 = nvvm.read.ptx.sreg.envreg2 : i32
// CHECK-NEXT:       %2 = arith.extui %0 : i32 to i64
// CHECK-NEXT:       %3 = arith.extui %1 : i32 to i64
// CHECK-NEXT:       %4 = arith.shli %3, %c32_i64 : i64
// CHECK-NEXT:       %5 = arith.ori %4, %2 : i64
// CHECK-NEXT:       return %5 : i64
// CHECK-NEXT:     }
// CHECK-NEXT:     llvm.mlir.global internal @__xgpu_grid_barrier(0 : i32) {addr_space = 1 : i32, alignment = 4 : i64} : i32
// CHECK-NEXT:     func.func private @cudaCGSynchronize(%arg0: i64, %arg1: i32) -> i32 {
// CHECK-NEXT:       %c0_i32 = arith.constant 0 : i32
// CHECK-NEXT:       %c1_i32 = arith.constant 1 : i32
// CHECK-NEXT:       %c-2147483648_i32 = arith.constant -2147483648 : i32
// CHECK-NEXT:       %c0 = arith.constant 0 : index
// CHECK-NEXT:       gpu.barrier
// CHECK-NEXT:       %thread_id_x = gpu.thread_id  x
// CHECK-NEXT:       %thread_id_y = gpu.thread_id  y
// CHECK-NEXT:       %thread_id_z = gpu.thread_id  z
// CHECK-NEXT:       %0 = arith.ori %thread_id_x, %thread_id_y : index
// CHECK-NEXT:       %1 = arith.ori %0, %thread_id_z : index
// CHECK-NEXT:       %2 = arith.cmpi eq, %1, %c0 : index
// CHECK-NEXT:       scf.if %2 {
// CHECK-NEXT:         %grid_dim_x = gpu.grid_dim  x
// CHECK-NEXT:         %grid_dim_y = gpu.grid_dim  y
// CHECK-NEXT:         %grid_dim_z = gpu.grid_dim  z
// CHECK-NEXT:         %3 = arith.muli %grid_dim_x, %grid_dim_y : index
// CHECK-NEXT:         %4 = arith.muli %3, %grid_dim_z : index
// CHECK-NEXT:         %5 = arith.index_cast %4 : index to i32
// CHECK-NEXT:         %block_id_x = gpu.block_id  x
// CHECK-NEXT:         %block_id_y = gpu.block_id  y
// CHECK-NEXT:         %block_id_z = gpu.block_id  z
// CHECK-NEXT:         %6 = arith.ori %block_id_x, %block_id_y : index
// CHECK-NEXT:         %7 = arith.ori %6, %block_id_z : index
// CHECK-NEXT:         %8 = arith.cmpi eq, %7, %c0 : index
// CHECK-NEXT:         %9 = arith.subi %5, %c1_i32 : i32
// CHECK-NEXT:         %10 = arith.subi %c-2147483648_i32, %9 : i32
// CHECK-NEXT:         %11 = arith.select %8, %10, %c1_i32 : i32
// CHECK-NEXT:         %12 = llvm.mlir.addressof @__xgpu_grid_barrier : !llvm.ptr<1>
// CHECK-NEXT:         %13 = llvm.addrspacecast %12 : !llvm.ptr<1> to !llvm.ptr
// CHECK-NEXT:         %c0_i64 = arith.constant 0 : i64
// CHECK-NEXT:         %14 = arith.cmpi ne, %arg0, %c0_i64 : i64
// CHECK-NEXT:         %15 = llvm.inttoptr %arg0 : i64 to !llvm.ptr
// CHECK-NEXT:         %16 = llvm.getelementptr %15[4] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:         %17 = arith.select %14, %16, %13 : !llvm.ptr
// CHECK-NEXT:         llvm.fence syncscope("device") seq_cst
// CHECK-NEXT:         %18 = llvm.atomicrmw add %17, %11 syncscope("device") acq_rel : !llvm.ptr, i32
// CHECK-NEXT:         scf.while : () -> () {
// CHECK-NEXT:           %19 = llvm.load %17 atomic syncscope("device") acquire {alignment = 4 : i64} : !llvm.ptr -> i32
// CHECK-NEXT:           %20 = arith.xori %18, %19 : i32
// CHECK-NEXT:           %21 = arith.andi %20, %c-2147483648_i32 : i32
// CHECK-NEXT:           %22 = arith.cmpi eq, %21, %c0_i32 : i32
// CHECK-NEXT:           scf.condition(%22)
// CHECK-NEXT:         } do {
// CHECK-NEXT:           scf.yield
// CHECK-NEXT:         }
// CHECK-NEXT:         llvm.fence syncscope("device") seq_cst
// CHECK-NEXT:       }
// CHECK-NEXT:       gpu.barrier
// CHECK-NEXT:       return %c0_i32 : i32
// CHECK-NEXT:     }
// CHECK-NEXT:     func.func private @another(i64) -> i32
// CHECK-NEXT:   }
// CHECK-NEXT: }
gpu.module @kernels {
  func.func private @cudaCGGetIntrinsicHandle(i32) -> i64
  func.func private @cudaCGSynchronize(i64, i32) -> i32
  func.func private @another(i64) -> i32
}
