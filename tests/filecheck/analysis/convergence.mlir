// A gpu.all_reduce that does not say `uniform` is lowered where all threads of a block come.
// RUN: xgpu-opt %s --pass-pipeline="builtin.module(gpu.module(convert-gpu-to-nvvm))" | filecheck %s

gpu.module @reached {
  // CHECK-LABEL: llvm.func @body
  // CHECK: nvvm.barrier
  gpu.func @body(%m: memref<64xi32>) kernel {
    %t = gpu.thread_id x
    %v = memref.load %m[%t] : memref<64xi32>
    %r = gpu.all_reduce add %v {} : (i32) -> i32
    memref.store %r, %m[%t] : memref<64xi32>
    gpu.return
  }

  // CHECK-LABEL: llvm.func @under_argument
  // CHECK: nvvm.barrier
  gpu.func @under_argument(%m: memref<64xi32>, %c: i1) kernel {
    %t = gpu.thread_id x
    cf.cond_br %c, ^then, ^end
  ^then:
    %v = memref.load %m[%t] : memref<64xi32>
    %r = gpu.all_reduce add %v {} : (i32) -> i32
    memref.store %r, %m[%t] : memref<64xi32>
    cf.br ^end
  ^end:
    gpu.return
  }

  // CHECK-LABEL: llvm.func @under_block_id_and_load
  // CHECK: nvvm.barrier
  gpu.func @under_block_id_and_load(%m: memref<64xi32>) kernel {
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %n = memref.load %m[%b] : memref<64xi32>
    %zero = arith.constant 0 : i32
    %c = arith.cmpi sgt, %n, %zero : i32
    cf.cond_br %c, ^then, ^end
  ^then:
    %r = gpu.all_reduce add %n {} : (i32) -> i32
    memref.store %r, %m[%t] : memref<64xi32>
    cf.br ^end
  ^end:
    gpu.return
  }

  // CHECK-LABEL: llvm.func @behind_a_divergent_condition
  // CHECK: nvvm.barrier
  gpu.func @behind_a_divergent_condition(%m: memref<64xi32>) kernel {
    %t = gpu.thread_id x
    %zero = arith.constant 0 : index
    %c = arith.cmpi eq, %t, %zero : index
    %v = memref.load %m[%t] : memref<64xi32>
    cf.cond_br %c, ^then, ^end
  ^then:
    memref.store %v, %m[%t] : memref<64xi32>
    cf.br ^end
  ^end:
    %r = gpu.all_reduce add %v {} : (i32) -> i32
    memref.store %r, %m[%t] : memref<64xi32>
    gpu.return
  }

  // CHECK-LABEL: llvm.func @behind_a_divergent_loop
  // CHECK: nvvm.barrier
  gpu.func @behind_a_divergent_loop(%m: memref<64xi32>) kernel {
    %t = gpu.thread_id x
    %one = arith.constant 1 : index
    %zero = arith.constant 0 : index
    cf.br ^head(%zero : index)
  ^head(%i: index):
    %c = arith.cmpi slt, %i, %t : index
    cf.cond_br %c, ^body, ^end
  ^body:
    %next = arith.addi %i, %one : index
    cf.br ^head(%next : index)
  ^end:
    %v = memref.load %m[%t] : memref<64xi32>
    %r = gpu.all_reduce add %v {} : (i32) -> i32
    memref.store %r, %m[%t] : memref<64xi32>
    gpu.return
  }

  // CHECK-LABEL: llvm.func @in_a_loop
  // CHECK: nvvm.barrier
  gpu.func @in_a_loop(%m: memref<64xi32>, %n: index) kernel {
    %t = gpu.thread_id x
    %one = arith.constant 1 : index
    %zero = arith.constant 0 : index
    %first = memref.load %m[%t] : memref<64xi32>
    cf.br ^head(%zero, %first : index, i32)
  ^head(%i: index, %v: i32):
    %c = arith.cmpi slt, %i, %n : index
    cf.cond_br %c, ^body, ^end
  ^body:
    %next = arith.addi %i, %one : index
    %r = gpu.all_reduce add %v {} : (i32) -> i32
    cf.br ^head(%next, %r : index, i32)
  ^end:
    memref.store %v, %m[%t] : memref<64xi32>
    gpu.return
  }

  // The first reduction's result is the same for all threads, and so is a condition on it.
  // CHECK-LABEL: llvm.func @under_a_reduction
  // CHECK: nvvm.barrier
  gpu.func @under_a_reduction(%m: memref<64xi32>) kernel {
    %t = gpu.thread_id x
    %v = memref.load %m[%t] : memref<64xi32>
    %s = gpu.all_reduce add %v {} : (i32) -> i32
    %zero = arith.constant 0 : i32
    %c = arith.cmpi sgt, %s, %zero : i32
    cf.cond_br %c, ^then, ^end
  ^then:
    %r = gpu.all_reduce maxsi %v {} : (i32) -> i32
    memref.store %r, %m[%t] : memref<64xi32>
    cf.br ^end
  ^end:
    gpu.return
  }
}
