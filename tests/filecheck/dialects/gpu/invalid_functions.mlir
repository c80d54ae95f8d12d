// RUN: xgpu-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect

// What verifiers of launches, functions and modules refuse.

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k(%a: f32) kernel {
      gpu.return
    }
    gpu.func @plain(%a: f32) {
      gpu.return
    }
  }
  func.func @f(%n: index, %j: i32, %x: f32) {
    %s = arith.constant 0 : i32
    // expected-error@+1 {{'gpu.launch_func' op kernel function '@kernels::@nothing' is undefined}}
    gpu.launch_func @kernels::@nothing blocks in (%n, %n, %n) threads in (%n, %n, %n)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k(%a: f32) kernel {
      gpu.return
    }
    gpu.func @plain(%a: f32) {
      gpu.return
    }
  }
  func.func @f(%n: index, %j: i32, %x: f32) {
    %s = arith.constant 0 : i32
    // expected-error@+1 {{'gpu.launch_func' op kernel function is missing the 'gpu.kernel' attribute}}
    gpu.launch_func @kernels::@plain blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%x : f32)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k(%a: f32) kernel {
      gpu.return
    }
    gpu.func @plain(%a: f32) {
      gpu.return
    }
  }
  func.func @f(%n: index, %j: i32, %x: f32) {
    %s = arith.constant 0 : i32
    // expected-error@+1 {{'gpu.launch_func' op type of function argument 0 does not match}}
    gpu.launch_func @kernels::@k blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%n : index)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k(%a: f32) kernel {
      gpu.return
    }
    gpu.func @plain(%a: f32) {
      gpu.return
    }
  }
  func.func @f(%n: index, %j: i32, %x: f32) {
    %s = arith.constant 0 : i32
    // expected-error@+1 {{'gpu.launch_func' op kernel module 'f' is undefined}}
    gpu.launch_func @f::@k blocks in (%n, %n, %n) threads in (%n, %n, %n)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k(%a: f32) kernel {
      gpu.return
    }
    gpu.func @plain(%a: f32) {
      gpu.return
    }
  }
  // expected-note@+1 {{prior use here}}
  func.func @f(%n: index, %j: i32, %x: f32) {
    %s = arith.constant 0 : i32
    // expected-error@+1 {{use of value '%j' expects different type than prior uses: 'index' vs 'i32'}}
    gpu.launch_func @kernels::@k clusters in (%j, %j, %j) blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%x : f32)
    return
  }
}

// -----

module {
  gpu.module @kernels {
    gpu.func @k(%a: f32) kernel {
      gpu.return
    }
    gpu.func @plain(%a: f32) {
      gpu.return
    }
  }
  func.func @f(%n: index, %j: i32, %x: f32) {
    %s = arith.constant 0 : i32
    // expected-error@+1 {{'gpu.launch_func' op expected the closest surrounding module to have the 'gpu.container_module' attribute}}
    gpu.launch_func @kernels::@k blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%x : f32)
    return
  }
}

// -----

module attributes {gpu.container_module = 1 : i32} {
  gpu.module @kernels {
    gpu.func @k(%a: f32) kernel {
      gpu.return
    }
    gpu.func @plain(%a: f32) {
      gpu.return
    }
  }
  func.func @f(%n: index, %j: i32, %x: f32) {
    %s = arith.constant 0 : i32
    // expected-error@+1 {{'gpu.launch_func' op expected the closest surrounding module to have the 'gpu.container_module' attribute}}
    gpu.launch_func @kernels::@k blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%x : f32)
    return
  }
}

// -----

func.func @f(%n: index, %x: f32) {
  // expected-error@+1 {{'gpu.launch' op expected memref type in attribution}}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %n, %gz = %n) threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n) workgroup(%w: f32) {
    gpu.terminator
  }
  return
}

// -----

func.func @f(%n: index, %x: f32) {
  // expected-error@+1 {{'gpu.launch' op expected memory space workgroup in attribution}}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %n, %gz = %n) threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n) workgroup(%w: memref<4xf32, #gpu.address_space<private>>) {
    gpu.terminator
  }
  return
}

// -----

func.func @f(%n: index, %x: f32) {
  // expected-error@+1 {{'gpu.launch' op expected memory space private in attribution}}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %n, %gz = %n) threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n) private(%w: memref<4xf32, #gpu.address_space<workgroup>>) {
    gpu.terminator
  }
  return
}

// -----

func.func @f(%n: index, %x: f32) {
  // expected-error@+1 {{empty block: expect at least a terminator}}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %n, %gz = %n) threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n) {
  }
  return
}

// -----

func.func @f(%n: index, %x: f32) {
  // expected-error@+1 {{'gpu.launch' op unexpected number of region arguments}}
  "gpu.launch"(%n, %n, %n, %n, %n, %n) <{operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0>}> ({
  ^bb0(%a: index):
    gpu.terminator
  }) : (index, index, index, index, index, index) -> ()
  return
}

// -----

func.func @f(%n: index, %x: f32) {
  // expected-error@+1 {{'gpu.launch' op cluster size must be all present}}
  "gpu.launch"(%n, %n, %n, %n, %n, %n, %n) <{operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0>}> ({
  ^bb0(%a: index):
    gpu.terminator
  }) : (index, index, index, index, index, index, index) -> ()
  return
}

// -----

gpu.module @m {
  // expected-error@+1 {{'gpu.func' op expected void return type for kernel function}}
  gpu.func @k() -> f32 kernel {
    gpu.return
  }
}

// -----

gpu.module @m {
  // expected-note@+1 {{return type declared here}}
  gpu.func @f() {
    %c = arith.constant 1 : i32
    // expected-error@+1 {{'gpu.return' op expected 0 result operands}}
    gpu.return %c : i32
  }
}

// -----

gpu.module @m {
  gpu.func @f() -> i32 {
    %c = arith.constant 1.0 : f32
    // expected-error@+1 {{'gpu.return' op unexpected type `'f32'' for operand #0}}
    gpu.return %c : f32
  }
}

// -----

gpu.module @m {
  // expected-error@+1 {{'gpu.func' op expected memref type in attribution}}
  gpu.func @f() workgroup(%w: f32) {
    gpu.return
  }
}

// -----

gpu.module @m {
  // expected-error@+1 {{'gpu.func' op expected memory space private in attribution}}
  gpu.func @f() private(%w: memref<4xf32, #gpu.address_space<workgroup>>) {
    gpu.return
  }
}

// -----

gpu.module @m {
  // expected-error@+1 {{'gpu.func' op expected body region argument #0 to be of type 'f32', got 'i32'}}
  "gpu.func"() <{function_type = (f32) -> ()}> ({
  ^bb0(%a: i32):
    gpu.return
  }) {sym_name = "f"} : () -> ()
}

// -----

gpu.module @m {
  // expected-error@+1 {{'gpu.func' op expected at least 1 arguments to body region}}
  "gpu.func"() <{function_type = (f32) -> ()}> ({
  ^bb0:
    gpu.return
  }) {sym_name = "f"} : () -> ()
}

// -----

gpu.module @m {
  // expected-error@+1 {{'gpu.func' op expected body with at least one block}}
  "gpu.func"() <{function_type = (f32) -> ()}> ({
  }) {sym_name = "f"} : () -> ()
}

// -----

gpu.module @m {
  // expected-error@+1 {{'gpu.func' op attribute 'function_type' failed to satisfy constraint: type attribute of function type}}
  "gpu.func"() <{function_type = f32}> ({
  }) {sym_name = "f"} : () -> ()
}

// -----

// expected-error@+1 {{'gpu.func' op expects parent op 'gpu.module'}}
gpu.func @outside() {
  gpu.return
}

// -----

gpu.module @m {
  // expected-note@+1 {{see existing symbol definition here}}
  gpu.func @f() {
    gpu.return
  }
  // expected-error@+1 {{redefinition of symbol named 'f'}}
  gpu.func @f() {
    gpu.return
  }
}

// -----

// expected-error@+1 {{'gpu.module' op attribute 'targets' failed to satisfy constraint: array of GPU target attributes with at least 1 elements}}
gpu.module @m [] {
}

// -----

// expected-error@+1 {{'gpu.module' op attribute 'targets' failed to satisfy constraint: array of GPU target attributes with at least 1 elements}}
gpu.module @m [1] {
}

// -----

// expected-error@+1 {{'gpu.binary' op attribute 'objects' failed to satisfy constraint: an array of GPU object attributes with at least 1 elements}}
gpu.binary @b []

// -----

// expected-error@+1 {{'gpu.binary' op attribute 'objects' failed to satisfy constraint: an array of GPU object attributes with at least 1 elements}}
gpu.binary @b [1]

// -----

// expected-error@+1 {{'gpu.binary' op attribute 'offloadingHandler' failed to satisfy constraint: any attribute with the `OffloadingTranslationAttrTrait` trait.}}
gpu.binary @b <1> [#gpu.object<#nvvm.target, "">]

// -----

// expected-error@+1 {{the object index must be positive}}
gpu.binary @b <#gpu.select_object<-1>> [#gpu.object<#nvvm.target, "">]

// -----

// expected-error@+1 {{the target attribute must implement or promise the `gpu::TargetAttrInterface`}}
gpu.binary @b [#gpu.object<1, "">]

// -----

func.func @f(%lane: index, %v: vector<4xf32>, %x: vector<128xf32>, %k: i32) {
  // expected-error@+1 {{'gpu.warp_execute_on_lane_0' op expected same number op arguments and block arguments.}}
  gpu.warp_execute_on_lane_0(%lane)[32] args(%v : vector<4xf32>) {
  ^bb0(%a: vector<128xf32>, %b: i32):
    gpu.yield
  }
  return
}

// -----

func.func @f(%lane: index, %v: vector<4xf32>, %x: vector<128xf32>, %k: i32) {
  // expected-error@+1 {{'gpu.warp_execute_on_lane_0' op expected same number of yield operands and return values.}}
  %0 = gpu.warp_execute_on_lane_0(%lane)[32] -> vector<4xf32> {
    gpu.yield
  }
  return
}

// -----

func.func @f(%lane: index, %v: vector<4xf32>, %x: vector<128xf32>, %k: i32) {
  // expected-error@+1 {{'gpu.warp_execute_on_lane_0' op expected vector type for distributed operands.}}
  gpu.warp_execute_on_lane_0(%lane)[32] args(%k : i32) {
  ^bb0(%a: vector<128xf32>):
    gpu.yield
  }
  return
}

// -----

func.func @f(%lane: index, %v: vector<4xf32>, %x: vector<128xf32>, %k: i32) {
  // expected-error@+1 {{'gpu.warp_execute_on_lane_0' op expected distributed vectors to have same rank and element type.}}
  gpu.warp_execute_on_lane_0(%lane)[32] args(%v : vector<4xf32>) {
  ^bb0(%a: vector<4x32xf32>):
    gpu.yield
  }
  return
}

// -----

func.func @f(%lane: index, %v: vector<4xf32>, %x: vector<128xf32>, %k: i32) {
  // expected-error@+1 {{'gpu.warp_execute_on_lane_0' op expected expanded vector dimension #0 (130) to be a multipler of the distributed vector dimension (4)}}
  gpu.warp_execute_on_lane_0(%lane)[32] args(%v : vector<4xf32>) {
  ^bb0(%a: vector<130xf32>):
    gpu.yield
  }
  return
}

// -----

func.func @f(%lane: index, %v: vector<4xf32>, %x: vector<128xf32>, %k: i32) {
  // expected-error@+1 {{'gpu.warp_execute_on_lane_0' op incompatible distribution dimensions from 'vector<64xf32>' to 'vector<4xf32>' with warp size = 32}}
  gpu.warp_execute_on_lane_0(%lane)[32] args(%v : vector<4xf32>) {
  ^bb0(%a: vector<64xf32>):
    gpu.yield
  }
  return
}

// -----

gpu.module @m {
  // expected-error @+1 {{'gpu.func' op attribute 'workgroup_attributions' failed to satisfy constraint: integer attribute whose value is non-negative}}
  "gpu.func"() <{function_type = () -> ()}> ({
    gpu.return
  }) {sym_name = "f", workgroup_attributions = []} : () -> ()
}

// -----

func.func @launch(%n: index) {
  // expected-error @+1 {{'gpu.launch' op attribute 'workgroup_attributions' failed to satisfy constraint: integer attribute whose value is non-negative}}
  "gpu.launch"(%n, %n, %n, %n, %n, %n) <{operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0>}> ({
  ^bb0(%a: index, %b: index, %c: index, %d: index, %e: index, %f: index, %g: index, %h: index, %i: index, %j: index, %k: index, %l: index):
    gpu.terminator
  }) {workgroup_attributions = -1 : i64} : (index, index, index, index, index, index) -> ()
  return
}

// -----

func.func @launch(%n: index) {
  // expected-error @+1 {{'gpu.launch' op expected body region argument #2 to be of type 'index', got 'f16'}}
  "gpu.launch"(%n, %n, %n, %n, %n, %n) <{operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0>}> ({
  ^bb0(%a: index, %b: index, %c: f16, %d: index, %e: index, %f: index, %g: index, %h: index, %i: index, %j: index, %k: index, %l: index):
    gpu.terminator
  }) : (index, index, index, index, index, index) -> ()
  return
}

// -----

gpu.module @kernel_twice {
  // expected-error @+1 {{custom op 'gpu.func' attribute 'gpu.kernel' occurs more than once in the attribute list}}
  gpu.func @k() kernel attributes {gpu.kernel} {
    gpu.return
  }
}

// -----

// expected-error@+1 {{'gpu.module' op attribute 'targets' failed to satisfy constraint: array of GPU target attributes with at least 1 elements}}
gpu.module @m [#gpu.address_space<global>] {
}
