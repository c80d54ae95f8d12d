// RUN: xgpu-opt %s --loop-invariant-code-motion | filecheck %s

// The first active lane is another one in front of the loop.
// CHECK-LABEL: @broadcasts
// CHECK: gpu.subgroup_broadcast %{{.*}}, specific_lane
// CHECK: scf.for
// CHECK: gpu.subgroup_broadcast %{{.*}}, first_active_lane
func.func @broadcasts(%m: memref<8xf32>, %x: f32, %lane: i32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %0 = gpu.subgroup_broadcast %x, first_active_lane : f32
    %1 = gpu.subgroup_broadcast %x, specific_lane %lane : f32
    %2 = arith.addf %0, %1 : f32
    memref.store %2, %m[%i] : memref<8xf32>
  }
  return
}

func.func @nested(%m: memref<8x8xf32>, %x: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %0 = arith.mulf %x, %x : f32
      %1 = arith.addi %i, %c1 : index
      memref.store %0, %m[%1, %j] : memref<8x8xf32>
    }
  }
  return
}

func.func @may_divide_by_zero(%m: memref<8xi32>, %x: i32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : i32
  scf.for %i = %c0 to %n step %c1 {
    %0 = arith.divsi %c3, %x : i32
    %1 = arith.divsi %x, %c3 : i32
    %2 = arith.addi %0, %1 : i32
    memref.store %2, %m[%i] : memref<8xi32>
  }
  return
}

// CHECK-LABEL: func.func @nested(%arg0: memref<8x8xf32>, %arg1: f32, %arg2: index) {
// CHECK-NEXT:      %c0 = arith.constant 0 : index
// CHECK-NEXT:      %c1 = arith.constant 1 : index
// CHECK-NEXT:      %0 = arith.mulf %arg1, %arg1 : f32
// CHECK-NEXT:      scf.for %arg3 = %c0 to %arg2 step %c1 {
// CHECK-NEXT:        %1 = arith.addi %arg3, %c1 : index
// CHECK-NEXT:        scf.for %arg4 = %c0 to %arg2 step %c1 {
// CHECK-NEXT:          memref.store %0, %arg0[%1, %arg4] : memref<8x8xf32>
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:      return
// CHECK-NEXT:    }
// CHECK-LABEL: func.func @may_divide_by_zero(%arg0: memref<8xi32>, %arg1: i32, %arg2: index) {
// CHECK-NEXT:      %c0 = arith.constant 0 : index
// CHECK-NEXT:      %c1 = arith.constant 1 : index
// CHECK-NEXT:      %c3_i32 = arith.constant 3 : i32
// CHECK-NEXT:      %0 = arith.divsi %arg1, %c3_i32 : i32
// CHECK-NEXT:      scf.for %arg3 = %c0 to %arg2 step %c1 {
// CHECK-NEXT:        %1 = arith.divsi %c3_i32, %arg1 : i32
// CHECK-NEXT:        %2 = arith.addi %1, %0 : i32
// CHECK-NEXT:        memref.store %2, %arg0[%arg3] : memref<8xi32>
// CHECK-NEXT:      }
// CHECK-NEXT:      return
// CHECK-NEXT:    }
