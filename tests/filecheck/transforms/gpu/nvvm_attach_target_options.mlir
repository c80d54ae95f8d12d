// RUN: xgpu-opt --nvvm-attach-target="module=fast.* fast=true ftz=true O=3 chip=sm_90 features=+ptx80" %s | filecheck %s --match-full-lines
// RUN: xgpu-opt --nvvm-attach-target="triple=nvptx64 l=a.bc,b.bc ptxas-cmd-options=-v" %s | filecheck %s --match-full-lines --check-prefix=LINK

// CHECK: module {
// CHECK-NEXT:   gpu.module @fast_one [#nvvm.target<O = 3, chip = "sm_90", features = "+ptx80", flags = {fast, ftz}>] {
// CHECK-NEXT:   }
// LINK: module {
// LINK-NEXT:   gpu.module @fast_one [#nvvm.target<triple = "nvptx64", flags = {"ptxas-cmd-options" = ["-v"]}, link = ["a.bc", "b.bc"]>] {
// LINK-NEXT:   }
gpu.module @fast_one {
}

// CHECK-NEXT:   gpu.module @other [#nvvm.target<chip = "sm_80">] {
// CHECK-NEXT:   }
// CHECK-NEXT: }
// LINK-NEXT:   gpu.module @other [#nvvm.target<chip = "sm_80">, #nvvm.target<triple = "nvptx64", flags = {"ptxas-cmd-options" = ["-v"]}, link = ["a.bc", "b.bc"]>] {
// LINK-NEXT:   }
// LINK-NEXT: }
gpu.module @other [#nvvm.target<chip = "sm_80">] {
}

// A pattern that is none attaches nothing in MLIR.
// RUN: not xgpu-opt --nvvm-attach-target="module=fast[" %s 2>&1 | filecheck %s --check-prefix=PATTERN
// PATTERN: error: module is 'fast[', no regular expression: unterminated character set at position 4
