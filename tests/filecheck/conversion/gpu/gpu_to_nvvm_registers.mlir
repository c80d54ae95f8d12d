// RUN: xgpu-opt %s --convert-gpu-to-nvvm | filecheck %s

// Each id and each size reads a register of its own.

// CHECK: module {
// CHECK-NEXT:   gpu.module @kernels {
// CHECK-NEXT:     llvm.func private @use(%arg0: i64, %arg1: i64, %arg2: i64) attributes {llvm.emit_c_interface, sym_visibility = "private"} {
// CHECK-NEXT:       llvm.call @_mlir_ciface_use(%arg0, %arg1, %arg2) : (i64, i64, i64) -> ()
// CHECK-NEXT:       llvm.return
// CHECK-NEXT:     }
// CHECK-NEXT:     llvm.func @_mlir_ciface_use(i64, i64, i64) attributes {llvm.emit_c_interface, sym_visibility = "private"}
// CHECK-NEXT:     llvm.func @registers() attributes {gpu.kernel, nvvm.kernel} {
// CHECK-NEXT:       %0 = nvvm.read.ptx.sreg.tid.x : i32
// CHECK-NEXT:       %1 = llvm.sext %0 : i32 to i64
// CHECK-NEXT:       %2 = nvvm.read.ptx.sreg.tid.y : i32
// CHECK-NEXT:       %3 = llvm.sext %2 : i32 to i64
// CHECK-NEXT:       %4 = nvvm.read.ptx.sreg.tid.z : i32
// CHECK-NEXT:       %5 = llvm.sext %4 : i32 to i64
// CHECK-NEXT:       llvm.call @use(%1, %3, %5) : (i64, i64, i64) -> ()
// CHECK-NEXT:       %6 = nvvm.read.ptx.sreg.ctaid.x : i32
// CHECK-NEXT:       %7 = llvm.sext %6 : i32 to i64
// CHECK-NEXT:       %8 = nvvm.read.ptx.sreg.ctaid.y : i32
// CHECK-NEXT:       %9 = llvm.sext %8 : i32 to i64
// CHECK-NEXT:       %10 = nvvm.read.ptx.sreg.ctaid.z : i32
// CHECK-NEXT:       %11 = llvm.sext %10 : i32 to i64
// CHECK-NEXT:       llvm.call @use(%7, %9, %11) : (i64, i64, i64) -> ()
// CHECK-NEXT:       %12 = nvvm.read.ptx.sreg.ntid.x : i32
// CHECK-NEXT:       %13 = llvm.sext %12 : i32 to i64
// CHECK-NEXT:       %14 = nvvm.read.ptx.sreg.ntid.y : i32
// CHECK-NEXT:       %15 = llvm.sext %14 : i32 to i64
// CHECK-NEXT:       %16 = nvvm.read.ptx.sreg.ntid.z : i32
// CHECK-NEXT:       %17 = llvm.sext %16 : i32 to i64
// CHECK-NEXT:       llvm.call @use(%13, %15, %17) : (i64, i64, i64) -> ()
// CHECK-NEXT:       %18 = nvvm.read.ptx.sreg.nctaid.x : i32
// CHECK-NEXT:       %19 = llvm.sext %18 : i32 to i64
// CHECK-NEXT:       %20 = nvvm.read.ptx.sreg.nctaid.y : i32
// CHECK-NEXT:       %21 = llvm.sext %20 : i32 to i64
// CHECK-NEXT:       %22 = nvvm.read.ptx.sreg.nctaid.z : i32
// CHECK-NEXT:       %23 = llvm.sext %22 : i32 to i64
// CHECK-NEXT:       llvm.call @use(%19, %21, %23) : (i64, i64, i64) -> ()
// CHECK-NEXT:       %24 = nvvm.read.ptx.sreg.clusterid.x : i32
// CHECK-NEXT:       %25 = llvm.sext %24 : i32 to i64
// CHECK-NEXT:       %26 = nvvm.read.ptx.sreg.clusterid.y : i32
// CHECK-NEXT:       %27 = llvm.sext %26 : i32 to i64
// CHECK-NEXT:       %28 = nvvm.read.ptx.sreg.clusterid.z : i32
// CHECK-NEXT:       %29 = llvm.sext %28 : i32 to i64
// CHECK-NEXT:       llvm.call @use(%25, %27, %29) : (i64, i64, i64) -> ()
// CHECK-NEXT:       %30 = nvvm.read.ptx.sreg.nclusterid.x : i32
// CHECK-NEXT:       %31 = llvm.sext %30 : i32 to i64
// CHECK-NEXT:       %32 = nvvm.read.ptx.sreg.nclusterid.y : i32
// CHECK-NEXT:       %33 = llvm.sext %32 : i32 to i64
// CHECK-NEXT:       %34 = nvvm.read.ptx.sreg.nclusterid.z : i32
// CHECK-NEXT:       %35 = llvm.sext %34 : i32 to i64
// CHECK-NEXT:       llvm.call @use(%31, %33, %35) : (i64, i64, i64) -> ()
// CHECK-NEXT:       %36 = nvvm.read.ptx.sreg.cluster.ctaid.x : i32
// CHECK-NEXT:       %37 = llvm.sext %36 : i32 to i64
// CHECK-NEXT:       %38 = nvvm.read.ptx.sreg.cluster.ctaid.y : i32
// CHECK-NEXT:       %39 = llvm.sext %38 : i32 to i64
// CHECK-NEXT:       %40 = nvvm.read.ptx.sreg.cluster.ctaid.z : i32
// CHECK-NEXT:       %41 = llvm.sext %40 : i32 to i64
// CHECK-NEXT:       llvm.call @use(%37, %39, %41) : (i64, i64, i64) -> ()
// CHECK-NEXT:       %42 = nvvm.read.ptx.sreg.cluster.nctaid.x : i32
// CHECK-NEXT:       %43 = llvm.sext %42 : i32 to i64
// CHECK-NEXT:       %44 = nvvm.read.ptx.sreg.cluster.nctaid.y : i32
// CHECK-NEXT:       %45 = llvm.sext %44 : i32 to i64
// CHECK-NEXT:       %46 = nvvm.read.ptx.sreg.cluster.nctaid.z : i32
// CHECK-NEXT:       %47 = llvm.sext %46 : i32 to i64
// CHECK-NEXT:       llvm.call @use(%43, %45, %47) : (i64, i64, i64) -> ()
// CHECK-NEXT:       %48 = nvvm.read.ptx.sreg.laneid range <i32, 0, 32> : i32
// CHECK-NEXT:       %49 = llvm.sext %48 : i32 to i64
// CHECK-NEXT:       llvm.call @use(%49, %49, %49) : (i64, i64, i64) -> ()
// CHECK-NEXT:       llvm.return
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
gpu.module @kernels {
  func.func private @use(index, index, index)
  gpu.func @registers() kernel {
    %thread_id_x = gpu.thread_id x
    %thread_id_y = gpu.thread_id y
    %thread_id_z = gpu.thread_id z
    func.call @use(%thread_id_x, %thread_id_y, %thread_id_z) : (index, index, index) -> ()
    %block_id_x = gpu.block_id x
    %block_id_y = gpu.block_id y
    %block_id_z = gpu.block_id z
    func.call @use(%block_id_x, %block_id_y, %block_id_z) : (index, index, index) -> ()
    %block_dim_x = gpu.block_dim x
    %block_dim_y = gpu.block_dim y
    %block_dim_z = gpu.block_dim z
    func.call @use(%block_dim_x, %block_dim_y, %block_dim_z) : (index, index, index) -> ()
    %grid_dim_x = gpu.grid_dim x
    %grid_dim_y = gpu.grid_dim y
    %grid_dim_z = gpu.grid_dim z
    func.call @use(%grid_dim_x, %grid_dim_y, %grid_dim_z) : (index, index, index) -> ()
    %cluster_id_x = gpu.cluster_id x
    %cluster_id_y = gpu.cluster_id y
    %cluster_id_z = gpu.cluster_id z
    func.call @use(%cluster_id_x, %cluster_id_y, %cluster_id_z) : (index, index, index) -> ()
    %cluster_dim_x = gpu.cluster_dim x
    %cluster_dim_y = gpu.cluster_dim y
    %cluster_dim_z = gpu.cluster_dim z
    func.call @use(%cluster_dim_x, %cluster_dim_y, %cluster_dim_z) : (index, index, index) -> ()
    %cluster_block_id_x = gpu.cluster_block_id x
    %cluster_block_id_y = gpu.cluster_block_id y
    %cluster_block_id_z = gpu.cluster_block_id z
    func.call @use(%cluster_block_id_x, %cluster_block_id_y, %cluster_block_id_z) : (index, index, index) -> ()
    %cluster_dim_blocks_x = gpu.cluster_dim_blocks x
    %cluster_dim_blocks_y = gpu.cluster_dim_blocks y
    %cluster_dim_blocks_z = gpu.cluster_dim_blocks z
    func.call @use(%cluster_dim_blocks_x, %cluster_dim_blocks_y, %cluster_dim_blocks_z) : (index, index, index) -> ()
    %lane = gpu.lane_id
    func.call @use(%lane, %lane, %lane) : (index, index, index) -> ()
    gpu.return
  }
}
