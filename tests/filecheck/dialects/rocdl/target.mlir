// RUN: xgpu-opt %s | filecheck %s

// CHECK: gpu.module @plain [#rocdl.target] {
gpu.module @plain [#rocdl.target<O = 2>] {
}
// CHECK: gpu.module @both [#nvvm.target, #rocdl.target<chip = "gfx90a", flags = {wave64}>] {
gpu.module @both [#nvvm.target, #rocdl.target<chip = "gfx90a", flags = {wave64}>] {
}
// CHECK: gpu.binary @binary [#gpu.object<#rocdl.target, "blob">]
gpu.binary @binary [#gpu.object<#rocdl.target, "blob">]
