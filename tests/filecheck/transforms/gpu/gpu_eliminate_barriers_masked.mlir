// RUN: xgpu-opt %s --pass-pipeline="builtin.module(func.func(gpu-eliminate-barriers))" | filecheck %s --match-full-lines

// Masked accesses are accesses to their memory: they do not give it away to others.

// CHECK: module {
// CHECK-NEXT:   func.func @two_memories(%arg0: vector<4xi1>, %arg1: vector<4xf32>, %arg2: index) -> vector<4xf32> attributes {__parallel_region_boundary_for_test} {
// CHECK-NEXT:     %alloc = memref.alloc() : memref<16xf32>
// CHECK-NEXT:     %alloc_0 = memref.alloc() : memref<16xf32>
// CHECK-NEXT:     vector.maskedstore %alloc[%arg2], %arg0, %arg1 : memref<16xf32>, vector<4xi1>, vector<4xf32>
// CHECK-NEXT:     %0 = vector.maskedload %alloc_0[%arg2], %arg0, %arg1 : memref<16xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
// CHECK-NEXT:     return %0 : vector<4xf32>
// CHECK-NEXT:   }
func.func @two_memories(%mask: vector<4xi1>, %v: vector<4xf32>, %i: index) -> vector<4xf32> attributes {__parallel_region_boundary_for_test} {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  vector.maskedstore %a[%i], %mask, %v : memref<16xf32>, vector<4xi1>, vector<4xf32>
  gpu.barrier
  %0 = vector.maskedload %b[%i], %mask, %v : memref<16xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  return %0 : vector<4xf32>
}

// CHECK-NEXT:   func.func @one_memory(%arg0: vector<4xi1>, %arg1: vector<4xf32>, %arg2: index) -> vector<4xf32> attributes {__parallel_region_boundary_for_test} {
// CHECK-NEXT:     %alloc = memref.alloc() : memref<16xf32>
// CHECK-NEXT:     vector.maskedstore %alloc[%arg2], %arg0, %arg1 : memref<16xf32>, vector<4xi1>, vector<4xf32>
// CHECK-NEXT:     gpu.barrier
// CHECK-NEXT:     %0 = vector.maskedload %alloc[%arg2], %arg0, %arg1 : memref<16xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
// CHECK-NEXT:     return %0 : vector<4xf32>
// CHECK-NEXT:   }
func.func @one_memory(%mask: vector<4xi1>, %v: vector<4xf32>, %i: index) -> vector<4xf32> attributes {__parallel_region_boundary_for_test} {
  %a = memref.alloc() : memref<16xf32>
  vector.maskedstore %a[%i], %mask, %v : memref<16xf32>, vector<4xi1>, vector<4xf32>
  gpu.barrier
  %0 = vector.maskedload %a[%i], %mask, %v : memref<16xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  return %0 : vector<4xf32>
}

// CHECK-NEXT:   func.func @beside_an_argument(%arg0: memref<16xf32>, %arg1: vector<4xi1>, %arg2: vector<4xf32>, %arg3: index) -> vector<4xf32> attributes {__parallel_region_boundary_for_test} {
// CHECK-NEXT:     %alloc = memref.alloc() : memref<16xf32>
// CHECK-NEXT:     vector.maskedstore %alloc[%arg3], %arg1, %arg2 : memref<16xf32>, vector<4xi1>, vector<4xf32>
// CHECK-NEXT:     %0 = vector.load %arg0[%arg3] : memref<16xf32>, vector<4xf32>
// CHECK-NEXT:     return %0 : vector<4xf32>
// CHECK-NEXT:   }
func.func @beside_an_argument(%m: memref<16xf32>, %mask: vector<4xi1>, %v: vector<4xf32>, %i: index) -> vector<4xf32> attributes {__parallel_region_boundary_for_test} {
  %a = memref.alloc() : memref<16xf32>
  vector.maskedstore %a[%i], %mask, %v : memref<16xf32>, vector<4xi1>, vector<4xf32>
  gpu.barrier
  %0 = vector.load %m[%i] : memref<16xf32>, vector<4xf32>
  return %0 : vector<4xf32>
}

// What is loaded from memory may be any memory that is known elsewhere; this is not.
// CHECK-NEXT:   func.func @beside_a_loaded(%arg0: memref<4xmemref<16xf32>>, %arg1: vector<4xi1>, %arg2: vector<4xf32>, %arg3: index) -> vector<4xf32> attributes {__parallel_region_boundary_for_test} {
// CHECK-NEXT:     %0 = memref.load %arg0[%arg3] : memref<4xmemref<16xf32>>
// CHECK-NEXT:     %alloc = memref.alloc() : memref<16xf32>
// CHECK-NEXT:     vector.maskedstore %alloc[%arg3], %arg1, %arg2 : memref<16xf32>, vector<4xi1>, vector<4xf32>
// CHECK-NEXT:     %1 = vector.load %0[%arg3] : memref<16xf32>, vector<4xf32>
// CHECK-NEXT:     return %1 : vector<4xf32>
// CHECK-NEXT:   }
func.func @beside_a_loaded(%ms: memref<4xmemref<16xf32>>, %mask: vector<4xi1>, %v: vector<4xf32>, %i: index) -> vector<4xf32> attributes {__parallel_region_boundary_for_test} {
  %m = memref.load %ms[%i] : memref<4xmemref<16xf32>>
  %a = memref.alloc() : memref<16xf32>
  vector.maskedstore %a[%i], %mask, %v : memref<16xf32>, vector<4xi1>, vector<4xf32>
  gpu.barrier
  %0 = vector.load %m[%i] : memref<16xf32>, vector<4xf32>
  return %0 : vector<4xf32>
}

// Neither do other stores.

// CHECK-NEXT:   func.func @other_stores(%arg0: memref<16xf32>, %arg1: memref<16xf32>, %arg2: i1, %arg3: vector<4xf32>, %arg4: f32, %arg5: index) -> f32 attributes {__parallel_region_boundary_for_test} {
// CHECK-NEXT:     %0 = arith.select %arg2, %arg0, %arg1 : memref<16xf32>
// CHECK-NEXT:     %alloc = memref.alloc() : memref<16xf32>
// CHECK-NEXT:     %alloc_0 = memref.alloc() : memref<16xf32>
// CHECK-NEXT:     vector.store %arg3, %alloc[%arg5] : memref<16xf32>, vector<4xf32>
// CHECK-NEXT:     vector.transfer_write %arg3, %alloc_0[%arg5] : vector<4xf32>, memref<16xf32>
// CHECK-NEXT:     %1 = memref.load %0[%arg5] : memref<16xf32>
// CHECK-NEXT:     return %1 : f32
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @other_stores(%p: memref<16xf32>, %q: memref<16xf32>, %c: i1, %v: vector<4xf32>, %x: f32, %i: index) -> f32 attributes {__parallel_region_boundary_for_test} {
  %m = arith.select %c, %p, %q : memref<16xf32>
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  vector.store %v, %a[%i] : memref<16xf32>, vector<4xf32>
  vector.transfer_write %v, %b[%i] : vector<4xf32>, memref<16xf32>
  gpu.barrier
  %0 = memref.load %m[%i] : memref<16xf32>
  return %0 : f32
}
