// RUN: xgpu-opt --ownership-based-buffer-deallocation %s | filecheck %s --match-full-lines
// RUN: xgpu-opt --ownership-based-buffer-deallocation=private-function-dynamic-ownership=true %s | filecheck %s --match-full-lines --check-prefix=DYNAMIC

// CHECK: module {
// CHECK-NEXT:   func.func private @callee(%arg0: memref<4xf32>) -> memref<4xf32> {
// CHECK-NEXT:     %false = arith.constant false
// CHECK-NEXT:     %0 = scf.if %false -> (memref<4xf32>) {
// CHECK-NEXT:       scf.yield %arg0 : memref<4xf32>
// CHECK-NEXT:     } else {
// CHECK-NEXT:       %2 = bufferization.clone %arg0 : memref<4xf32> to memref<4xf32>
// CHECK-NEXT:       scf.yield %2 : memref<4xf32>
// CHECK-NEXT:     }
// CHECK-NEXT:     %true = arith.constant true
// CHECK-NEXT:     %base_buffer, %offset, %sizes, %strides = memref.extract_strided_metadata %arg0 : memref<4xf32> -> memref<f32>, index, index, index
// CHECK-NEXT:     %base_buffer_0, %offset_1, %sizes_2, %strides_3 = memref.extract_strided_metadata %0 : memref<4xf32> -> memref<f32>, index, index, index
// CHECK-NEXT:     %1 = bufferization.dealloc (%base_buffer, %base_buffer_0 : memref<f32>, memref<f32>) if (%false, %true) retain (%0 : memref<4xf32>)
// CHECK-NEXT:     return %0 : memref<4xf32>
// CHECK-NEXT:   }
// DYNAMIC: module {
// DYNAMIC-NEXT:   func.func private @callee(%arg0: memref<4xf32>) -> (memref<4xf32>, i1) {
// DYNAMIC-NEXT:     %false = arith.constant false
// DYNAMIC-NEXT:     %base_buffer, %offset, %sizes, %strides = memref.extract_strided_metadata %arg0 : memref<4xf32> -> memref<f32>, index, index, index
// DYNAMIC-NEXT:     %0 = bufferization.dealloc (%base_buffer : memref<f32>) if (%false) retain (%arg0 : memref<4xf32>)
// DYNAMIC-NEXT:     return %arg0, %0 : memref<4xf32>, i1
// DYNAMIC-NEXT:   }
func.func private @callee(%m: memref<4xf32>) -> memref<4xf32> {
  return %m : memref<4xf32>
}

// CHECK-NEXT:   func.func @caller() {
// CHECK-NEXT:     %true = arith.constant true
// CHECK-NEXT:     %alloc = memref.alloc() : memref<4xf32>
// CHECK-NEXT:     %true_0 = arith.constant true
// CHECK-NEXT:     %0 = call @callee(%alloc) : (memref<4xf32>) -> memref<4xf32>
// CHECK-NEXT:     %base_buffer, %offset, %sizes, %strides = memref.extract_strided_metadata %alloc : memref<4xf32> -> memref<f32>, index, index, index
// CHECK-NEXT:     %base_buffer_1, %offset_2, %sizes_3, %strides_4 = memref.extract_strided_metadata %0 : memref<4xf32> -> memref<f32>, index, index, index
// CHECK-NEXT:     bufferization.dealloc (%base_buffer, %base_buffer_1 : memref<f32>, memref<f32>) if (%true, %true_0)
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// DYNAMIC-NEXT:   func.func @caller() {
// DYNAMIC-NEXT:     %true = arith.constant true
// DYNAMIC-NEXT:     %alloc = memref.alloc() : memref<4xf32>
// DYNAMIC-NEXT:     %0:2 = call @callee(%alloc) : (memref<4xf32>) -> (memref<4xf32>, i1)
// DYNAMIC-NEXT:     %base_buffer, %offset, %sizes, %strides = memref.extract_strided_metadata %alloc : memref<4xf32> -> memref<f32>, index, index, index
// DYNAMIC-NEXT:     %base_buffer_0, %offset_1, %sizes_2, %strides_3 = memref.extract_strided_metadata %0#0 : memref<4xf32> -> memref<f32>, index, index, index
// DYNAMIC-NEXT:     bufferization.dealloc (%base_buffer, %base_buffer_0 : memref<f32>, memref<f32>) if (%true, %0#1)
// DYNAMIC-NEXT:     return
// DYNAMIC-NEXT:   }
func.func @caller() {
  %0 = memref.alloc() : memref<4xf32>
  %1 = call @callee(%0) : (memref<4xf32>) -> memref<4xf32>
  return
}

// CHECK-NEXT:   func.func @device(%arg0: i1) -> memref<4xf32, 1> {
// CHECK-NEXT:     %true = arith.constant true
// CHECK-NEXT:     %memref = gpu.alloc  () : memref<4xf32, 1>
// CHECK-NEXT:     %base_buffer, %offset, %sizes, %strides = memref.extract_strided_metadata %memref : memref<4xf32, 1> -> memref<f32, 1>, index, index, index
// CHECK-NEXT:     %0 = bufferization.dealloc (%base_buffer : memref<f32, 1>) if (%true) retain (%memref : memref<4xf32, 1>)
// CHECK-NEXT:     return %memref : memref<4xf32, 1>
// CHECK-NEXT:   }
// CHECK-NEXT: }
// DYNAMIC-NEXT:   func.func @device(%arg0: i1) -> memref<4xf32, 1> {
// DYNAMIC-NEXT:     %true = arith.constant true
// DYNAMIC-NEXT:     %memref = gpu.alloc  () : memref<4xf32, 1>
// DYNAMIC-NEXT:     %base_buffer, %offset, %sizes, %strides = memref.extract_strided_metadata %memref : memref<4xf32, 1> -> memref<f32, 1>, index, index, index
// DYNAMIC-NEXT:     %0 = bufferization.dealloc (%base_buffer : memref<f32, 1>) if (%true) retain (%memref : memref<4xf32, 1>)
// DYNAMIC-NEXT:     return %memref : memref<4xf32, 1>
// DYNAMIC-NEXT:   }
// DYNAMIC-NEXT: }
func.func @device(%c: i1) -> memref<4xf32, 1> {
  %0 = gpu.alloc () : memref<4xf32, 1>
  return %0 : memref<4xf32, 1>
}
