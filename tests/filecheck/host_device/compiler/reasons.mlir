// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels whose threads run by themselves, each with the reason.
// RUN: xgpu-opt --host-vectorize=block=64 --split-input-file %s | filecheck %s

// CHECK-LABEL: llvm.func @parted
// CHECK-SAME: host.form = "threads", host.reason = "threads of a block part before a barrier at 'llvm.cond_br' ('nvvm.read.ptx.sreg.tid.x' differs)"
gpu.module @m {
  llvm.func @parted(%n: i32) attributes {nvvm.kernel} {
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %inside = llvm.icmp "slt" %tid, %n : i32
    llvm.cond_br %inside, ^then, ^end
  ^then:
    nvvm.barrier0
    llvm.br ^end
  ^end:
    llvm.return
  }
}

// -----

// Ways on which threads part meet again with one value: it is the same for all of them.

// CHECK-LABEL: llvm.func @rejoined
// CHECK-SAME: host.form = "block-loops"
// CHECK-LABEL: llvm.func @joined
// CHECK-SAME: host.reason = "threads of a block part before a barrier at 'llvm.cond_br'"
gpu.module @m {
  llvm.func @rejoined(%n: i32, %p: !llvm.ptr) attributes {nvvm.kernel} {
    %one = llvm.mlir.constant(1 : i32) : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %inside = llvm.icmp "slt" %tid, %n : i32
    llvm.cond_br %inside, ^then, ^meet(%n : i32)
  ^then:
    llvm.store %tid, %p : i32, !llvm.ptr
    llvm.br ^meet(%n : i32)
  ^meet(%same: i32):
    %again = llvm.icmp "slt" %same, %one : i32
    llvm.cond_br %again, ^wait, ^end
  ^wait:
    nvvm.barrier0
    llvm.br ^end
  ^end:
    llvm.return
  }
  llvm.func @joined(%n: i32, %p: !llvm.ptr) attributes {nvvm.kernel} {
    %one = llvm.mlir.constant(1 : i32) : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %inside = llvm.icmp "slt" %tid, %n : i32
    llvm.cond_br %inside, ^then, ^meet(%n : i32)
  ^then:
    llvm.store %tid, %p : i32, !llvm.ptr
    llvm.br ^meet(%one : i32)
  ^meet(%other: i32):
    %again = llvm.icmp "slt" %other, %one : i32
    llvm.cond_br %again, ^wait, ^end
  ^wait:
    nvvm.barrier0
    llvm.br ^end
  ^end:
    llvm.return
  }
}

// -----

// CHECK-LABEL: llvm.func @calls
// CHECK-SAME: host.reason = "it calls 'other'"
gpu.module @m {
  llvm.func @other()
  llvm.func @calls() attributes {nvvm.kernel} {
    llvm.call @other() : () -> ()
    llvm.return
  }
}

// -----

// CHECK-LABEL: llvm.func @assembly
// CHECK-SAME: host.reason = "'llvm.intr.trap' has no form for a vector of threads"
gpu.module @m {
  llvm.func @assembly() attributes {nvvm.kernel} {
    llvm.inline_asm has_side_effects "trap;", "" : () -> ()
    llvm.return
  }
}

// -----

// CHECK-LABEL: llvm.func @tangled
// CHECK-SAME: host.reason = "its control flow is not reducible"
gpu.module @m {
  llvm.func @tangled(%a: i1, %b: i1) attributes {nvvm.kernel} {
    llvm.cond_br %a, ^first, ^second
  ^first:
    llvm.cond_br %b, ^second, ^end
  ^second:
    llvm.cond_br %a, ^first, ^end
  ^end:
    llvm.return
  }
}
