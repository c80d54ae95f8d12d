// RUN: xgpu-opt --allow-unregistered-dialect %s | filecheck %s
// RUN: xgpu-opt --allow-unregistered-dialect %s --mlir-print-op-generic | xgpu-opt --allow-unregistered-dialect | filecheck %s

"builtin.module"() ({
  "gpu.module"() <{sym_name = "kernels"}> ({
    "gpu.func"() <{function_type = (memref<?xf32>, memref<?xf32>, memref<?xf32>, index) -> ()}> ({
    ^bb0(%arg4: memref<?xf32>, %arg5: memref<?xf32>, %arg6: memref<?xf32>, %arg7: index):
      %29 = "gpu.block_id"() <{dimension = #gpu<dim x>}> : () -> index
      %30 = "gpu.block_dim"() <{dimension = #gpu<dim x>}> : () -> index
      %31 = "gpu.thread_id"() <{dimension = #gpu<dim x>}> : () -> index
      %32 = "arith.muli"(%29, %30) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %33 = "arith.addi"(%32, %31) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %34 = "arith.cmpi"(%33, %arg7) <{predicate = 6 : i64}> : (index, index) -> i1
      "scf.if"(%34) ({
        %35 = "memref.load"(%arg4, %33) : (memref<?xf32>, index) -> f32
        %36 = "memref.load"(%arg5, %33) : (memref<?xf32>, index) -> f32
        %37 = "arith.addf"(%35, %36) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
        "memref.store"(%37, %arg6, %33) : (f32, memref<?xf32>, index) -> ()
        "scf.yield"() : () -> ()
      }, {
      }) : (i1) -> ()
      "gpu.return"() : () -> ()
    }) {gpu.kernel, sym_name = "add", workgroup_attributions = 0 : i64} : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "arith.constant"() <{value = 0 : index}> : () -> index
    %1 = "arith.constant"() <{value = 1 : index}> : () -> index
    %2 = "arith.constant"() <{value = 256 : index}> : () -> index
    %3 = "arith.constant"() <{value = 100000 : index}> : () -> index
    %4 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
    %5 = "arith.constant"() <{value = 5.000000e-01 : f32}> : () -> f32
    %6 = "gpu.alloc"(%3) <{hostShared, operandSegmentSizes = array<i32: 0, 1, 0>}> : (index) -> memref<?xf32>
    %7 = "gpu.alloc"(%3) <{hostShared, operandSegmentSizes = array<i32: 0, 1, 0>}> : (index) -> memref<?xf32>
    %8 = "gpu.alloc"(%3) <{hostShared, operandSegmentSizes = array<i32: 0, 1, 0>}> : (index) -> memref<?xf32>
    "scf.for"(%0, %3, %1) ({
    ^bb0(%arg3: index):
      %26 = "arith.index_cast"(%arg3) : (index) -> i32
      %27 = "arith.sitofp"(%26) : (i32) -> f32
      %28 = "arith.mulf"(%27, %5) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "memref.store"(%27, %6, %arg3) : (f32, memref<?xf32>, index) -> ()
      "memref.store"(%28, %7, %arg3) : (f32, memref<?xf32>, index) -> ()
      "scf.yield"() : () -> ()
    }) : (index, index, index) -> ()
    %9 = "arith.ceildivui"(%3, %2) : (index, index) -> index
    %10 = "gpu.wait"() : () -> !gpu.async.token
    %11 = "gpu.launch_func"(%10, %9, %1, %1, %2, %1, %1, %6, %7, %8, %3) <{kernel = @kernels::@add, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 4, 0>}> : (!gpu.async.token, index, index, index, index, index, index, memref<?xf32>, memref<?xf32>, memref<?xf32>, index) -> !gpu.async.token
    "gpu.wait"(%11) : (!gpu.async.token) -> ()
    %12:2 = "scf.for"(%0, %3, %1, %4, %4) ({
    ^bb0(%arg0: index, %arg1: f32, %arg2: f32):
      %17 = "memref.load"(%6, %arg0) : (memref<?xf32>, index) -> f32
      %18 = "memref.load"(%7, %arg0) : (memref<?xf32>, index) -> f32
      %19 = "memref.load"(%8, %arg0) : (memref<?xf32>, index) -> f32
      %20 = "arith.addf"(%17, %18) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %21 = "arith.subf"(%19, %20) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %22 = "arith.negf"(%21) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
      %23 = "arith.maximumf"(%21, %22) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %24 = "arith.maximumf"(%arg2, %23) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %25 = "arith.addf"(%arg1, %19) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "scf.yield"(%25, %24) : (f32, f32) -> ()
    }) : (index, index, index, f32, f32) -> (f32, f32)
    "func.call"(%12#0) <{callee = @printF32}> : (f32) -> ()
    "func.call"() <{callee = @printNewline}> : () -> ()
    "func.call"(%12#1) <{callee = @printF32}> : (f32) -> ()
    "func.call"() <{callee = @printNewline}> : () -> ()
    %13 = "gpu.wait"() : () -> !gpu.async.token
    %14 = "gpu.dealloc"(%13, %6) : (!gpu.async.token, memref<?xf32>) -> !gpu.async.token
    %15 = "gpu.dealloc"(%14, %7) : (!gpu.async.token, memref<?xf32>) -> !gpu.async.token
    %16 = "gpu.dealloc"(%15, %8) : (!gpu.async.token, memref<?xf32>) -> !gpu.async.token
    "gpu.wait"(%16) : (!gpu.async.token) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = (f32) -> (), sym_name = "printF32", sym_visibility = "private"}> ({
  }) : () -> ()
  "func.func"() <{function_type = () -> (), sym_name = "printNewline", sym_visibility = "private"}> ({
  }) : () -> ()
}) {gpu.container_module} : () -> ()

// CHECK: module attributes {gpu.container_module} {
// CHECK-NEXT:   gpu.module @kernels {
// CHECK-NEXT:     gpu.func @add(%arg0: memref<?xf32>, %arg1: memref<?xf32>, %arg2: memref<?xf32>, %arg3: index) kernel {
// CHECK-NEXT:       %block_id_x = gpu.block_id  x
// CHECK-NEXT:       %block_dim_x = gpu.block_dim  x
// CHECK-NEXT:       %thread_id_x = gpu.thread_id  x
// CHECK-NEXT:       %0 = arith.muli %block_id_x, %block_dim_x : index
// CHECK-NEXT:       %1 = arith.addi %0, %thread_id_x : index
// CHECK-NEXT:       %2 = arith.cmpi ult, %1, %arg3 : index
// CHECK-NEXT:       scf.if %2 {
// CHECK-NEXT:         %3 = memref.load %arg0[%1] : memref<?xf32>
// CHECK-NEXT:         %4 = memref.load %arg1[%1] : memref<?xf32>
// CHECK-NEXT:         %5 = arith.addf %3, %4 : f32
// CHECK-NEXT:         memref.store %5, %arg2[%1] : memref<?xf32>
// CHECK-NEXT:       }
// CHECK-NEXT:       gpu.return
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @main() {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c256 = arith.constant 256 : index
// CHECK-NEXT:     %c100000 = arith.constant 100000 : index
// CHECK-NEXT:     %cst = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %cst_0 = arith.constant 5.000000e-01 : f32
// CHECK-NEXT:     %memref = gpu.alloc  host_shared (%c100000) : memref<?xf32>
// CHECK-NEXT:     %memref_1 = gpu.alloc  host_shared (%c100000) : memref<?xf32>
// CHECK-NEXT:     %memref_2 = gpu.alloc  host_shared (%c100000) : memref<?xf32>
// CHECK-NEXT:     scf.for %arg0 = %c0 to %c100000 step %c1 {
// CHECK-NEXT:       %8 = arith.index_cast %arg0 : index to i32
// CHECK-NEXT:       %9 = arith.sitofp %8 : i32 to f32
// CHECK-NEXT:       %10 = arith.mulf %9, %cst_0 : f32
// CHECK-NEXT:       memref.store %9, %memref[%arg0] : memref<?xf32>
// CHECK-NEXT:       memref.store %10, %memref_1[%arg0] : memref<?xf32>
// CHECK-NEXT:     }
// CHECK-NEXT:     %0 = arith.ceildivui %c100000, %c256 : index
// CHECK-NEXT:     %1 = gpu.wait async
// CHECK-NEXT:     %2 = gpu.launch_func async [%1] @kernels::@add blocks in (%0, %c1, %c1) threads in (%c256, %c1, %c1)  args(%memref : memref<?xf32>, %memref_1 : memref<?xf32>, %memref_2 : memref<?xf32>, %c100000 : index)
// CHECK-NEXT:     gpu.wait [%2]
// CHECK-NEXT:     %3:2 = scf.for %arg0 = %c0 to %c100000 step %c1 iter_args(%arg1 = %cst, %arg2 = %cst) -> (f32, f32) {
// CHECK-NEXT:       %8 = memref.load %memref[%arg0] : memref<?xf32>
// CHECK-NEXT:       %9 = memref.load %memref_1[%arg0] : memref<?xf32>
// CHECK-NEXT:       %10 = memref.load %memref_2[%arg0] : memref<?xf32>
// CHECK-NEXT:       %11 = arith.addf %8, %9 : f32
// CHECK-NEXT:       %12 = arith.subf %10, %11 : f32
// CHECK-NEXT:       %13 = arith.negf %12 : f32
// CHECK-NEXT:       %14 = arith.maximumf %12, %13 : f32
// CHECK-NEXT:       %15 = arith.maximumf %arg2, %14 : f32
// CHECK-NEXT:       %16 = arith.addf %arg1, %10 : f32
// CHECK-NEXT:       scf.yield %16, %15 : f32, f32
// CHECK-NEXT:     }
// CHECK-NEXT:     call @printF32(%3#0) : (f32) -> ()
// CHECK-NEXT:     call @printNewline() : () -> ()
// CHECK-NEXT:     call @printF32(%3#1) : (f32) -> ()
// CHECK-NEXT:     call @printNewline() : () -> ()
// CHECK-NEXT:     %4 = gpu.wait async
// CHECK-NEXT:     %5 = gpu.dealloc async [%4] %memref : memref<?xf32>
// CHECK-NEXT:     %6 = gpu.dealloc async [%5] %memref_1 : memref<?xf32>
// CHECK-NEXT:     %7 = gpu.dealloc async [%6] %memref_2 : memref<?xf32>
// CHECK-NEXT:     gpu.wait [%7]
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func private @printF32(f32)
// CHECK-NEXT:   func.func private @printNewline()
// CHECK-NEXT: }
