// RUN: xgpu-opt %s | filecheck %s --match-full-lines
// RUN: xgpu-opt --mlir-print-op-generic %s | xgpu-opt | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   gpu.binary @plain  [#gpu.object<#nvvm.target, "\7FELF">]
gpu.binary @plain [#gpu.object<#nvvm.target, "\7FELF">]

// CHECK-NEXT:   gpu.binary @objects <#gpu.select_object<1 : i64>> [#gpu.object<#nvvm.target<chip = "sm_90">, offload = "BC">, #gpu.object<#nvvm.target<chip = "sm_90">, assembly = "// PTX">, #gpu.object<#nvvm.target, properties = {O = 3 : i32}, bin = "\7FELF">, #gpu.object<#nvvm.target, "P\EDU\BA">]
gpu.binary @objects <#gpu.select_object<1 : i64>> [#gpu.object<#nvvm.target<chip = "sm_90">, offload = "BC">, #gpu.object<#nvvm.target<chip = "sm_90">, assembly = "// PTX">, #gpu.object<#nvvm.target, properties = {O = 3 : i32}, bin = "\7FELF">, #gpu.object<#nvvm.target, fatbin = "\50\ED\55\BA">]

// CHECK-NEXT:   gpu.binary @by_target <#gpu.select_object<#nvvm.target>> {tag} [#gpu.object<#nvvm.target, bin = "a">]
gpu.binary @by_target <#gpu.select_object<#nvvm.target>> {tag} [#gpu.object<#nvvm.target, bin = "a">]

// CHECK-NEXT:   gpu.binary @described  [#gpu.object<#nvvm.target, kernels = <[#gpu.kernel_metadata<"a", (i32) -> (), metadata = {sgpr = 5 : i64}>, #gpu.kernel_metadata<"b", () -> (), arg_attrs = [], metadata = {a = 1 : i32}>]>, bin = "x">]
gpu.binary @described [#gpu.object<#nvvm.target, kernels = #gpu.kernel_table<[#gpu.kernel_metadata<"a", (i32) -> (), metadata = {sgpr = 5 : i64}>, #gpu.kernel_metadata<"b", () -> (), arg_attrs = [], metadata = {a = 1 : i32}>]>, bin = "x">]

// A target of a dialect that is kept as text selects an object.
// CHECK-NEXT:   gpu.binary @foreign <#gpu.select_object<#spirv.target_env<#spirv.vce<v1.0, [Kernel], []>, api=OpenCL, #spirv.resource_limits<>>>> [#gpu.object<#nvvm.target, "A">, #gpu.object<#spirv.target_env<#spirv.vce<v1.0, [Kernel], []>, api=OpenCL, #spirv.resource_limits<>>, "B">]
gpu.binary @foreign <#gpu.select_object<#spirv.target_env<#spirv.vce<v1.0, [Kernel], []>, api=OpenCL, #spirv.resource_limits<>>>> [#gpu.object<#nvvm.target, "A">, #gpu.object<#spirv.target_env<#spirv.vce<v1.0, [Kernel], []>, api=OpenCL, #spirv.resource_limits<>>, "B">]

// CHECK-NEXT:   gpu.module @targets [#nvvm.target, #rocdl.target, #xevm.target, #spirv.target_env<#spirv.vce<v1.0, [Shader], []>, #spirv.resource_limits<>>] {
// CHECK-NEXT:   }
// CHECK-NEXT: }
gpu.module @targets [#nvvm.target, #rocdl.target, #xevm.target, #spirv.target_env<#spirv.vce<v1.0, [Shader], []>, #spirv.resource_limits<>>] {
}
