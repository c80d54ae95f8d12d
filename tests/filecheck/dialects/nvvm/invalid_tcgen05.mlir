// RUN: xgpu-opt %s --split-input-file --verify-diagnostics

// What operations on tensor memory cannot be.

llvm.func @f(%t: !llvm.ptr<6>, %l: i64, %i: i32, %e: i1, %v: vector<2xi32>, %m4: vector<4xi32>, %m8: vector<8xi32>, %s: !llvm.ptr<3>) {
  // expected-error@+1 {{Shape 64x128b requires multicast warpx2_01_23 or warpx2_02_13 for tcgen05.cp Op}}
  nvvm.tcgen05.cp %t, %l {shape = #nvvm.tcgen05_cp_shape<shape_64x128b>}
  llvm.return
}

// -----

llvm.func @f(%t: !llvm.ptr<6>, %l: i64, %i: i32, %e: i1, %v: vector<2xi32>, %m4: vector<4xi32>, %m8: vector<8xi32>, %s: !llvm.ptr<3>) {
  // expected-error@+1 {{Shape 32x128b requires multicast warpx4 for tcgen05.cp Op}}
  nvvm.tcgen05.cp %t, %l {shape = #nvvm.tcgen05_cp_shape<shape_32x128b>}
  llvm.return
}

// -----

llvm.func @f(%t: !llvm.ptr<6>, %l: i64, %i: i32, %e: i1, %v: vector<2xi32>, %m4: vector<4xi32>, %m8: vector<8xi32>, %s: !llvm.ptr<3>) {
  // expected-error@+1 {{Invalid multicast type for tcgen05.cp Op}}
  nvvm.tcgen05.cp %t, %l {shape = #nvvm.tcgen05_cp_shape<shape_128x256b>, multicast = #nvvm.tcgen05_cp_multicast<warpx4>}
  llvm.return
}

// -----

llvm.func @f(%t: !llvm.ptr<6>, %l: i64, %i: i32, %e: i1, %v: vector<2xi32>, %m4: vector<4xi32>, %m8: vector<8xi32>, %s: !llvm.ptr<3>) {
  // expected-error@+1 {{shape 16x32bx2 requires offset argument}}
  %0 = nvvm.tcgen05.ld %t {shape = #nvvm.tcgen05_ldst_shape<shape_16x32bx2>} : i32
  llvm.return
}

// -----

llvm.func @f(%t: !llvm.ptr<6>, %l: i64, %i: i32, %e: i1, %v: vector<2xi32>, %m4: vector<4xi32>, %m8: vector<8xi32>, %s: !llvm.ptr<3>) {
  // expected-error@+1 {{offset argument is only supported for shape 16x32bx2}}
  %0 = nvvm.tcgen05.ld %t, %l {shape = #nvvm.tcgen05_ldst_shape<shape_16x64b>} : i32
  llvm.return
}

// -----

llvm.func @f(%t: !llvm.ptr<6>, %l: i64, %i: i32, %e: i1, %v: vector<2xi32>, %m4: vector<4xi32>, %m8: vector<8xi32>, %s: !llvm.ptr<3>) {
  // expected-error@+1 {{invalid result type length 1 for shape shape_16x128b in tcgen05.ld Op}}
  %0 = nvvm.tcgen05.ld %t {shape = #nvvm.tcgen05_ldst_shape<shape_16x128b>} : i32
  llvm.return
}

// -----

llvm.func @f(%t: !llvm.ptr<6>, %l: i64, %i: i32, %e: i1, %v: vector<2xi32>, %m4: vector<4xi32>, %m8: vector<8xi32>, %s: !llvm.ptr<3>) {
  // expected-error@+1 {{invalid result type length 2 for shape shape_16x256b in tcgen05.ld Op}}
  %0 = nvvm.tcgen05.ld %t {shape = #nvvm.tcgen05_ldst_shape<shape_16x256b>} : vector<2xi32>
  llvm.return
}

// -----

llvm.func @f(%t: !llvm.ptr<6>, %l: i64, %i: i32, %e: i1, %v: vector<2xi32>, %m4: vector<4xi32>, %m8: vector<8xi32>, %s: !llvm.ptr<3>) {
  // expected-error@+2 {{offset argument is only supported for shape 16x32bx2}}
  // expected-error@+1 {{invalid result type length 2 for shape shape_16x256b in tcgen05.ld Op}}
  %0 = nvvm.tcgen05.ld %t, %l {shape = #nvvm.tcgen05_ldst_shape<shape_16x256b>} : vector<2xi32>
  llvm.return
}

// -----

llvm.func @f(%t: !llvm.ptr<6>, %l: i64, %i: i32, %e: i1, %v: vector<2xi32>, %m4: vector<4xi32>, %m8: vector<8xi32>, %s: !llvm.ptr<3>) {
  // expected-error@+1 {{'nvvm.tcgen05.ld' op result #0 must be 32-bit signless integer or vector of 32-bit signless integer values of length 2/4/8/16/32/64/128, but got 'vector<3xi32>'}}
  %0 = nvvm.tcgen05.ld %t {shape = #nvvm.tcgen05_ldst_shape<shape_16x64b>} : vector<3xi32>
  llvm.return
}

// -----

llvm.func @f(%t: !llvm.ptr<6>, %l: i64, %i: i32, %e: i1, %v: vector<2xi32>, %m4: vector<4xi32>, %m8: vector<8xi32>, %s: !llvm.ptr<3>) {
  // expected-error@+1 {{shape 16x32bx2 requires offset argument}}
  nvvm.tcgen05.st %t, %i {shape = #nvvm.tcgen05_ldst_shape<shape_16x32bx2>} : i32
  llvm.return
}

// -----

llvm.func @f(%t: !llvm.ptr<6>, %l: i64, %i: i32, %e: i1, %v: vector<2xi32>, %m4: vector<4xi32>, %m8: vector<8xi32>, %s: !llvm.ptr<3>) {
  // expected-error@+1 {{invalid input length 1 for shape shape_16x128b in tcgen05.st Op}}
  nvvm.tcgen05.st %t, %i {shape = #nvvm.tcgen05_ldst_shape<shape_16x128b>} : i32
  llvm.return
}

// -----

llvm.func @f(%t: !llvm.ptr<6>, %l: i64, %i: i32, %e: i1, %v: vector<2xi32>, %m4: vector<4xi32>, %m8: vector<8xi32>, %s: !llvm.ptr<3>) {
  // expected-error@+1 {{invalid input length 2 for shape shape_16x256b in tcgen05.st Op}}
  nvvm.tcgen05.st %t, %v {shape = #nvvm.tcgen05_ldst_shape<shape_16x256b>} : vector<2xi32>
  llvm.return
}

// -----

llvm.func @f(%t: !llvm.ptr<6>, %l: i64, %i: i32, %e: i1, %v: vector<2xi32>, %m4: vector<4xi32>, %m8: vector<8xi32>, %s: !llvm.ptr<3>) {
  // expected-error@+1 {{Disable Output Lane of length 4 is incompatible with CtaGroupAttr}}
  nvvm.tcgen05.mma %t, %l, %l, %i, %e mask = %m4 {ctaGroup = #nvvm.cta_group<cta_2>, kind = #nvvm.tcgen05_mma_kind<f16>} : (!llvm.ptr<6>, i64, i64, i32, i1, vector<4xi32>)
  llvm.return
}

// -----

llvm.func @f(%t: !llvm.ptr<6>, %l: i64, %i: i32, %e: i1, %v: vector<2xi32>, %m4: vector<4xi32>, %m8: vector<8xi32>, %s: !llvm.ptr<3>) {
  // expected-error@+1 {{Disable Output Lane of length 8 is incompatible with CtaGroupAttr}}
  nvvm.tcgen05.mma %t, %l, %l, %i, %e mask = %m8 {ctaGroup = #nvvm.cta_group<cta_1>, kind = #nvvm.tcgen05_mma_kind<f16>} : (!llvm.ptr<6>, i64, i64, i32, i1, vector<8xi32>)
  llvm.return
}

// -----

llvm.func @f(%t: !llvm.ptr<6>, %l: i64, %i: i32, %e: i1, %v: vector<2xi32>, %m4: vector<4xi32>, %m8: vector<8xi32>, %s: !llvm.ptr<3>) {
  // expected-error@+1 {{A-shift can be applied only when matrix A is in tensor memory}}
  nvvm.tcgen05.mma %t, %l, %l, %i, %e {aShift, ctaGroup = #nvvm.cta_group<cta_1>, kind = #nvvm.tcgen05_mma_kind<f16>} : (!llvm.ptr<6>, i64, i64, i32, i1)
  llvm.return
}

// -----

llvm.func @f(%t: !llvm.ptr<6>, %l: i64, %i: i32, %e: i1, %v: vector<2xi32>, %m4: vector<4xi32>, %m8: vector<8xi32>, %s: !llvm.ptr<3>) {
  // expected-error@+1 {{Cannot use collector buffer operation fill or use with ashift}}
  nvvm.tcgen05.mma %t, %t, %l, %i, %e {aShift, collectorOp = #nvvm.tcgen05_mma_collectorop<fill>, ctaGroup = #nvvm.cta_group<cta_1>, kind = #nvvm.tcgen05_mma_kind<f16>} : (!llvm.ptr<6>, !llvm.ptr<6>, i64, i32, i1)
  llvm.return
}

// -----

llvm.func @f(%t: !llvm.ptr<6>, %l: i64, %i: i32, %e: i1, %v: vector<2xi32>, %m4: vector<4xi32>, %m8: vector<8xi32>, %s: !llvm.ptr<3>) {
  // expected-error@+1 {{Disable Output Lane of length 4 is incompatible with CtaGroupAttr}}
  nvvm.tcgen05.mma.sp %t, %l, %l, %i, %e, %t mask = %m4 {ctaGroup = #nvvm.cta_group<cta_2>, kind = #nvvm.tcgen05_mma_kind<f16>} : (!llvm.ptr<6>, i64, i64, i32, i1, !llvm.ptr<6>, vector<4xi32>)
  llvm.return
}

// -----

llvm.func @f(%t: !llvm.ptr<6>, %l: i64, %i: i32, %e: i1, %v: vector<2xi32>, %m4: vector<4xi32>, %m8: vector<8xi32>, %s: !llvm.ptr<3>) {
  // expected-error@+1 {{Cannot use collector buffer operation fill or use with ashift}}
  nvvm.tcgen05.mma.sp %t, %t, %l, %i, %e, %t {aShift, collectorOp = #nvvm.tcgen05_mma_collectorop<use>, ctaGroup = #nvvm.cta_group<cta_1>, kind = #nvvm.tcgen05_mma_kind<f16>} : (!llvm.ptr<6>, !llvm.ptr<6>, i64, i32, i1, !llvm.ptr<6>)
  llvm.return
}

// -----

llvm.func @f(%t: !llvm.ptr<6>, %l: i64, %i: i32, %e: i1, %v: vector<2xi32>, %m4: vector<4xi32>, %m8: vector<8xi32>, %s: !llvm.ptr<3>) {
  // expected-error@+1 {{A-shift can be applied only when matrix A is in tensor memory}}
  nvvm.tcgen05.mma.sp %t, %l, %l, %i, %e, %t {aShift, ctaGroup = #nvvm.cta_group<cta_1>, kind = #nvvm.tcgen05_mma_kind<f16>} : (!llvm.ptr<6>, i64, i64, i32, i1, !llvm.ptr<6>)
  llvm.return
}

// -----

llvm.func @f(%t: !llvm.ptr<6>, %l: i64, %i: i32, %e: i1, %v: vector<2xi32>, %m4: vector<4xi32>, %m8: vector<8xi32>, %s: !llvm.ptr<3>) {
  // expected-error@+1 {{mxf4nvf4 requires block scale attribute}}
  nvvm.tcgen05.mma.block_scale %t, %l, %l, %i, %e, %t, %t {ctaGroup = #nvvm.cta_group<cta_1>, kind = #nvvm.block_scale_kind<mxf4nvf4>} : (!llvm.ptr<6>, i64, i64, i32, i1, !llvm.ptr<6>, !llvm.ptr<6>)
  llvm.return
}

// -----

llvm.func @f(%t: !llvm.ptr<6>, %l: i64, %i: i32, %e: i1, %v: vector<2xi32>, %m4: vector<4xi32>, %m8: vector<8xi32>, %s: !llvm.ptr<3>) {
  // expected-error@+1 {{mxf4 kind does not support block16 attribute}}
  nvvm.tcgen05.mma.block_scale %t, %l, %l, %i, %e, %t, %t {blockScale = #nvvm.tcgen05_mma_block_scale<block16>, ctaGroup = #nvvm.cta_group<cta_1>, kind = #nvvm.block_scale_kind<mxf4>} : (!llvm.ptr<6>, i64, i64, i32, i1, !llvm.ptr<6>, !llvm.ptr<6>)
  llvm.return
}

// -----

llvm.func @f(%t: !llvm.ptr<6>, %l: i64, %i: i32, %e: i1, %v: vector<2xi32>, %m4: vector<4xi32>, %m8: vector<8xi32>, %s: !llvm.ptr<3>) {
  // expected-error@+1 {{mxf8f6f4 kind does not support block16 attribute}}
  nvvm.tcgen05.mma.sp.block_scale %t, %l, %l, %i, %e, %t, %t, %t {blockScale = #nvvm.tcgen05_mma_block_scale<block16>, ctaGroup = #nvvm.cta_group<cta_1>, kind = #nvvm.block_scale_kind<mxf8f6f4>} : (!llvm.ptr<6>, i64, i64, i32, i1, !llvm.ptr<6>, !llvm.ptr<6>, !llvm.ptr<6>)
  llvm.return
}

// -----

llvm.func @f(%t: !llvm.ptr<6>, %l: i64, %i: i32, %e: i1, %v: vector<2xi32>, %m4: vector<4xi32>, %m8: vector<8xi32>, %s: !llvm.ptr<3>) {
  // expected-error@+1 {{mxf4nvf4 requires block scale attribute}}
  nvvm.tcgen05.mma.sp.block_scale %t, %l, %l, %i, %e, %t, %t, %t {ctaGroup = #nvvm.cta_group<cta_1>, kind = #nvvm.block_scale_kind<mxf4nvf4>} : (!llvm.ptr<6>, i64, i64, i32, i1, !llvm.ptr<6>, !llvm.ptr<6>, !llvm.ptr<6>)
  llvm.return
}

// -----

llvm.func @f(%t: !llvm.ptr<6>, %l: i64, %i: i32, %e: i1, %v: vector<2xi32>, %m4: vector<4xi32>, %m8: vector<8xi32>, %s: !llvm.ptr<3>) {
  // expected-error@+1 {{'nvvm.tcgen05.shift' op operand #0 must be LLVM pointer in address space 6, but got '!llvm.ptr<3>'}}
  nvvm.tcgen05.shift %s : !llvm.ptr<3>
  llvm.return
}

// -----

llvm.func @f(%t: !llvm.ptr<6>, %l: i64, %i: i32, %e: i1, %v: vector<2xi32>, %m4: vector<4xi32>, %m8: vector<8xi32>, %s: !llvm.ptr<3>) {
  // expected-error@+1 {{'nvvm.tcgen05.dealloc' op operand #0 must be LLVM pointer in address space 6, but got '!llvm.ptr<3>'}}
  nvvm.tcgen05.dealloc %s, %i : !llvm.ptr<3>, i32
  llvm.return
}

// -----

llvm.func @f(%t: !llvm.ptr<6>, %l: i64, %i: i32, %e: i1, %v: vector<2xi32>, %m4: vector<4xi32>, %m8: vector<8xi32>, %s: !llvm.ptr<3>) {
  // expected-error@+1 {{'nvvm.tcgen05.alloc' op operand #1 must be 32-bit signless integer, but got 'i64'}}
  nvvm.tcgen05.alloc %s, %l : !llvm.ptr<3>, i64
  llvm.return
}
