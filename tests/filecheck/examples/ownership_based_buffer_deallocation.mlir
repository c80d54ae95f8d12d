// A buffer is freed where the function returns.
// RUN: xgpu-opt %s --ownership-based-buffer-deallocation | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func private @use(memref<8xf32>)
func.func private @use(memref<8xf32>)
// CHECK-NEXT:   func.func @f() {
// CHECK-NEXT:     %true = arith.constant true
// CHECK-NEXT:     %alloc = memref.alloc() : memref<8xf32>
// CHECK-NEXT:     %true_0 = arith.constant true
// CHECK-NEXT:     call @use(%alloc) : (memref<8xf32>) -> ()
// CHECK-NEXT:     %base_buffer, %offset, %sizes, %strides = memref.extract_strided_metadata %alloc : memref<8xf32> -> memref<f32>, index, index, index
// CHECK-NEXT:     bufferization.dealloc (%base_buffer : memref<f32>) if (%true)
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @f() {
  %m = memref.alloc() : memref<8xf32>
  call @use(%m) : (memref<8xf32>) -> ()
  return
}
