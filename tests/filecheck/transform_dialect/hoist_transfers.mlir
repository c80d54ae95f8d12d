// RUN: xgpu-opt --transform-interpreter --allow-unregistered-dialect %s | filecheck %s --match-full-lines

// CHECK: #map = affine_map<(d0) -> (d0 + 4)>
// CHECK-NEXT: #map1 = affine_map<(d0) -> (d0 + 3)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @stored_beside_alignment(%arg0: memref<?x?xf32>, %arg1: index, %arg2: index, %arg3: index, %arg4: vector<1xf32>) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %cst = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %assume_align = memref.assume_alignment %arg0, 4 : memref<?x?xf32>
// CHECK-NEXT:     scf.for %arg5 = %arg1 to %arg2 step %arg3 {
// CHECK-NEXT:       %0 = vector.transfer_read %assume_align[%c0, %c0], %cst : memref<?x?xf32>, vector<1xf32>
// CHECK-NEXT:       %1 = "val_use"(%0) : (vector<1xf32>) -> vector<1xf32>
// CHECK-NEXT:       vector.transfer_write %1, %assume_align[%c0, %c0] : vector<1xf32>, memref<?x?xf32>
// CHECK-NEXT:       memref.store %cst, %arg0[%c0, %c0] : memref<?x?xf32>
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @stored_beside_alignment(%mem: memref<?x?xf32>, %lb : index, %ub : index, %step: index, %in: vector<1xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %aa = memref.assume_alignment %mem, 4 : memref<?x?xf32>
  scf.for %i = %lb to %ub step %step {
      %r0 = vector.transfer_read %aa[%c0, %c0], %pad: memref<?x?xf32>, vector<1xf32>
      %u0 = "val_use"(%r0) : (vector<1xf32>) -> vector<1xf32>
      vector.transfer_write %u0, %aa[%c0, %c0] : vector<1xf32>, memref<?x?xf32>
      memref.store %pad, %mem[%c0, %c0] : memref<?x?xf32>
  }
  return
}
// CHECK-NEXT:   func.func @alignment_of_base(%arg0: memref<?x?xf32>, %arg1: index, %arg2: index, %arg3: index, %arg4: vector<1xf32>) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %cst = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %assume_align = memref.assume_alignment %arg0, 4 : memref<?x?xf32>
// CHECK-NEXT:     scf.for %arg5 = %arg1 to %arg2 step %arg3 {
// CHECK-NEXT:       %0 = vector.transfer_read %arg0[%c0, %c0], %cst : memref<?x?xf32>, vector<1xf32>
// CHECK-NEXT:       %1 = "val_use"(%0) : (vector<1xf32>) -> vector<1xf32>
// CHECK-NEXT:       vector.transfer_write %1, %arg0[%c0, %c0] : vector<1xf32>, memref<?x?xf32>
// CHECK-NEXT:     }
// CHECK-NEXT:     memref.store %cst, %assume_align[%c0, %c0] : memref<?x?xf32>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @alignment_of_base(%mem: memref<?x?xf32>, %lb : index, %ub : index, %step: index, %in: vector<1xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %aa = memref.assume_alignment %mem, 4 : memref<?x?xf32>
  scf.for %i = %lb to %ub step %step {
      %r0 = vector.transfer_read %mem[%c0, %c0], %pad: memref<?x?xf32>, vector<1xf32>
      %u0 = "val_use"(%r0) : (vector<1xf32>) -> vector<1xf32>
      vector.transfer_write %u0, %mem[%c0, %c0] : vector<1xf32>, memref<?x?xf32>
  }
  memref.store %pad, %aa[%c0, %c0] : memref<?x?xf32>
  return
}
// CHECK-NEXT:   func.func @stored_before(%arg0: memref<?x?xf32>, %arg1: index, %arg2: index, %arg3: index, %arg4: vector<1xf32>) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %cst = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %assume_align = memref.assume_alignment %arg0, 4 : memref<?x?xf32>
// CHECK-NEXT:     memref.store %cst, %arg0[%c0, %c0] : memref<?x?xf32>
// CHECK-NEXT:     scf.for %arg5 = %arg1 to %arg2 step %arg3 {
// CHECK-NEXT:       %0 = vector.transfer_read %assume_align[%c0, %c0], %cst : memref<?x?xf32>, vector<1xf32>
// CHECK-NEXT:       %1 = "val_use"(%0) : (vector<1xf32>) -> vector<1xf32>
// CHECK-NEXT:       vector.transfer_write %1, %assume_align[%c0, %c0] : vector<1xf32>, memref<?x?xf32>
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @stored_before(%mem: memref<?x?xf32>, %lb : index, %ub : index, %step: index, %in: vector<1xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %aa = memref.assume_alignment %mem, 4 : memref<?x?xf32>
  memref.store %pad, %mem[%c0, %c0] : memref<?x?xf32>
  scf.for %i = %lb to %ub step %step {
      %r0 = vector.transfer_read %aa[%c0, %c0], %pad: memref<?x?xf32>, vector<1xf32>
      %u0 = "val_use"(%r0) : (vector<1xf32>) -> vector<1xf32>
      vector.transfer_write %u0, %aa[%c0, %c0] : vector<1xf32>, memref<?x?xf32>
  }
  return
}
// CHECK-NEXT:   func.func @stored_through_view(%arg0: memref<?x?xf32>, %arg1: index, %arg2: index, %arg3: index, %arg4: vector<1xf32>) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %cst = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %assume_align = memref.assume_alignment %arg0, 4 : memref<?x?xf32>
// CHECK-NEXT:     %subview = memref.subview %arg0[0, 0] [1, 1] [1, 1] : memref<?x?xf32> to memref<1x1xf32, strided<[?, 1]>>
// CHECK-NEXT:     scf.for %arg5 = %arg1 to %arg2 step %arg3 {
// CHECK-NEXT:       %0 = vector.transfer_read %arg0[%c0, %c0], %cst : memref<?x?xf32>, vector<1xf32>
// CHECK-NEXT:       %1 = "val_use"(%0) : (vector<1xf32>) -> vector<1xf32>
// CHECK-NEXT:       vector.transfer_write %1, %arg0[%c0, %c0] : vector<1xf32>, memref<?x?xf32>
// CHECK-NEXT:       memref.store %cst, %subview[%c0, %c0] : memref<1x1xf32, strided<[?, 1]>>
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @stored_through_view(%mem: memref<?x?xf32>, %lb : index, %ub : index, %step: index, %in: vector<1xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %aa = memref.assume_alignment %mem, 4 : memref<?x?xf32>
  %sv = memref.subview %mem[0,0][1,1][1,1] : memref<?x?xf32> to memref<1x1xf32, strided<[?,1]>>
  scf.for %i = %lb to %ub step %step {
      %r0 = vector.transfer_read %mem[%c0, %c0], %pad: memref<?x?xf32>, vector<1xf32>
      %u0 = "val_use"(%r0) : (vector<1xf32>) -> vector<1xf32>
      vector.transfer_write %u0, %mem[%c0, %c0] : vector<1xf32>, memref<?x?xf32>
      memref.store %pad, %sv[%c0, %c0] : memref<1x1xf32, strided<[?,1]>>
  }
  return
}

// CHECK-NEXT:   func.func @affine(%arg0: memref<8xf32>, %arg1: vector<4xf32>) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c4 = arith.constant 4 : index
// CHECK-NEXT:     %cst = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %0 = vector.transfer_read %arg0[%c0], %cst : memref<8xf32>, vector<4xf32>
// CHECK-NEXT:     %1 = vector.transfer_read %arg0[%c4], %cst : memref<8xf32>, vector<4xf32>
// CHECK-NEXT:     %2:2 = affine.for %arg2 = 0 to 8 iter_args(%arg3 = %0, %arg4 = %1) -> (vector<4xf32>, vector<4xf32>) {
// CHECK-NEXT:       %3:2 = affine.for %arg5 = 0 to 4 iter_args(%arg6 = %arg3, %arg7 = %arg4) -> (vector<4xf32>, vector<4xf32>) {
// CHECK-NEXT:         %4 = "val_use"(%arg6) : (vector<4xf32>) -> vector<4xf32>
// CHECK-NEXT:         %5 = arith.addf %arg7, %4 : vector<4xf32>
// CHECK-NEXT:         affine.yield %4, %5 : vector<4xf32>, vector<4xf32>
// CHECK-NEXT:       }
// CHECK-NEXT:       affine.yield %3#0, %3#1 : vector<4xf32>, vector<4xf32>
// CHECK-NEXT:     }
// CHECK-NEXT:     vector.transfer_write %2#1, %arg0[%c4] : vector<4xf32>, memref<8xf32>
// CHECK-NEXT:     vector.transfer_write %2#0, %arg0[%c0] : vector<4xf32>, memref<8xf32>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @affine(%mem: memref<8xf32>, %in: vector<4xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %pad = arith.constant 0.0 : f32
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 4 {
      %r0 = vector.transfer_read %mem[%c0], %pad: memref<8xf32>, vector<4xf32>
      %u0 = "val_use"(%r0) : (vector<4xf32>) -> vector<4xf32>
      vector.transfer_write %u0, %mem[%c0] : vector<4xf32>, memref<8xf32>
      %r1 = vector.transfer_read %mem[%c4], %pad: memref<8xf32>, vector<4xf32>
      %u1 = arith.addf %r1, %u0 : vector<4xf32>
      vector.transfer_write %u1, %mem[%c4] : vector<4xf32>, memref<8xf32>
    }
  }
  return
}
// CHECK-NEXT:   func.func @dyn(%arg0: memref<?xf32>, %arg1: index, %arg2: vector<4xf32>, %arg3: index) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %cst = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %0 = affine.apply #map(%arg1)
// CHECK-NEXT:     %1 = affine.apply #map1(%arg1)
// CHECK-NEXT:     %2 = vector.transfer_read %arg0[%arg1], %cst : memref<?xf32>, vector<4xf32>
// CHECK-NEXT:     %3 = vector.transfer_read %arg0[%0], %cst : memref<?xf32>, vector<4xf32>
// CHECK-NEXT:     %4 = scf.for %arg4 = %c0 to %arg3 step %c1 iter_args(%arg5 = %2) -> (vector<4xf32>) {
// CHECK-NEXT:       %5 = "val_use"(%arg5) : (vector<4xf32>) -> vector<4xf32>
// CHECK-NEXT:       "val_use"(%3) : (vector<4xf32>) -> ()
// CHECK-NEXT:       scf.yield %5 : vector<4xf32>
// CHECK-NEXT:     }
// CHECK-NEXT:     vector.transfer_write %4, %arg0[%arg1] : vector<4xf32>, memref<?xf32>
// CHECK-NEXT:     scf.for %arg4 = %c0 to %arg3 step %c1 {
// CHECK-NEXT:       %5 = vector.transfer_read %arg0[%arg1], %cst : memref<?xf32>, vector<4xf32>
// CHECK-NEXT:       %6 = "val_use"(%5) : (vector<4xf32>) -> vector<4xf32>
// CHECK-NEXT:       vector.transfer_write %6, %arg0[%arg1] : vector<4xf32>, memref<?xf32>
// CHECK-NEXT:       %7 = vector.transfer_read %arg0[%1], %cst : memref<?xf32>, vector<4xf32>
// CHECK-NEXT:       "val_use"(%7) : (vector<4xf32>) -> ()
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @dyn(%mem: memref<?xf32>, %o: index, %in: vector<4xf32>, %ub: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %pad = arith.constant 0.0 : f32
  %o4 = affine.apply affine_map<(d0) -> (d0 + 4)>(%o)
  %o3 = affine.apply affine_map<(d0) -> (d0 + 3)>(%o)
  scf.for %j = %c0 to %ub step %c1 {
      %r0 = vector.transfer_read %mem[%o], %pad: memref<?xf32>, vector<4xf32>
      %u0 = "val_use"(%r0) : (vector<4xf32>) -> vector<4xf32>
      vector.transfer_write %u0, %mem[%o] : vector<4xf32>, memref<?xf32>
      %r1 = vector.transfer_read %mem[%o4], %pad: memref<?xf32>, vector<4xf32>
      "val_use"(%r1) : (vector<4xf32>) -> ()
  }
  scf.for %j = %c0 to %ub step %c1 {
      %r0 = vector.transfer_read %mem[%o], %pad: memref<?xf32>, vector<4xf32>
      %u0 = "val_use"(%r0) : (vector<4xf32>) -> vector<4xf32>
      vector.transfer_write %u0, %mem[%o] : vector<4xf32>, memref<?xf32>
      %r1 = vector.transfer_read %mem[%o3], %pad: memref<?xf32>, vector<4xf32>
      "val_use"(%r1) : (vector<4xf32>) -> ()
  }
  return
}
// CHECK-NEXT:   func.func @single(%arg0: memref<?xf32>, %arg1: index) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %cst = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %0 = vector.transfer_read %arg0[%c0], %cst : memref<?xf32>, vector<4xf32>
// CHECK-NEXT:     scf.for %arg2 = %c0 to %arg1 step %c1 {
// CHECK-NEXT:       "val_use"(%0) : (vector<4xf32>) -> ()
// CHECK-NEXT:     }
// CHECK-NEXT:     scf.for %arg2 = %c0 to %arg1 step %c1 {
// CHECK-NEXT:       %1 = vector.transfer_read %arg0[%c0], %cst : memref<?xf32>, vector<4xf32>
// CHECK-NEXT:       vector.print %1 : vector<4xf32>
// CHECK-NEXT:       memref.store %cst, %arg0[%c0] : memref<?xf32>
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @single(%mem: memref<?xf32>, %ub: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %pad = arith.constant 0.0 : f32
  scf.for %j = %c0 to %ub step %c1 {
      %r0 = vector.transfer_read %mem[%c0], %pad: memref<?xf32>, vector<4xf32>
      "val_use"(%r0) : (vector<4xf32>) -> ()
  }
  scf.for %j = %c0 to %ub step %c1 {
      %r0 = vector.transfer_read %mem[%c0], %pad: memref<?xf32>, vector<4xf32>
      vector.print %r0 : vector<4xf32>
      memref.store %pad, %mem[%c0] : memref<?xf32>
  }
  return
}
// CHECK-NEXT:   func.func @broadcast(%arg0: vector<1x1xf32>, %arg1: index) -> vector<1x1xf32> {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %cst = arith.constant 1.000000e+00 : f32
// CHECK-NEXT:     %0 = vector.extract %arg0[0, 0] : f32 from vector<1x1xf32>
// CHECK-NEXT:     %1 = scf.for %arg2 = %c0 to %arg1 step %c1 iter_args(%arg3 = %0) -> (f32) {
// CHECK-NEXT:       %3 = arith.addf %arg3, %cst : f32
// CHECK-NEXT:       scf.yield %3 : f32
// CHECK-NEXT:     }
// CHECK-NEXT:     %2 = vector.broadcast %1 : f32 to vector<1x1xf32>
// CHECK-NEXT:     return %2 : vector<1x1xf32>
// CHECK-NEXT:   }
func.func @broadcast(%v: vector<1x1xf32>, %ub: index) -> vector<1x1xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant 1.0 : f32
  %r = scf.for %j = %c0 to %ub step %c1 iter_args(%a = %v) -> vector<1x1xf32> {
    %e = vector.extract %a[0, 0] : f32 from vector<1x1xf32>
    %s = arith.addf %e, %x : f32
    %b = vector.broadcast %s : f32 to vector<1x1xf32>
    scf.yield %b : vector<1x1xf32>
  }
  return %r : vector<1x1xf32>
}
// CHECK-NEXT:   func.func @broadcast_vector(%arg0: vector<3x4xf32>, %arg1: index, %arg2: index) -> vector<3x4xf32> {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %0 = vector.extract %arg0[%arg2] : vector<4xf32> from vector<3x4xf32>
// CHECK-NEXT:     %1:2 = scf.for %arg3 = %c0 to %arg1 step %c1 iter_args(%arg4 = %arg1, %arg5 = %0) -> (index, vector<4xf32>) {
// CHECK-NEXT:       %3 = arith.mulf %arg5, %arg5 : vector<4xf32>
// CHECK-NEXT:       scf.yield %arg3, %3 : index, vector<4xf32>
// CHECK-NEXT:     }
// CHECK-NEXT:     %2 = vector.broadcast %1#1 : vector<4xf32> to vector<3x4xf32>
// CHECK-NEXT:     return %2 : vector<3x4xf32>
// CHECK-NEXT:   }
func.func @broadcast_vector(%v: vector<3x4xf32>, %ub: index, %p: index) -> vector<3x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %j = %c0 to %ub step %c1 iter_args(%k = %ub, %a = %v) -> (index, vector<3x4xf32>) {
    %e = vector.extract %a[%p] : vector<4xf32> from vector<3x4xf32>
    %s = arith.mulf %e, %e : vector<4xf32>
    %b = vector.broadcast %s : vector<4xf32> to vector<3x4xf32>
    scf.yield %j, %b : index, vector<3x4xf32>
  }
  return %r#1 : vector<3x4xf32>
}
// CHECK-NEXT:   func.func @stays(%arg0: vector<4xf32>, %arg1: index) -> vector<4xf32> {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %0 = scf.for %arg2 = %c0 to %arg1 step %c1 iter_args(%arg3 = %arg0) -> (vector<4xf32>) {
// CHECK-NEXT:       %1 = vector.extract %arg3[%arg2] : f32 from vector<4xf32>
// CHECK-NEXT:       %2 = vector.broadcast %1 : f32 to vector<4xf32>
// CHECK-NEXT:       scf.yield %2 : vector<4xf32>
// CHECK-NEXT:     }
// CHECK-NEXT:     return %0 : vector<4xf32>
// CHECK-NEXT:   }
func.func @stays(%v: vector<4xf32>, %ub: index) -> vector<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %j = %c0 to %ub step %c1 iter_args(%a = %v) -> vector<4xf32> {
    %e = vector.extract %a[%j] : f32 from vector<4xf32>
    %b = vector.broadcast %e : f32 to vector<4xf32>
    scf.yield %b : vector<4xf32>
  }
  return %r : vector<4xf32>
}
// CHECK-NEXT:   module attributes {transform.with_named_sequence} {
// CHECK-NEXT:     transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
// CHECK-NEXT:       %0 = transform.structured.match ops{["func.func"]} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:       %1 = transform.structured.hoist_redundant_vector_transfers %0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:       %2 = transform.structured.hoist_redundant_vector_broadcasts %1 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:       transform.yield
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%arg1: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["func.func"]} in %arg1 : (!transform.any_op) -> !transform.any_op
    %1 = transform.structured.hoist_redundant_vector_transfers %0 : (!transform.any_op) -> !transform.any_op
    %2 = transform.structured.hoist_redundant_vector_broadcasts %1 : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
