// RUN: xgpu-opt %s --split-input-file --lower-affine --convert-linalg-to-affine-loops --mem2reg=region-simplify=false --sccp --mlir-print-debuginfo --mlir-print-local-scope | filecheck %s

// Arguments of new blocks have the location of what the block is made for; a constant that stands
// for what is known of several values has none.

func.func @reduction(%a: memref<4xf32>) -> f32 {
  // CHECK: scf.parallel
  // CHECK: scf.reduce(%{{.*}} : f32) {
  // CHECK-NEXT: ^bb0(%{{.*}}: f32 loc("end"), %{{.*}}: f32 loc("end")):
  // CHECK-NEXT: arith.addf %{{.*}}, %{{.*}} : f32 loc("loop")
  // CHECK-NEXT: scf.reduce.return %{{.*}} : f32 loc("loop")
  // CHECK-NEXT: } loc("end")
  %0 = affine.parallel (%i loc("i")) = (0) to (4) reduce ("addf") -> f32 {
    %1 = affine.load %a[%i] : memref<4xf32> loc("load")
    affine.yield %1 : f32 loc("end")
  } loc("loop")
  return %0 : f32
}

// -----

// CHECK: affine.for %{{.*}} loc("copy") = 0 to 4 {
func.func @loops(%a: memref<4xf32>, %b: memref<4xf32>) {
  linalg.copy ins(%a : memref<4xf32>) outs(%b : memref<4xf32>) loc("copy")
  return
}

// -----

// CHECK: ^bb2(%{{.*}}: f32 loc("slot")):
func.func @joined(%c: i1, %x: f32, %y: f32) -> f32 {
  %slot = memref.alloca() : memref<f32> loc("slot")
  memref.store %x, %slot[] : memref<f32>
  cf.cond_br %c, ^a, ^b
^a:
  memref.store %y, %slot[] : memref<f32>
  cf.br ^b
^b:
  %0 = memref.load %slot[] : memref<f32>
  return %0 : f32
}

// -----

// CHECK: arith.constant 3 : i32 loc(unknown)
func.func @known() -> i32 {
  %c1 = arith.constant 1 : i32 loc("one")
  %c2 = arith.constant 2 : i32 loc("two")
  %0 = arith.addi %c1, %c2 : i32 loc("sum")
  return %0 : i32
}

// -----

func.func @masked(%m: vector<4xi1>, %a: memref<4xf32>, %i: index, %v: vector<4xf32>) {
  vector.mask %m { vector.transfer_write %v, %a[%i] : vector<4xf32>, memref<4xf32> } : vector<4xi1>
  return
}
