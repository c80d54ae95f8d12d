// RUN: xgpu-opt %s --transform-interpreter --canonicalize --cse --split-input-file | filecheck %s --match-full-lines

#strided = strided<[16, 1], offset: ?>

// CHECK: #map = affine_map<()[s0] -> (-s0 + 16, 4)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @buffers(%arg0: memref<16x16xf32>, %arg1: memref<16x16xf32>, %arg2: memref<16x16xf32>, %arg3: index) {
// CHECK-NEXT:     %cst = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %0 = affine.min #map()[%arg3]
// CHECK-NEXT:     %subview = memref.subview %arg0[%arg3, 0] [%0, 16] [1, 1] : memref<16x16xf32> to memref<?x16xf32, strided<[16, 1], offset: ?>>
// CHECK-NEXT:     %subview_0 = memref.subview %arg1[0, 0] [16, 8] [1, 1] : memref<16x16xf32> to memref<16x8xf32, strided<[16, 1]>>
// CHECK-NEXT:     %subview_1 = memref.subview %arg2[%arg3, 0] [%0, 8] [1, 1] : memref<16x16xf32> to memref<?x8xf32, strided<[16, 1], offset: ?>>
// CHECK-NEXT:     %alloc = memref.alloc() {alignment = 16 : i64} : memref<256xi8>
// CHECK-NEXT:     %view = memref.view %alloc[%c0][] : memref<256xi8> to memref<4x16xf32>
// CHECK-NEXT:     %subview_2 = memref.subview %view[0, 0] [%0, 16] [1, 1] : memref<4x16xf32> to memref<?x16xf32, strided<[16, 1]>>
// CHECK-NEXT:     linalg.fill ins(%cst : f32) outs(%view : memref<4x16xf32>)
// CHECK-NEXT:     %alloc_3 = memref.alloc() {alignment = 16 : i64} : memref<128xi8>
// CHECK-NEXT:     %view_4 = memref.view %alloc_3[%c0][] : memref<128xi8> to memref<4x8xf32>
// CHECK-NEXT:     %subview_5 = memref.subview %view_4[0, 0] [%0, 8] [1, 1] : memref<4x8xf32> to memref<?x8xf32, strided<[8, 1]>>
// CHECK-NEXT:     linalg.copy ins(%subview : memref<?x16xf32, strided<[16, 1], offset: ?>>) outs(%subview_2 : memref<?x16xf32, strided<[16, 1]>>)
// CHECK-NEXT:     linalg.copy ins(%subview_1 : memref<?x8xf32, strided<[16, 1], offset: ?>>) outs(%subview_5 : memref<?x8xf32, strided<[8, 1]>>)
// CHECK-NEXT:     linalg.matmul ins(%view, %subview_0 : memref<4x16xf32>, memref<16x8xf32, strided<[16, 1]>>) outs(%subview_5 : memref<?x8xf32, strided<[8, 1]>>)
// CHECK-NEXT:     linalg.copy ins(%subview_5 : memref<?x8xf32, strided<[8, 1]>>) outs(%subview_1 : memref<?x8xf32, strided<[16, 1], offset: ?>>)
// CHECK-NEXT:     memref.dealloc %alloc : memref<256xi8>
// CHECK-NEXT:     memref.dealloc %alloc_3 : memref<128xi8>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @buffers(%a: memref<16x16xf32>, %b: memref<16x16xf32>, %c: memref<16x16xf32>, %i: index) {
  %n = affine.min affine_map<(d0) -> (-d0 + 16, 4)>(%i)
  %0 = memref.subview %a[%i, 0] [%n, 16] [1, 1] : memref<16x16xf32> to memref<?x16xf32, #strided>
  %1 = memref.subview %b[0, 0] [16, 8] [1, 1] : memref<16x16xf32> to memref<16x8xf32, strided<[16, 1]>>
  %2 = memref.subview %c[%i, 0] [%n, 8] [1, 1] : memref<16x16xf32> to memref<?x8xf32, #strided>
  linalg.matmul ins(%0, %1 : memref<?x16xf32, #strided>, memref<16x8xf32, strided<[16, 1]>>) outs(%2 : memref<?x8xf32, #strided>)
  return
}

// CHECK-NEXT:   module attributes {transform.with_named_sequence} {
// CHECK-NEXT:     transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
// CHECK-NEXT:       %0 = transform.structured.match ops{["linalg.matmul"]} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:       %1 = transform.structured.promote %0 {alignment = 16 : i64, operands_to_promote = [0, 2], use_full_tile_buffers = [true, true, false]} : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:       transform.yield
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %p = transform.structured.promote %m {operands_to_promote = [0, 2], use_full_tile_buffers = [true, true, false], alignment = 16} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// CHECK: #map = affine_map<(d0) -> (d0)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @stack(%arg0: memref<?x?xf32>, %arg1: memref<16xf32>, %arg2: index) {
// CHECK-NEXT:     %cst = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %c4 = arith.constant 4 : index
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %subview = memref.subview %arg0[0, 0] [%arg2, 1] [1, 1] : memref<?x?xf32> to memref<?xf32, strided<[?]>>
// CHECK-NEXT:     %subview_0 = memref.subview %arg1[0] [%arg2] [1] : memref<16xf32> to memref<?xf32, strided<[1]>>
// CHECK-NEXT:     %0 = arith.muli %arg2, %c4 : index
// CHECK-NEXT:     %alloca = memref.alloca(%0) : memref<?xi8>
// CHECK-NEXT:     %view = memref.view %alloca[%c0][%arg2] : memref<?xi8> to memref<?xf32>
// CHECK-NEXT:     %subview_1 = memref.subview %view[0] [%arg2] [1] : memref<?xf32> to memref<?xf32, strided<[1]>>
// CHECK-NEXT:     linalg.fill ins(%cst : f32) outs(%view : memref<?xf32>)
// CHECK-NEXT:     %alloca_2 = memref.alloca(%0) : memref<?xi8>
// CHECK-NEXT:     %view_3 = memref.view %alloca_2[%c0][%arg2] : memref<?xi8> to memref<?xf32>
// CHECK-NEXT:     %subview_4 = memref.subview %view_3[0] [%arg2] [1] : memref<?xf32> to memref<?xf32, strided<[1]>>
// CHECK-NEXT:     linalg.fill ins(%cst : f32) outs(%view_3 : memref<?xf32>)
// CHECK-NEXT:     linalg.copy ins(%subview : memref<?xf32, strided<[?]>>) outs(%subview_1 : memref<?xf32, strided<[1]>>)
// CHECK-NEXT:     linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%view : memref<?xf32>) outs(%view_3 : memref<?xf32>) {
// CHECK-NEXT:     ^bb0(%in: f32, %out: f32):
// CHECK-NEXT:       %1 = math.exp %in : f32
// CHECK-NEXT:       linalg.yield %1 : f32
// CHECK-NEXT:     }
// CHECK-NEXT:     linalg.copy ins(%subview_4 : memref<?xf32, strided<[1]>>) outs(%subview_0 : memref<?xf32, strided<[1]>>)
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @stack(%a: memref<?x?xf32>, %b: memref<16xf32>, %n: index) {
  %0 = memref.subview %a[0, 0] [%n, 1] [1, 1] : memref<?x?xf32> to memref<?xf32, strided<[?]>>
  %1 = memref.subview %b[0] [%n] [1] : memref<16xf32> to memref<?xf32, strided<[1]>>
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%0 : memref<?xf32, strided<[?]>>) outs(%1 : memref<?xf32, strided<[1]>>) {
  ^bb0(%x: f32, %o: f32):
    %2 = math.exp %x : f32
    linalg.yield %2 : f32
  }
  return
}

// CHECK-NEXT:   module attributes {transform.with_named_sequence} {
// CHECK-NEXT:     transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
// CHECK-NEXT:       %0 = transform.structured.match ops{["linalg.generic"]} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:       %1 = transform.structured.promote %0 {use_alloca, use_full_tiles_by_default, use_original_subview_size} : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:       transform.yield
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %m = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %p = transform.structured.promote %m {use_alloca, use_original_subview_size, use_full_tiles_by_default} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// CHECK: module {
// CHECK-NEXT:   func.func @workgroup(%arg0: memref<16x16xf32>, %arg1: memref<16x16xf32>, %arg2: memref<16x16xf32>, %arg3: index) {
// CHECK-NEXT:     %alloca = memref.alloca() : memref<4x16xf32, #gpu.address_space<private>>
// CHECK-NEXT:     %alloc = memref.alloc() : memref<4x16xf32, #gpu.address_space<workgroup>>
// CHECK-NEXT:     %subview = memref.subview %arg0[%arg3, 0] [4, 16] [1, 1] : memref<16x16xf32> to memref<4x16xf32, strided<[16, 1], offset: ?>>
// CHECK-NEXT:     %subview_0 = memref.subview %arg2[%arg3, 0] [4, 16] [1, 1] : memref<16x16xf32> to memref<4x16xf32, strided<[16, 1], offset: ?>>
// CHECK-NEXT:     gpu.barrier
// CHECK-NEXT:     memref.copy %subview, %alloc : memref<4x16xf32, strided<[16, 1], offset: ?>> to memref<4x16xf32, #gpu.address_space<workgroup>>
// CHECK-NEXT:     gpu.barrier
// CHECK-NEXT:     memref.copy %subview_0, %alloca : memref<4x16xf32, strided<[16, 1], offset: ?>> to memref<4x16xf32, #gpu.address_space<private>>
// CHECK-NEXT:     linalg.matmul ins(%alloc, %arg1 : memref<4x16xf32, #gpu.address_space<workgroup>>, memref<16x16xf32>) outs(%alloca : memref<4x16xf32, #gpu.address_space<private>>)
// CHECK-NEXT:     memref.copy %alloca, %subview_0 : memref<4x16xf32, #gpu.address_space<private>> to memref<4x16xf32, strided<[16, 1], offset: ?>>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @workgroup(%a: memref<16x16xf32>, %b: memref<16x16xf32>, %c: memref<16x16xf32>, %i: index) {
  %0 = memref.subview %a[%i, 0] [4, 16] [1, 1] : memref<16x16xf32> to memref<4x16xf32, strided<[16, 1], offset: ?>>
  %2 = memref.subview %c[%i, 0] [4, 16] [1, 1] : memref<16x16xf32> to memref<4x16xf32, strided<[16, 1], offset: ?>>
  linalg.matmul ins(%0, %b : memref<4x16xf32, strided<[16, 1], offset: ?>>, memref<16x16xf32>) outs(%2 : memref<4x16xf32, strided<[16, 1], offset: ?>>)
  return
}

// CHECK-NEXT:   module attributes {transform.with_named_sequence} {
// CHECK-NEXT:     transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
// CHECK-NEXT:       %0 = transform.structured.match ops{["linalg.matmul"]} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:       %1 = transform.structured.promote %0 {mapping = [#gpu.memory_space<workgroup>], operands_to_promote = [0]} : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:       %2 = transform.structured.promote %1 {mapping = [#gpu.memory_space<private>], operands_to_promote = [2]} : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:       transform.yield
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %p = transform.structured.promote %m {operands_to_promote = [0], mapping = [#gpu.memory_space<workgroup>]} : (!transform.any_op) -> !transform.any_op
    %q = transform.structured.promote %p {operands_to_promote = [2], mapping = [#gpu.memory_space<private>]} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// CHECK: #map = affine_map<(d0) -> (d0)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @f(%arg0: memref<8xindex>, %arg1: memref<8xvector<4xf32>>, %arg2: index) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %subview = memref.subview %arg0[0] [4] [1] : memref<8xindex> to memref<4xindex, strided<[1]>>
// CHECK-NEXT:     %alloc = memref.alloc() : memref<32xi8>
// CHECK-NEXT:     %view = memref.view %alloc[%c0][] : memref<32xi8> to memref<4xindex>
// CHECK-NEXT:     linalg.copy ins(%subview : memref<4xindex, strided<[1]>>) outs(%view : memref<4xindex>)
// CHECK-NEXT:     linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%view : memref<4xindex>) {
// CHECK-NEXT:     ^bb0(%out: index):
// CHECK-NEXT:       linalg.yield %out : index
// CHECK-NEXT:     }
// CHECK-NEXT:     linalg.copy ins(%view : memref<4xindex>) outs(%subview : memref<4xindex, strided<[1]>>)
// CHECK-NEXT:     memref.dealloc %alloc : memref<32xi8>
// CHECK-NEXT:     %subview_0 = memref.subview %arg1[0] [4] [1] : memref<8xvector<4xf32>> to memref<4xvector<4xf32>, strided<[1]>>
// CHECK-NEXT:     %alloc_1 = memref.alloc() : memref<64xi8>
// CHECK-NEXT:     %view_2 = memref.view %alloc_1[%c0][] : memref<64xi8> to memref<4xvector<4xf32>>
// CHECK-NEXT:     linalg.copy ins(%subview_0 : memref<4xvector<4xf32>, strided<[1]>>) outs(%view_2 : memref<4xvector<4xf32>>)
// CHECK-NEXT:     linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%view_2 : memref<4xvector<4xf32>>) {
// CHECK-NEXT:     ^bb0(%out: vector<4xf32>):
// CHECK-NEXT:       linalg.yield %out : vector<4xf32>
// CHECK-NEXT:     }
// CHECK-NEXT:     linalg.copy ins(%view_2 : memref<4xvector<4xf32>>) outs(%subview_0 : memref<4xvector<4xf32>, strided<[1]>>)
// CHECK-NEXT:     memref.dealloc %alloc_1 : memref<64xi8>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @f(%a: memref<8xindex>, %v: memref<8xvector<4xf32>>, %n: index) {
  %s = memref.subview %a[0] [4] [1] : memref<8xindex> to memref<4xindex, strided<[1]>>
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%s : memref<4xindex, strided<[1]>>) {
  ^bb0(%x: index):
    linalg.yield %x : index
  }
  %t = memref.subview %v[0] [4] [1] : memref<8xvector<4xf32>> to memref<4xvector<4xf32>, strided<[1]>>
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%t : memref<4xvector<4xf32>, strided<[1]>>) {
  ^bb0(%x: vector<4xf32>):
    linalg.yield %x : vector<4xf32>
  }
  return
}
// CHECK-NEXT:   module attributes {transform.with_named_sequence} {
// CHECK-NEXT:     transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
// CHECK-NEXT:       %0 = transform.structured.match ops{["linalg.generic"]} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:       %1 = transform.structured.promote %0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:       transform.yield
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %m = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %p = transform.structured.promote %m : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
