// RUN: xgpu-opt %s --split-input-file --verify-diagnostics

module attributes {gpu.container_module} {
  // expected-error@+1 {{expected attribute value}}
  gpu.module @kernel <> {
  }
}

// -----

module attributes {gpu.container_module} {
  func.func @launch(%n: index) {
    // expected-error@+1 {{custom op 'gpu.launch_func' invalid kind of attribute specified}}
    gpu.launch_func "kernel" blocks in (%n, %n, %n) threads in (%n, %n, %n)
    return
  }
}

// -----

func.func @bound() {
  // expected-error@+1 {{custom op 'gpu.thread_id' invalid kind of attribute specified}}
  %0 = gpu.thread_id x upper_bound "a"
  return
}

// -----

func.func @dimension() {
  // expected-error@+1 {{custom op 'gpu.thread_id' invalid kind of attribute specified}}
  %0 = gpu.thread_id #gpu<all_reduce_op add>
  return
}

// -----

func.func @predicate(%a: i32) {
  // expected-error@+1 {{custom op 'arith.cmpi' expected string or keyword containing one of the following enum values for attribute 'predicate'}}
  %0 = arith.cmpi foo, %a, %a : i32
  return
}

// -----

// expected-error@+1 {{expected static shape}}
func.func private @matrix(!gpu.mma_matrix<?x16xf16, "AOp">)

// -----

gpu.module @m {
  // expected-error@+1 {{requires string attribute 'sym_name'}}
  "gpu.func"() ({
    "gpu.return"() : () -> ()
  }) {function_type = () -> (), gpu.kernel, workgroup_attributions = 0 : i64} : () -> ()
}

// -----

// Of what belongs to an attribute two messages speak: what is wrong, and whose parameter it is.
// expected-error @+2 {{expected '<'}}
// expected-error @+1 {{failed to parse GPU_ObjectAttr parameter 'kernels' which is to be a `KernelTableAttr`}}
"test.op"() {a = #gpu.object<#nvvm.target, kernels = 3, "x">} : () -> ()

// -----

// expected-error @+2 {{expected ::mlir::gpu::Dimension to be one of: x, y, z}}
// expected-error @+1 {{failed to parse GPU_DimensionAttr parameter 'value' which is to be a `::mlir::gpu::Dimension`}}
"test.op"() {a = #gpu<dim q>} : () -> ()

// -----

// expected-error @+2 {{expected one of [external, }}
// expected-error @+1 {{failed to parse LinkageAttr parameter 'linkage' which is to be a `linkage::Linkage`}}
"test.op"() {a = #llvm.linkage<q>} : () -> ()
