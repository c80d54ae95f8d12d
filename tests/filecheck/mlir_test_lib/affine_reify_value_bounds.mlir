// RUN: xgpu-opt --load-dialect-plugin=%mlir_test_lib %s --pass-pipeline="builtin.module(func.func(test-affine-reify-value-bounds),gpu.module(gpu.func(test-affine-reify-value-bounds)))" --split-input-file --verify-diagnostics

func.func @arithmetic(%a: index, %b: index) {
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %sum = arith.addi %a, %c5 : index
  %less = arith.subi %sum, %c2 : index
  %double = arith.muli %a, %c2 : index
  // expected-remark@+1 {{true}}
  "test.compare"(%a, %less) {cmp = "LT"} : (index, index) -> ()
  // expected-remark@+1 {{false}}
  "test.compare"(%a, %less) {cmp = "GE"} : (index, index) -> ()
  // expected-error@+1 {{unknown}}
  "test.compare"(%a, %double) {cmp = "LE"} : (index, index) -> ()
  // expected-error@+1 {{unknown}}
  "test.compare"(%a, %b) : (index, index) -> ()
  // expected-remark@+1 {{true}}
  "test.compare"(%double, %a, %a) {rhs_map = affine_map<(d0)[s0] -> (d0 + s0)>} : (index, index, index) -> ()
  return
}

// -----

func.func @affine(%a: index, %n: index) {
  %c8 = arith.constant 8 : index
  %half = affine.apply affine_map<(d0) -> (d0 floordiv 8)>(%a)
  %rest = affine.apply affine_map<(d0) -> (d0 mod 8)>(%a)
  %min = affine.min affine_map<(d0)[s0] -> (8, s0 - d0)>(%a)[%n]
  // expected-remark@+1 {{true}}
  "test.compare"(%rest, %c8) {cmp = "LT"} : (index, index) -> ()
  // expected-remark@+1 {{true}}
  "test.compare"(%min, %c8) {cmp = "LE"} : (index, index) -> ()
  // expected-remark@+1 {{true}}
  "test.compare"(%a, %half, %rest) {cmp = "EQ", rhs_map = affine_map<(d0, d1) -> (d0 * 8 + d1)>} : (index, index, index) -> ()
  return
}

// -----

func.func @loops(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc(%n) : memref<4x?xf32>
  %size = memref.dim %m, %c1 : memref<4x?xf32>
  scf.for %i = %c0 to %n step %c1 {
    // expected-remark@+1 {{true}}
    "test.compare"(%i, %size) {cmp = "LT"} : (index, index) -> ()
    // expected-remark@+1 {{true}}
    "test.compare"(%i, %c0) {cmp = "GE"} : (index, index) -> ()
  }
  return
}

// -----

func.func @launch(%n: index) {
  %c32 = arith.constant 32 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %n, %gz = %n)
      threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %n, %sz = %n) {
    // expected-remark@+1 {{true}}
    "test.compare"(%tx, %c32) {cmp = "LT"} : (index, index) -> ()
    // expected-remark@+1 {{true}}
    "test.compare"(%sx, %c32) {cmp = "EQ"} : (index, index) -> ()
    // expected-remark@+1 {{true}}
    "test.compare"(%by, %n) {cmp = "LT"} : (index, index) -> ()
    gpu.terminator
  }
  return
}

// -----

gpu.module @k {
  gpu.func @kernel() kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c64 = arith.constant 64 : index
    %x = gpu.thread_id x
    %lane = gpu.lane_id upper_bound 32
    // expected-remark@+1 {{true}}
    "test.compare"(%x, %c64) {cmp = "LT"} : (index, index) -> ()
    // expected-remark@+1 {{true}}
    "test.compare"(%lane, %c64) {cmp = "LT"} : (index, index) -> ()
    // expected-error@+1 {{unknown}}
    "test.compare"(%lane, %x) {cmp = "LT"} : (index, index) -> ()
    gpu.return
  }
}
