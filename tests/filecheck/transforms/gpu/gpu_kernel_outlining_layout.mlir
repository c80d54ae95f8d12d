// RUN: xgpu-opt %s --gpu-kernel-outlining="data-layout-str=#dlti.dl_spec<index=32:i32>" | filecheck %s

// A module that is there already gets the layout, too.
// CHECK: gpu.module @mine attributes {dlti.dl_spec = #dlti.dl_spec<index = 32 : i32>} {
// CHECK: gpu.func @other
// CHECK: gpu.func @k
// CHECK: gpu.module @f_kernel attributes {dlti.dl_spec = #dlti.dl_spec<index = 32 : i32>} {
gpu.module @mine {
  gpu.func @other() {
    gpu.return
  }
}
func.func @f(%n: index) {
  gpu.launch blocks(%a, %b, %c) in (%d = %n, %e = %n, %g = %n)
      threads(%h, %i, %j) in (%k = %n, %l = %n, %m = %n) module(@mine) function(@k) {
    gpu.terminator
  }
  gpu.launch blocks(%a, %b, %c) in (%d = %n, %e = %n, %g = %n)
      threads(%h, %i, %j) in (%k = %n, %l = %n, %m = %n) {
    gpu.terminator
  }
  return
}
