// RUN: xgpu-opt %s --inline | filecheck %s --match-full-lines

// Calls are inlined in modules within the module, each of the function beside it. A kernel takes
// what is inlined in its loops and branches, and not directly: the gpu dialect does not say that
// its own regions do.

// CHECK: module {
// CHECK-NEXT:   gpu.module @kernels {
// CHECK-NEXT:     func.func private @kept(%arg0: f32) -> f32 {
// CHECK-NEXT:       return %arg0 : f32
// CHECK-NEXT:     }
// CHECK-NEXT:     func.func @twice(%arg0: f32) -> f32 {
// CHECK-NEXT:       %0 = math.tanh %arg0 : f32
// CHECK-NEXT:       %1 = arith.addf %0, %0 : f32
// CHECK-NEXT:       return %1 : f32
// CHECK-NEXT:     }
// CHECK-NEXT:     gpu.func @k(%arg0: f32, %arg1: memref<f32>, %arg2: i1) kernel {
// CHECK-NEXT:       scf.if %arg2 {
// CHECK-NEXT:         %1 = math.tanh %arg0 : f32
// CHECK-NEXT:         %2 = arith.addf %1, %1 : f32
// CHECK-NEXT:         memref.store %2, %arg1[] : memref<f32>
// CHECK-NEXT:       }
// CHECK-NEXT:       %0 = func.call @kept(%arg0) : (f32) -> f32
// CHECK-NEXT:       memref.store %0, %arg1[] : memref<f32>
// CHECK-NEXT:       gpu.return
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT:   module @inner {
// CHECK-NEXT:     func.func private @same(f32) -> f32
// CHECK-NEXT:     func.func @outside(%arg0: f32) -> f32 {
// CHECK-NEXT:       %0 = call @same(%arg0) : (f32) -> f32
// CHECK-NEXT:       return %0 : f32
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @launch(%arg0: index, %arg1: f32, %arg2: memref<f32>) {
// CHECK-NEXT:     gpu.launch blocks(%arg3, %arg4, %arg5) in (%arg9 = %arg0, %arg10 = %arg0, %arg11 = %arg0) threads(%arg6, %arg7, %arg8) in (%arg12 = %arg0, %arg13 = %arg0, %arg14 = %arg0) {
// CHECK-NEXT:       %0 = func.call @same(%arg1) : (f32) -> f32
// CHECK-NEXT:       memref.store %0, %arg2[] : memref<f32>
// CHECK-NEXT:       gpu.terminator
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @same(%arg0: f32) -> f32 {
// CHECK-NEXT:     return %arg0 : f32
// CHECK-NEXT:   }
// CHECK-NEXT: }
gpu.module @kernels {
  func.func private @helper(%a: f32) -> f32 {
    %0 = math.tanh %a : f32
    return %0 : f32
  }
  func.func private @kept(%a: f32) -> f32 {
    return %a : f32
  }
  func.func @twice(%a: f32) -> f32 {
    %0 = func.call @helper(%a) : (f32) -> f32
    %1 = arith.addf %0, %0 : f32
    return %1 : f32
  }
  gpu.func @k(%a: f32, %m: memref<f32>, %b: i1) kernel {
    scf.if %b {
      %h = func.call @twice(%a) : (f32) -> f32
      memref.store %h, %m[] : memref<f32>
    }
    %0 = func.call @kept(%a) : (f32) -> f32
    memref.store %0, %m[] : memref<f32>
    gpu.return
  }
}
module @inner {
  func.func private @same(f32) -> f32
  func.func @outside(%a: f32) -> f32 {
    %0 = func.call @same(%a) : (f32) -> f32
    return %0 : f32
  }
}
func.func @launch(%n: index, %a: f32, %m: memref<f32>) {
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %n, %gz = %n) threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n) {
    %r = func.call @same(%a) : (f32) -> f32
    memref.store %r, %m[] : memref<f32>
    gpu.terminator
  }
  return
}
func.func @same(%a: f32) -> f32 {
  return %a : f32
}
