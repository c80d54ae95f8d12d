// RUN: xgpu-opt --canonicalize --allow-unregistered-dialect %s | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func @dim_of_alloc(%arg0: index) -> (index, index) {
// CHECK-NEXT:     %c8 = arith.constant 8 : index
// CHECK-NEXT:     %memref = gpu.alloc  (%arg0) : memref<?x8xf32>
// CHECK-NEXT:     "test.use"(%memref) : (memref<?x8xf32>) -> ()
// CHECK-NEXT:     return %arg0, %c8 : index, index
// CHECK-NEXT:   }
func.func @dim_of_alloc(%n: index) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = gpu.alloc (%n) : memref<?x8xf32>
  %0 = memref.dim %m, %c0 : memref<?x8xf32>
  %1 = memref.dim %m, %c1 : memref<?x8xf32>
  "test.use"(%m) : (memref<?x8xf32>) -> ()
  return %0, %1 : index, index
}

// CHECK-NEXT:   func.func @casts(%arg0: memref<4xf32>, %arg1: memref<?xf32>, %arg2: f32) {
// CHECK-NEXT:     gpu.memcpy  %arg1, %arg0 : memref<?xf32>, memref<4xf32>
// CHECK-NEXT:     gpu.memset  %arg0, %arg2 : memref<4xf32>, f32
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @casts(%m: memref<4xf32>, %n: memref<?xf32>, %x: f32) {
  %0 = memref.cast %m : memref<4xf32> to memref<?xf32>
  gpu.memcpy %n, %0 : memref<?xf32>, memref<?xf32>
  gpu.memset %0, %x : memref<?xf32>, f32
  return
}

// CHECK-NEXT:   func.func @copy_to_itself(%arg0: memref<4xf32>, %arg1: !gpu.async.token) -> !gpu.async.token {
// CHECK-NEXT:     gpu.memcpy  %arg0, %arg0 : memref<4xf32>, memref<4xf32>
// CHECK-NEXT:     %0 = gpu.memcpy async [%arg1] %arg0, %arg0 : memref<4xf32>, memref<4xf32>
// CHECK-NEXT:     return %0 : !gpu.async.token
// CHECK-NEXT:   }
func.func @copy_to_itself(%m: memref<4xf32>, %t: !gpu.async.token) -> !gpu.async.token {
  gpu.memcpy %m, %m : memref<4xf32>, memref<4xf32>
  %0 = gpu.memcpy async [%t] %m, %m : memref<4xf32>, memref<4xf32>
  return %0 : !gpu.async.token
}

// CHECK-NEXT:   func.func @copy_to_unread(%arg0: memref<4xf32>) {
// CHECK-NEXT:     %memref = gpu.alloc  () : memref<4xf32>
// CHECK-NEXT:     gpu.dealloc  %memref : memref<4xf32>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @copy_to_unread(%m: memref<4xf32>) {
  %0 = gpu.alloc () : memref<4xf32>
  gpu.memcpy %0, %m : memref<4xf32>, memref<4xf32>
  gpu.dealloc %0 : memref<4xf32>
  return
}

// CHECK-NEXT:   func.func @unused_alloc(%arg0: index, %arg1: !gpu.async.token) -> !gpu.async.token {
// CHECK-NEXT:     %memref, %asyncToken = gpu.alloc async [%arg1] (%arg0) : memref<?xf32>
// CHECK-NEXT:     gpu.dealloc  %memref : memref<?xf32>
// CHECK-NEXT:     return %asyncToken : !gpu.async.token
// CHECK-NEXT:   }
func.func @unused_alloc(%n: index, %t: !gpu.async.token) -> !gpu.async.token {
  %0 = gpu.alloc (%n) : memref<?xf32>
  %1, %t1 = gpu.alloc async [%t] (%n) : memref<?xf32>
  gpu.dealloc %1 : memref<?xf32>
  return %t1 : !gpu.async.token
}

// CHECK-NEXT:   func.func @launch_of_one(%arg0: index, %arg1: memref<?x?x?xindex>) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     gpu.launch blocks(%arg2, %arg3, %arg4) in (%arg8 = %arg0, %arg9 = %c1, %arg10 = %c1) threads(%arg5, %arg6, %arg7) in (%arg11 = %arg0, %arg12 = %arg0, %arg13 = %c1) {
// CHECK-NEXT:       memref.store %c0, %arg1[%arg2, %c0, %c0] : memref<?x?x?xindex>
// CHECK-NEXT:       memref.store %arg9, %arg1[%arg5, %arg6, %c0] : memref<?x?x?xindex>
// CHECK-NEXT:       gpu.terminator
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @launch_of_one(%n: index, %m: memref<?x?x?xindex>) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %c1) {
    memref.store %by, %m[%bx, %by, %bz] : memref<?x?x?xindex>
    memref.store %gy, %m[%tx, %ty, %tz] : memref<?x?x?xindex>
    gpu.terminator
  }
  return
}

// CHECK-NEXT:   func.func @waits(%arg0: !gpu.async.token, %arg1: !gpu.async.token) -> !gpu.async.token {
// CHECK-NEXT:     %0 = gpu.wait async [%arg1, %arg0]
// CHECK-NEXT:     gpu.wait [%arg0]
// CHECK-NEXT:     return %0 : !gpu.async.token
// CHECK-NEXT:   }
func.func @waits(%a: !gpu.async.token, %b: !gpu.async.token) -> !gpu.async.token {
  %0 = gpu.wait async
  %1 = gpu.wait async [%0]
  %2 = gpu.wait async [%a]
  %3 = gpu.wait async [%b, %1, %2]
  gpu.wait
  gpu.wait [%0]
  gpu.wait [%a]
  return %3 : !gpu.async.token
}

// CHECK-NEXT:   gpu.module @kernels {
// CHECK-NEXT:     gpu.func @ids(%arg0: memref<?xindex>) kernel attributes {known_block_size = array<i32: 128, 1, 1>, known_grid_size = array<i32: 4, 1, 1>} {
// CHECK-NEXT:       %block_dim_x = gpu.block_dim  x
// CHECK-NEXT:       %thread_id_y = gpu.thread_id  y
// CHECK-NEXT:       %grid_dim_x = gpu.grid_dim  x
// CHECK-NEXT:       %block_id_z = gpu.block_id  z
// CHECK-NEXT:       %0 = arith.addi %block_dim_x, %thread_id_y : index
// CHECK-NEXT:       %1 = arith.addi %grid_dim_x, %block_id_z : index
// CHECK-NEXT:       memref.store %0, %arg0[%1] : memref<?xindex>
// CHECK-NEXT:       gpu.return
// CHECK-NEXT:     }
// CHECK-NEXT:     gpu.func @barriers() {
// CHECK-NEXT:       gpu.barrier
// CHECK-NEXT:       gpu.return
// CHECK-NEXT:     }
// CHECK-NEXT:     gpu.func @uniform_reductions(%arg0: f32, %arg1: index) -> (f32, f32) {
// CHECK-NEXT:       %0 = gpu.all_reduce  add %arg0 {
// CHECK-NEXT:       } : (f32) -> f32
// CHECK-NEXT:       gpu.return %0, %arg0 : f32, f32
// CHECK-NEXT:     }
// CHECK-NEXT:     gpu.func @broadcasts(%arg0: f32, %arg1: i32) -> (f32, f32) {
// CHECK-NEXT:       %0 = gpu.subgroup_broadcast %arg0,  first_active_lane : f32
// CHECK-NEXT:       %1 = gpu.subgroup_broadcast %arg0,  specific_lane %arg1 : f32
// CHECK-NEXT:       gpu.return %0, %1 : f32, f32
// CHECK-NEXT:     }
// CHECK-NEXT:     gpu.func @warp(%arg0: index, %arg1: vector<4xf32>) -> vector<4xf32> {
// CHECK-NEXT:       %cst = arith.constant dense<1.000000e+00> : vector<128xf32>
// CHECK-NEXT:       %0:2 = gpu.warp_execute_on_lane_0(%arg0)[32] -> (vector<4xf32>, vector<4xf32>) {
// CHECK-NEXT:         gpu.yield %cst, %cst : vector<128xf32>, vector<128xf32>
// CHECK-NEXT:       }
// CHECK-NEXT:       gpu.return %0#0 : vector<4xf32>
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
gpu.module @kernels {
  gpu.func @ids(%m: memref<?xindex>) kernel attributes {known_block_size = array<i32: 128, 1, 1>, known_grid_size = array<i32: 4, 1, 1>} {
    %0 = gpu.block_dim x
    %1 = gpu.thread_id y
    %2 = gpu.grid_dim x
    %3 = gpu.block_id z
    %4 = arith.addi %0, %1 : index
    %5 = arith.addi %2, %3 : index
    memref.store %4, %m[%5] : memref<?xindex>
    gpu.return
  }
  gpu.func @barriers() {
    gpu.barrier
    gpu.barrier
    gpu.return
  }
  gpu.func @uniform_reductions(%x: f32, %n: index) -> (f32, f32) {
    %0 = gpu.all_reduce add %x {} : (f32) -> f32
    %1 = gpu.subgroup_reduce add %x cluster(size = 1) : (f32) -> f32
    gpu.return %0, %1 : f32, f32
  }
  gpu.func @broadcasts(%x: f32, %i: i32) -> (f32, f32) {
    %0 = gpu.subgroup_broadcast %x, first_active_lane : f32
    %1 = gpu.subgroup_broadcast %0, first_active_lane : f32
    %2 = gpu.subgroup_broadcast %x, specific_lane %i : f32
    gpu.return %1, %2 : f32, f32
  }
  gpu.func @warp(%lane: index, %v: vector<4xf32>) -> vector<4xf32> {
    %c = arith.constant dense<1.0> : vector<128xf32>
    %0:2 = gpu.warp_execute_on_lane_0(%lane)[32] -> (vector<4xf32>, vector<4xf32>) {
      gpu.yield %c, %c : vector<128xf32>, vector<128xf32>
    }
    gpu.return %0#0 : vector<4xf32>
  }
}
