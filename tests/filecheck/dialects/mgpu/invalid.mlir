// RUN: xgpu-opt %s --split-input-file --verify-diagnostics

func.func @kernel_without_module() {
  // expected-error @+1 {{'mgpu.kernel' op expects a kernel in a module: @module::@kernel}}
  %0 = mgpu.kernel @k : !mgpu.function
  return
}

// -----

func.func @cluster_sizes(%s: !mgpu.stream, %f: !mgpu.function, %n: index, %c: i32) {
  // expected-error @+1 {{'mgpu.launch' op expects three cluster sizes of one type, or none}}
  "mgpu.launch"(%s, %f, %n, %n, %n, %n, %n, %n, %c) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0>}>
      : (!mgpu.stream, !mgpu.function, index, index, index, index, index, index, i32) -> ()
  return
}

// -----

func.func @sizes(%n: index) {
  // expected-error @+1 {{'mgpu.alloc' op expects 2 sizes, one a dynamic extent, and has 1}}
  %0 = mgpu.alloc (%n) : memref<?x?xf32>
  return
}

// -----

func.func @not_on_a_stream() {
  %comm = mpi.comm_world : !mpi.comm
  mgpu.communicate {
    // expected-error @+1 {{'mpi.barrier' op cannot be on a stream: 'mgpu.communicate' does not take it}}
    mpi.barrier(%comm)
  }
  return
}

// -----

func.func @nothing() {
  // expected-error @+1 {{'mgpu.communicate' op expects operations of the mpi dialect}}
  "mgpu.communicate"() ({
  ^bb0:
  }) : () -> ()
  return
}

// -----

func.func @code(%a: memref<8xf32>) {
  %comm = mpi.comm_world : !mpi.comm
  mgpu.communicate {
    // expected-error @+1 {{'mpi.allreduce' op cannot give a code in 'mgpu.communicate': it is not over there}}
    %0 = mpi.allreduce(%a, %a, MPI_SUM, %comm) : memref<8xf32>, memref<8xf32> -> !mpi.retval
  }
  return
}

// -----

func.func @reduction(%a: memref<8xi32>) {
  %comm = mpi.comm_world : !mpi.comm
  mgpu.communicate {
    // expected-error @+1 {{'mpi.allreduce' op expects a sum, a product, a maximum or a minimum on a stream}}
    mpi.allreduce(%a, %a, MPI_BXOR, %comm) : memref<8xi32>, memref<8xi32>
  }
  return
}
