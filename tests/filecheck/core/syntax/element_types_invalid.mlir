// RUN: xgpu-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics
// Types that cannot be elements of others.

// expected-error @+1 {{invalid memref element type}}
"a.b"() {a = memref<2x!llvm.ptr>} : () -> ()

// -----

// expected-error @+1 {{invalid memref element type}}
"a.b"() {a = memref<2x!llvm.struct<(i32)>>} : () -> ()

// -----

// expected-error @+1 {{invalid memref element type}}
"a.b"() {a = memref<2x!gpu.async.token>} : () -> ()

// -----

// expected-error @+1 {{invalid memref element type}}
"a.b"() {a = memref<2x!un.known>} : () -> ()

// -----

// expected-error @+1 {{invalid memref element type}}
"a.b"() {a = memref<2xnone>} : () -> ()

// -----

// expected-error @+1 {{invalid memref element type}}
"a.b"() {a = memref<2xtuple<i32>>} : () -> ()

// -----

// expected-error @+1 {{invalid memref element type}}
"a.b"() {a = memref<2x(i32) -> i32>} : () -> ()

// -----

// expected-error @+1 {{invalid memref element type}}
"a.b"() {a = memref<2xtensor<2xf32>>} : () -> ()

// -----

// expected-error @+1 {{invalid memref element type}}
"a.b"() {a = memref<2x!nvgpu.device.async.token>} : () -> ()

// -----

// expected-error @+1 {{invalid memref element type}}
"a.b"() {a = memref<2x!async.token>} : () -> ()

// -----

// expected-error @+1 {{invalid memref element type}}
"a.b"() {a = memref<*x!un.known>} : () -> ()

// -----

// expected-error @+1 {{invalid memref element type}}
"a.b"() {a = memref<*xtensor<*xf32>>} : () -> ()

// -----

// expected-error @+1 {{invalid tensor element type}}
"a.b"() {a = tensor<2xmemref<*xf32>>} : () -> ()

// -----

// expected-error @+1 {{invalid tensor element type}}
"a.b"() {a = tensor<2xmemref<2xf32>>} : () -> ()

// -----

// expected-error @+1 {{invalid tensor element type}}
"a.b"() {a = tensor<2xnone>} : () -> ()

// -----

// expected-error @+1 {{invalid tensor element type}}
"a.b"() {a = tensor<*xmemref<*xf32>>} : () -> ()

// -----

// expected-error @+1 {{failed to verify 'elementType': VectorElementTypeInterface instance}}
"a.b"() {a = vector<2x!un.known>} : () -> ()

// -----

// expected-error @+1 {{failed to verify 'elementType': VectorElementTypeInterface instance}}
"a.b"() {a = vector<2x!llvm.struct<(i32)>>} : () -> ()

// -----

// expected-error @+1 {{failed to verify 'elementType': VectorElementTypeInterface instance}}
"a.b"() {a = vector<2x!async.token>} : () -> ()

// -----

// expected-error @+1 {{failed to verify 'elementType': VectorElementTypeInterface instance}}
"a.b"() {a = vector<2xvector<2xf32>>} : () -> ()

// -----

// expected-error @+1 {{failed to verify 'elementType': VectorElementTypeInterface instance}}
"a.b"() {a = vector<2xcomplex<f32>>} : () -> ()

// -----

// expected-error @+1 {{invalid element type for complex}}
"a.b"() {a = complex<index>} : () -> ()

// -----

// expected-error @+1 {{invalid element type for complex}}
"a.b"() {a = complex<!un.known>} : () -> ()

// -----

// expected-error @+1 {{invalid LLVM structure element type: '!llvm.void'}}
"a.b"() {a = !llvm.struct<(!llvm.void)>} : () -> ()

// -----

// expected-error @+1 {{invalid LLVM structure element type: '!llvm.metadata'}}
"a.b"() {a = !llvm.struct<(!llvm.metadata)>} : () -> ()

// -----

// expected-error @+1 {{invalid LLVM structure element type: '!llvm.token'}}
"a.b"() {a = !llvm.struct<(!llvm.token)>} : () -> ()

// -----

// expected-error @+1 {{invalid LLVM structure element type: '!llvm.func<void ()>'}}
"a.b"() {a = !llvm.struct<(!llvm.func<void ()>)>} : () -> ()

// -----

// expected-error @+1 {{invalid array element type: '!llvm.void'}}
"a.b"() {a = !llvm.array<2 x !llvm.void>} : () -> ()

// -----

// expected-error @+1 {{invalid array element type: '!llvm.token'}}
"a.b"() {a = !llvm.array<2 x !llvm.token>} : () -> ()

// -----

// expected-error @+1 {{invalid function result type: '!llvm.metadata'}}
"a.b"() {a = !llvm.func<!llvm.metadata ()>} : () -> ()

// -----

// expected-error @+1 {{invalid function argument type: '!llvm.void'}}
"a.b"() {a = !llvm.func<void (!llvm.void)>} : () -> ()

// -----

func.func @f(%a: memref<1xi64>) {
// expected-error @+1 {{invalid memref element type}}
  %0 = builtin.unrealized_conversion_cast %a : memref<1xi64> to memref<1x!other.barrier>
  return
}
