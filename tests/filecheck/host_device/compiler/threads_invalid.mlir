// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: xgpu-opt --host-runtime-calls --host-inline-waits --split-input-file --verify-diagnostics %s

llvm.func @exit_in_function() {
  // expected-error @below {{'nvvm.exit' in a function that is not a kernel}}
  nvvm.exit
  llvm.return
}

// -----

llvm.func @k(%n: i32) attributes {nvvm.kernel} {
  // expected-error @below {{private memory of a size known only at run time}}
  %a = llvm.alloca %n x f32 : (i32) -> !llvm.ptr
  llvm.return
}

// -----

llvm.func @unknown()
llvm.func @k() attributes {nvvm.kernel} {
  // expected-error @below {{call of 'unknown', which is not defined and not known to the device}}
  llvm.call @unknown() : () -> ()
  llvm.return
}

// -----

llvm.func @k(%x: f32) attributes {nvvm.kernel} {
  // expected-error @below {{inline assembly 'frobnicate.b32 $0, $1;' is not supported on the host device}}
  %0 = llvm.inline_asm "frobnicate.b32 $0, $1;", "=f,f" %x : (f32) -> f32
  llvm.return
}

// -----

llvm.func @k(%tm: !llvm.ptr<6>, %a: i64) attributes {nvvm.kernel} {
  // expected-error @below {{'llvm.nvvm.tcgen05.cp.128x128b.b6x16_p32.cg1' is not supported on the host device: it is not known which bits of a byte elements of 6 bits become}}
  nvvm.tcgen05.cp %tm, %a {shape = #nvvm.tcgen05_cp_shape<shape_128x128b>, srcFormat = #nvvm.tcgen05_cp_src_fmt<b6x16_p32>}
  llvm.return
}

// -----

// expected-error @below {{function 'r' waits and calls itself}}
llvm.func @r() {
  nvvm.barrier0
  llvm.call @r() : () -> ()
  llvm.return
}

// -----

llvm.mlir.global internal @tile() {addr_space = 3 : i32} : !llvm.array<5 x f32>
// expected-error @below {{a variable that holds the address of shared memory}}
llvm.mlir.global internal @pointer() : !llvm.ptr<3> {
  %0 = llvm.mlir.addressof @tile : !llvm.ptr<3>
  llvm.return %0 : !llvm.ptr<3>
}
llvm.func @k() attributes {nvvm.kernel} {
  llvm.return
}
