// What a pass makes has the location that it has in MLIR: that of the value or operation it stands for, or all of those
// that a declarative pattern has matched.
// RUN: xgpu-opt %s --canonicalize --mlir-print-debuginfo --mlir-print-local-scope | filecheck %s --match-full-lines
// RUN: xgpu-opt %s --one-shot-bufferize=bufferize-function-boundaries --mlir-print-debuginfo --mlir-print-local-scope | filecheck %s --match-full-lines --check-prefix=BUFFER
// RUN: xgpu-opt %s --linalg-generalize-named-ops --linalg-fuse-elementwise-ops --mlir-print-debuginfo --mlir-print-local-scope | filecheck %s --match-full-lines --check-prefix=LINALG
// RUN: xgpu-opt %s --convert-scf-to-cf --convert-math-to-libm --mlir-print-debuginfo --mlir-print-local-scope | filecheck %s --match-full-lines --check-prefix=CF
// RUN: xgpu-opt %s --pass-pipeline='builtin.module(func.func(convert-affine-for-to-gpu))' --mlir-print-debuginfo --mlir-print-local-scope | filecheck %s --match-full-lines --check-prefix=GPU

module {

func.func @reassociated(%x: i32 loc("x"), %p: i1 loc("p"), %y: i32 loc("y")) -> (i32, i32, i32, i1) {
  %c1 = arith.constant 1 : i32 loc("one")
  %c2 = arith.constant 2 : i32 loc("two")
  %true = arith.constant true loc("true")
  %0 = arith.addi %x, %c1 : i32 loc("inner")
  %1 = arith.addi %0, %c2 : i32 loc("outer")
  %2 = arith.subi %c2, %0 : i32 loc("difference")
  %not = arith.xori %p, %true : i1 loc("not")
  %s = arith.select %not, %x, %y : i32 loc("select")
  %less = arith.cmpi slt, %x, %y : i32 loc("less")
  %least = arith.xori %less, %true : i1 loc("not less")
  return %1, %2, %s, %least : i32, i32, i32, i1 loc("end")
} loc("reassociated")

func.func @combined(%p: i1 loc("p"), %x: f32 loc("x")) -> (f32, f32) {
  %a = scf.if %p -> (f32) {
    %0 = math.sin %x : f32 loc("sine")
    scf.yield %0 : f32 loc("first then")
  } else {
    scf.yield %x : f32 loc("first else")
  } loc("first")
  %b = scf.if %p -> (f32) {
    %0 = math.cos %x : f32 loc("cosine")
    scf.yield %0 : f32 loc("second then")
  } else {
    scf.yield %x : f32 loc("second else")
  } loc("second")
  return %a, %b : f32, f32 loc("end")
} loc("combined")

func.func @nested(%m: memref<?x?xf32> loc("m"), %n: index loc("n"), %x: f32 loc("x")) {
  %c0 = arith.constant 0 : index loc("zero")
  %c1 = arith.constant 1 : index loc("one")
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    scf.parallel (%j) = (%c0) to (%n) step (%c1) {
      memref.store %x, %m[%i, %j] : memref<?x?xf32> loc("store")
      scf.reduce loc("inner end")
    } loc("inner")
    scf.reduce loc("outer end")
  } loc("outer")
  return loc("end")
} loc("nested")

func.func @tensors(%a: tensor<?xf32> loc("a"), %b: tensor<?xf32> loc("b"), %x: f32 loc("x"), %i: index loc("i")) -> (tensor<?xf32>, tensor<?xf32>) {
  %0 = tensor.insert %x into %a[%i] : tensor<?xf32> loc("insert")
  %1 = linalg.exp ins(%0 : tensor<?xf32>) outs(%b : tensor<?xf32>) -> tensor<?xf32> loc("exp")
  %2 = linalg.negf ins(%1 : tensor<?xf32>) outs(%a : tensor<?xf32>) -> tensor<?xf32> loc("negf")
  return %0, %2 : tensor<?xf32>, tensor<?xf32> loc("end")
} loc("tensors")

func.func @loops(%m: memref<8x8xf32> loc("m"), %x: f32 loc("x")) {
  affine.for %i loc("i") = 1 to 8 {
    affine.for %j loc("j") = 0 to 8 step 2 {
      affine.store %x, %m[%i, %j] : memref<8x8xf32> loc("store")
      affine.yield loc("inner end")
    } loc("inner")
    affine.yield loc("outer end")
  } loc("outer")
  return loc("end")
} loc("loops")

gpu.module @kernels {
  gpu.func @kernel(%x: f32 {llvm.noundef} loc("x")) kernel {
    gpu.return loc("end")
  } loc("kernel")
} loc("kernels")

} loc("module")

// CHECK: module {
// CHECK-NEXT:   func.func @reassociated(%arg0: i32 loc("x"), %arg1: i1 loc("p"), %arg2: i32 loc("y")) -> (i32, i32, i32, i1) {
// CHECK-NEXT:     %c1_i32 = arith.constant 1 : i32 loc(fused["difference", "two"])
// CHECK-NEXT:     %c3_i32 = arith.constant 3 : i32 loc(fused["outer", "one"])
// CHECK-NEXT:     %0 = arith.addi %arg0, %c3_i32 : i32 loc(fused["outer", "one"])
// CHECK-NEXT:     %1 = arith.subi %c1_i32, %arg0 : i32 loc(fused["difference", "two"])
// CHECK-NEXT:     %2 = arith.select %arg1, %arg2, %arg0 : i32 loc(fused["select", "true"])
// CHECK-NEXT:     %3 = arith.cmpi sge, %arg0, %arg2 : i32 loc(fused["not less", "less"])
// CHECK-NEXT:     return %0, %1, %2, %3 : i32, i32, i32, i1 loc("end")
// CHECK-NEXT:   } loc("reassociated")
// CHECK-NEXT:   func.func @combined(%arg0: i1 loc("p"), %arg1: f32 loc("x")) -> (f32, f32) {
// CHECK-NEXT:     %0:2 = scf.if %arg0 -> (f32, f32) {
// CHECK-NEXT:       %1 = math.sin %arg1 : f32 loc("sine")
// CHECK-NEXT:       %2 = math.cos %arg1 : f32 loc("cosine")
// CHECK-NEXT:       scf.yield %1, %2 : f32, f32 loc("second then")
// CHECK-NEXT:     } else {
// CHECK-NEXT:       scf.yield %arg1, %arg1 : f32, f32 loc("second else")
// CHECK-NEXT:     } loc("second")
// CHECK-NEXT:     return %0#0, %0#1 : f32, f32 loc("end")
// CHECK-NEXT:   } loc("combined")
// CHECK-NEXT:   func.func @nested(%arg0: memref<?x?xf32> loc("m"), %arg1: index loc("n"), %arg2: f32 loc("x")) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index loc("zero")
// CHECK-NEXT:     %c1 = arith.constant 1 : index loc("one")
// CHECK-NEXT:     scf.parallel (%arg3, %arg4) = (%c0, %c0) to (%arg1, %arg1) step (%c1, %c1) {
// CHECK-NEXT:       memref.store %arg2, %arg0[%arg3, %arg4] : memref<?x?xf32> loc("store")
// CHECK-NEXT:       scf.reduce  loc("outer")
// CHECK-NEXT:     } loc("outer")
// CHECK-NEXT:     return loc("end")
// CHECK-NEXT:   } loc("nested")
// CHECK-NEXT:   func.func @tensors(%arg0: tensor<?xf32> loc("a"), %arg1: tensor<?xf32> loc("b"), %arg2: f32 loc("x"), %arg3: index loc("i")) -> (tensor<?xf32>, tensor<?xf32>) {
// CHECK-NEXT:     %inserted = tensor.insert %arg2 into %arg0[%arg3] : tensor<?xf32> loc("insert")
// CHECK-NEXT:     %0 = linalg.exp ins(%inserted : tensor<?xf32>) outs(%arg1 : tensor<?xf32>) -> tensor<?xf32> loc("exp")
// CHECK-NEXT:     %1 = linalg.negf ins(%0 : tensor<?xf32>) outs(%arg0 : tensor<?xf32>) -> tensor<?xf32> loc("negf")
// CHECK-NEXT:     return %inserted, %1 : tensor<?xf32>, tensor<?xf32> loc("end")
// CHECK-NEXT:   } loc("tensors")
// CHECK-NEXT:   func.func @loops(%arg0: memref<8x8xf32> loc("m"), %arg1: f32 loc("x")) {
// CHECK-NEXT:     affine.for %arg2 loc("i") = 1 to 8 {
// CHECK-NEXT:       affine.for %arg3 loc("j") = 0 to 8 step 2 {
// CHECK-NEXT:         affine.store %arg1, %arg0[%arg2, %arg3] : memref<8x8xf32> loc("store")
// CHECK-NEXT:       } loc("inner")
// CHECK-NEXT:     } loc("outer")
// CHECK-NEXT:     return loc("end")
// CHECK-NEXT:   } loc("loops")
// CHECK-NEXT:   gpu.module @kernels {
// CHECK-NEXT:     gpu.func @kernel(%arg0: f32 {llvm.noundef} loc("x")) kernel {
// CHECK-NEXT:       gpu.return loc("end")
// CHECK-NEXT:     } loc("kernel")
// CHECK-NEXT:   } loc("kernels")
// CHECK-NEXT: } loc("module")

// BUFFER: module {
// BUFFER-NEXT:   func.func @reassociated(%arg0: i32 loc("x"), %arg1: i1 loc("p"), %arg2: i32 loc("y")) -> (i32, i32, i32, i1) {
// BUFFER-NEXT:     %c1_i32 = arith.constant 1 : i32 loc("one")
// BUFFER-NEXT:     %c2_i32 = arith.constant 2 : i32 loc("two")
// BUFFER-NEXT:     %true = arith.constant true loc("true")
// BUFFER-NEXT:     %0 = arith.addi %arg0, %c1_i32 : i32 loc("inner")
// BUFFER-NEXT:     %1 = arith.addi %0, %c2_i32 : i32 loc("outer")
// BUFFER-NEXT:     %2 = arith.subi %c2_i32, %0 : i32 loc("difference")
// BUFFER-NEXT:     %3 = arith.xori %arg1, %true : i1 loc("not")
// BUFFER-NEXT:     %4 = arith.select %3, %arg0, %arg2 : i32 loc("select")
// BUFFER-NEXT:     %5 = arith.cmpi slt, %arg0, %arg2 : i32 loc("less")
// BUFFER-NEXT:     %6 = arith.xori %5, %true : i1 loc("not less")
// BUFFER-NEXT:     return %1, %2, %4, %6 : i32, i32, i32, i1 loc("end")
// BUFFER-NEXT:   } loc("reassociated")
// BUFFER-NEXT:   func.func @combined(%arg0: i1 loc("p"), %arg1: f32 loc("x")) -> (f32, f32) {
// BUFFER-NEXT:     %0 = scf.if %arg0 -> (f32) {
// BUFFER-NEXT:       %2 = math.sin %arg1 : f32 loc("sine")
// BUFFER-NEXT:       scf.yield %2 : f32 loc("first then")
// BUFFER-NEXT:     } else {
// BUFFER-NEXT:       scf.yield %arg1 : f32 loc("first else")
// BUFFER-NEXT:     } loc("first")
// BUFFER-NEXT:     %1 = scf.if %arg0 -> (f32) {
// BUFFER-NEXT:       %2 = math.cos %arg1 : f32 loc("cosine")
// BUFFER-NEXT:       scf.yield %2 : f32 loc("second then")
// BUFFER-NEXT:     } else {
// BUFFER-NEXT:       scf.yield %arg1 : f32 loc("second else")
// BUFFER-NEXT:     } loc("second")
// BUFFER-NEXT:     return %0, %1 : f32, f32 loc("end")
// BUFFER-NEXT:   } loc("combined")
// BUFFER-NEXT:   func.func @nested(%arg0: memref<?x?xf32> loc("m"), %arg1: index loc("n"), %arg2: f32 loc("x")) {
// BUFFER-NEXT:     %c0 = arith.constant 0 : index loc("zero")
// BUFFER-NEXT:     %c1 = arith.constant 1 : index loc("one")
// BUFFER-NEXT:     scf.parallel (%arg3) = (%c0) to (%arg1) step (%c1) {
// BUFFER-NEXT:       scf.parallel (%arg4) = (%c0) to (%arg1) step (%c1) {
// BUFFER-NEXT:         memref.store %arg2, %arg0[%arg3, %arg4] : memref<?x?xf32> loc("store")
// BUFFER-NEXT:         scf.reduce  loc("inner end")
// BUFFER-NEXT:       } loc("inner")
// BUFFER-NEXT:       scf.reduce  loc("outer end")
// BUFFER-NEXT:     } loc("outer")
// BUFFER-NEXT:     return loc("end")
// BUFFER-NEXT:   } loc("nested")
// BUFFER-NEXT:   func.func @tensors(%arg0: memref<?xf32, strided<[?], offset: ?>> loc("a"), %arg1: memref<?xf32, strided<[?], offset: ?>> loc("b"), %arg2: f32 loc("x"), %arg3: index loc("i")) -> (memref<?xf32>, memref<?xf32, strided<[?], offset: ?>>) {
// BUFFER-NEXT:     %c0 = arith.constant 0 : index loc("insert")
// BUFFER-NEXT:     %dim = memref.dim %arg0, %c0 : memref<?xf32, strided<[?], offset: ?>> loc("insert")
// BUFFER-NEXT:     %alloc = memref.alloc(%dim) {alignment = 64 : i64} : memref<?xf32> loc("insert")
// BUFFER-NEXT:     memref.copy %arg0, %alloc : memref<?xf32, strided<[?], offset: ?>> to memref<?xf32> loc("insert")
// BUFFER-NEXT:     memref.store %arg2, %alloc[%arg3] : memref<?xf32> loc("insert")
// BUFFER-NEXT:     linalg.exp ins(%alloc : memref<?xf32>) outs(%arg1 : memref<?xf32, strided<[?], offset: ?>>) loc("exp")
// BUFFER-NEXT:     linalg.negf ins(%arg1 : memref<?xf32, strided<[?], offset: ?>>) outs(%arg0 : memref<?xf32, strided<[?], offset: ?>>) loc("negf")
// BUFFER-NEXT:     %cast = memref.cast %alloc : memref<?xf32> to memref<?xf32, strided<[?], offset: ?>> loc("insert")
// BUFFER-NEXT:     return %alloc, %arg0 : memref<?xf32>, memref<?xf32, strided<[?], offset: ?>> loc("end")
// BUFFER-NEXT:   } loc("tensors")
// BUFFER-NEXT:   func.func @loops(%arg0: memref<8x8xf32> loc("m"), %arg1: f32 loc("x")) {
// BUFFER-NEXT:     affine.for %arg2 loc("i") = 1 to 8 {
// BUFFER-NEXT:       affine.for %arg3 loc("j") = 0 to 8 step 2 {
// BUFFER-NEXT:         affine.store %arg1, %arg0[%arg2, %arg3] : memref<8x8xf32> loc("store")
// BUFFER-NEXT:       } loc("inner")
// BUFFER-NEXT:     } loc("outer")
// BUFFER-NEXT:     return loc("end")
// BUFFER-NEXT:   } loc("loops")
// BUFFER-NEXT:   gpu.module @kernels {
// BUFFER-NEXT:     gpu.func @kernel(%arg0: f32 {llvm.noundef} loc("x")) kernel {
// BUFFER-NEXT:       gpu.return loc("end")
// BUFFER-NEXT:     } loc("kernel")
// BUFFER-NEXT:   } loc("kernels")
// BUFFER-NEXT: } loc("module")

// LINALG: module {
// LINALG-NEXT:   func.func @reassociated(%arg0: i32 loc("x"), %arg1: i1 loc("p"), %arg2: i32 loc("y")) -> (i32, i32, i32, i1) {
// LINALG-NEXT:     %c1_i32 = arith.constant 1 : i32 loc("one")
// LINALG-NEXT:     %c2_i32 = arith.constant 2 : i32 loc("two")
// LINALG-NEXT:     %true = arith.constant true loc("true")
// LINALG-NEXT:     %0 = arith.addi %arg0, %c1_i32 : i32 loc("inner")
// LINALG-NEXT:     %1 = arith.addi %0, %c2_i32 : i32 loc("outer")
// LINALG-NEXT:     %2 = arith.subi %c2_i32, %0 : i32 loc("difference")
// LINALG-NEXT:     %3 = arith.xori %arg1, %true : i1 loc("not")
// LINALG-NEXT:     %4 = arith.select %3, %arg0, %arg2 : i32 loc("select")
// LINALG-NEXT:     %5 = arith.cmpi slt, %arg0, %arg2 : i32 loc("less")
// LINALG-NEXT:     %6 = arith.xori %5, %true : i1 loc("not less")
// LINALG-NEXT:     return %1, %2, %4, %6 : i32, i32, i32, i1 loc("end")
// LINALG-NEXT:   } loc("reassociated")
// LINALG-NEXT:   func.func @combined(%arg0: i1 loc("p"), %arg1: f32 loc("x")) -> (f32, f32) {
// LINALG-NEXT:     %0 = scf.if %arg0 -> (f32) {
// LINALG-NEXT:       %2 = math.sin %arg1 : f32 loc("sine")
// LINALG-NEXT:       scf.yield %2 : f32 loc("first then")
// LINALG-NEXT:     } else {
// LINALG-NEXT:       scf.yield %arg1 : f32 loc("first else")
// LINALG-NEXT:     } loc("first")
// LINALG-NEXT:     %1 = scf.if %arg0 -> (f32) {
// LINALG-NEXT:       %2 = math.cos %arg1 : f32 loc("cosine")
// LINALG-NEXT:       scf.yield %2 : f32 loc("second then")
// LINALG-NEXT:     } else {
// LINALG-NEXT:       scf.yield %arg1 : f32 loc("second else")
// LINALG-NEXT:     } loc("second")
// LINALG-NEXT:     return %0, %1 : f32, f32 loc("end")
// LINALG-NEXT:   } loc("combined")
// LINALG-NEXT:   func.func @nested(%arg0: memref<?x?xf32> loc("m"), %arg1: index loc("n"), %arg2: f32 loc("x")) {
// LINALG-NEXT:     %c0 = arith.constant 0 : index loc("zero")
// LINALG-NEXT:     %c1 = arith.constant 1 : index loc("one")
// LINALG-NEXT:     scf.parallel (%arg3) = (%c0) to (%arg1) step (%c1) {
// LINALG-NEXT:       scf.parallel (%arg4) = (%c0) to (%arg1) step (%c1) {
// LINALG-NEXT:         memref.store %arg2, %arg0[%arg3, %arg4] : memref<?x?xf32> loc("store")
// LINALG-NEXT:         scf.reduce  loc("inner end")
// LINALG-NEXT:       } loc("inner")
// LINALG-NEXT:       scf.reduce  loc("outer end")
// LINALG-NEXT:     } loc("outer")
// LINALG-NEXT:     return loc("end")
// LINALG-NEXT:   } loc("nested")
// LINALG-NEXT:   func.func @tensors(%arg0: tensor<?xf32> loc("a"), %arg1: tensor<?xf32> loc("b"), %arg2: f32 loc("x"), %arg3: index loc("i")) -> (tensor<?xf32>, tensor<?xf32>) {
// LINALG-NEXT:     %c0 = arith.constant 0 : index loc("negf")
// LINALG-NEXT:     %inserted = tensor.insert %arg2 into %arg0[%arg3] : tensor<?xf32> loc("insert")
// LINALG-NEXT:     %dim = tensor.dim %arg0, %c0 : tensor<?xf32> loc("negf")
// LINALG-NEXT:     %0 = tensor.empty(%dim) : tensor<?xf32> loc("negf")
// LINALG-NEXT:     %1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%inserted : tensor<?xf32>) outs(%0 : tensor<?xf32>) {
// LINALG-NEXT:     ^bb0(%in: f32 loc(unknown), %out: f32 loc(unknown)):
// LINALG-NEXT:       %2 = math.exp %in : f32 loc(unknown)
// LINALG-NEXT:       %3 = arith.negf %2 : f32 loc(unknown)
// LINALG-NEXT:       linalg.yield %3 : f32 loc("negf")
// LINALG-NEXT:     } -> tensor<?xf32> loc("negf")
// LINALG-NEXT:     return %inserted, %1 : tensor<?xf32>, tensor<?xf32> loc("end")
// LINALG-NEXT:   } loc("tensors")
// LINALG-NEXT:   func.func @loops(%arg0: memref<8x8xf32> loc("m"), %arg1: f32 loc("x")) {
// LINALG-NEXT:     affine.for %arg2 loc("i") = 1 to 8 {
// LINALG-NEXT:       affine.for %arg3 loc("j") = 0 to 8 step 2 {
// LINALG-NEXT:         affine.store %arg1, %arg0[%arg2, %arg3] : memref<8x8xf32> loc("store")
// LINALG-NEXT:       } loc("inner")
// LINALG-NEXT:     } loc("outer")
// LINALG-NEXT:     return loc("end")
// LINALG-NEXT:   } loc("loops")
// LINALG-NEXT:   gpu.module @kernels {
// LINALG-NEXT:     gpu.func @kernel(%arg0: f32 {llvm.noundef} loc("x")) kernel {
// LINALG-NEXT:       gpu.return loc("end")
// LINALG-NEXT:     } loc("kernel")
// LINALG-NEXT:   } loc("kernels")
// LINALG-NEXT: } loc("module")

// CF: module {
// CF-NEXT:   func.func private @expf(f32) -> f32 attributes {llvm.readnone} loc(unknown)
// CF-NEXT:   func.func private @cosf(f32) -> f32 attributes {llvm.readnone} loc(unknown)
// CF-NEXT:   func.func private @sinf(f32) -> f32 attributes {llvm.readnone} loc(unknown)
// CF-NEXT:   func.func @reassociated(%arg0: i32 loc("x"), %arg1: i1 loc("p"), %arg2: i32 loc("y")) -> (i32, i32, i32, i1) {
// CF-NEXT:     %c1_i32 = arith.constant 1 : i32 loc("one")
// CF-NEXT:     %c2_i32 = arith.constant 2 : i32 loc("two")
// CF-NEXT:     %true = arith.constant true loc("true")
// CF-NEXT:     %0 = arith.addi %arg0, %c1_i32 : i32 loc("inner")
// CF-NEXT:     %1 = arith.addi %0, %c2_i32 : i32 loc("outer")
// CF-NEXT:     %2 = arith.subi %c2_i32, %0 : i32 loc("difference")
// CF-NEXT:     %3 = arith.xori %arg1, %true : i1 loc("not")
// CF-NEXT:     %4 = arith.select %3, %arg0, %arg2 : i32 loc("select")
// CF-NEXT:     %5 = arith.cmpi slt, %arg0, %arg2 : i32 loc("less")
// CF-NEXT:     %6 = arith.xori %5, %true : i1 loc("not less")
// CF-NEXT:     return %1, %2, %4, %6 : i32, i32, i32, i1 loc("end")
// CF-NEXT:   } loc("reassociated")
// CF-NEXT:   func.func @combined(%arg0: i1 loc("p"), %arg1: f32 loc("x")) -> (f32, f32) {
// CF-NEXT:     cf.cond_br %arg0, ^bb1, ^bb2 loc("first")
// CF-NEXT:   ^bb1:  // pred: ^bb0
// CF-NEXT:     %0 = call @sinf(%arg1) : (f32) -> f32 loc("sine")
// CF-NEXT:     cf.br ^bb3(%0 : f32) loc("first")
// CF-NEXT:   ^bb2:  // pred: ^bb0
// CF-NEXT:     cf.br ^bb3(%arg1 : f32) loc("first")
// CF-NEXT:   ^bb3(%1: f32 loc("first")):  // 2 preds: ^bb1, ^bb2
// CF-NEXT:     cf.br ^bb4 loc("first")
// CF-NEXT:   ^bb4:  // pred: ^bb3
// CF-NEXT:     cf.cond_br %arg0, ^bb5, ^bb6 loc("second")
// CF-NEXT:   ^bb5:  // pred: ^bb4
// CF-NEXT:     %2 = call @cosf(%arg1) : (f32) -> f32 loc("cosine")
// CF-NEXT:     cf.br ^bb7(%2 : f32) loc("second")
// CF-NEXT:   ^bb6:  // pred: ^bb4
// CF-NEXT:     cf.br ^bb7(%arg1 : f32) loc("second")
// CF-NEXT:   ^bb7(%3: f32 loc("second")):  // 2 preds: ^bb5, ^bb6
// CF-NEXT:     cf.br ^bb8 loc("second")
// CF-NEXT:   ^bb8:  // pred: ^bb7
// CF-NEXT:     return %1, %3 : f32, f32 loc("end")
// CF-NEXT:   } loc("combined")
// CF-NEXT:   func.func @nested(%arg0: memref<?x?xf32> loc("m"), %arg1: index loc("n"), %arg2: f32 loc("x")) {
// CF-NEXT:     %c0 = arith.constant 0 : index loc("zero")
// CF-NEXT:     %c1 = arith.constant 1 : index loc("one")
// CF-NEXT:     cf.br ^bb1(%c0 : index) loc("outer")
// CF-NEXT:   ^bb1(%0: index loc("outer")):  // 2 preds: ^bb0, ^bb5
// CF-NEXT:     %1 = arith.cmpi slt, %0, %arg1 : index loc("outer")
// CF-NEXT:     cf.cond_br %1, ^bb2, ^bb6 loc("outer")
// CF-NEXT:   ^bb2:  // pred: ^bb1
// CF-NEXT:     cf.br ^bb3(%c0 : index) loc("inner")
// CF-NEXT:   ^bb3(%2: index loc("inner")):  // 2 preds: ^bb2, ^bb4
// CF-NEXT:     %3 = arith.cmpi slt, %2, %arg1 : index loc("inner")
// CF-NEXT:     cf.cond_br %3, ^bb4, ^bb5 loc("inner")
// CF-NEXT:   ^bb4:  // pred: ^bb3
// CF-NEXT:     memref.store %arg2, %arg0[%0, %2] : memref<?x?xf32> loc("store")
// CF-NEXT:     %4 = arith.addi %2, %c1 : index loc("inner")
// CF-NEXT:     cf.br ^bb3(%4 : index) loc("inner")
// CF-NEXT:   ^bb5:  // pred: ^bb3
// CF-NEXT:     %5 = arith.addi %0, %c1 : index loc("outer")
// CF-NEXT:     cf.br ^bb1(%5 : index) loc("outer")
// CF-NEXT:   ^bb6:  // pred: ^bb1
// CF-NEXT:     return loc("end")
// CF-NEXT:   } loc("nested")
// CF-NEXT:   func.func @tensors(%arg0: tensor<?xf32> loc("a"), %arg1: tensor<?xf32> loc("b"), %arg2: f32 loc("x"), %arg3: index loc("i")) -> (tensor<?xf32>, tensor<?xf32>) {
// CF-NEXT:     %inserted = tensor.insert %arg2 into %arg0[%arg3] : tensor<?xf32> loc("insert")
// CF-NEXT:     %0 = linalg.exp ins(%inserted : tensor<?xf32>) outs(%arg1 : tensor<?xf32>) -> tensor<?xf32> loc("exp")
// CF-NEXT:     %1 = linalg.negf ins(%0 : tensor<?xf32>) outs(%arg0 : tensor<?xf32>) -> tensor<?xf32> loc("negf")
// CF-NEXT:     return %inserted, %1 : tensor<?xf32>, tensor<?xf32> loc("end")
// CF-NEXT:   } loc("tensors")
// CF-NEXT:   func.func @loops(%arg0: memref<8x8xf32> loc("m"), %arg1: f32 loc("x")) {
// CF-NEXT:     affine.for %arg2 loc("i") = 1 to 8 {
// CF-NEXT:       affine.for %arg3 loc("j") = 0 to 8 step 2 {
// CF-NEXT:         affine.store %arg1, %arg0[%arg2, %arg3] : memref<8x8xf32> loc("store")
// CF-NEXT:       } loc("inner")
// CF-NEXT:     } loc("outer")
// CF-NEXT:     return loc("end")
// CF-NEXT:   } loc("loops")
// CF-NEXT:   gpu.module @kernels {
// CF-NEXT:     gpu.func @kernel(%arg0: f32 {llvm.noundef} loc("x")) kernel {
// CF-NEXT:       gpu.return loc("end")
// CF-NEXT:     } loc("kernel")
// CF-NEXT:   } loc("kernels")
// CF-NEXT: } loc("module")

// GPU: module {
// GPU-NEXT:   func.func @reassociated(%arg0: i32 loc("x"), %arg1: i1 loc("p"), %arg2: i32 loc("y")) -> (i32, i32, i32, i1) {
// GPU-NEXT:     %c1_i32 = arith.constant 1 : i32 loc("one")
// GPU-NEXT:     %c2_i32 = arith.constant 2 : i32 loc("two")
// GPU-NEXT:     %true = arith.constant true loc("true")
// GPU-NEXT:     %0 = arith.addi %arg0, %c1_i32 : i32 loc("inner")
// GPU-NEXT:     %1 = arith.addi %0, %c2_i32 : i32 loc("outer")
// GPU-NEXT:     %2 = arith.subi %c2_i32, %0 : i32 loc("difference")
// GPU-NEXT:     %3 = arith.xori %arg1, %true : i1 loc("not")
// GPU-NEXT:     %4 = arith.select %3, %arg0, %arg2 : i32 loc("select")
// GPU-NEXT:     %5 = arith.cmpi slt, %arg0, %arg2 : i32 loc("less")
// GPU-NEXT:     %6 = arith.xori %5, %true : i1 loc("not less")
// GPU-NEXT:     return %1, %2, %4, %6 : i32, i32, i32, i1 loc("end")
// GPU-NEXT:   } loc("reassociated")
// GPU-NEXT:   func.func @combined(%arg0: i1 loc("p"), %arg1: f32 loc("x")) -> (f32, f32) {
// GPU-NEXT:     %0 = scf.if %arg0 -> (f32) {
// GPU-NEXT:       %2 = math.sin %arg1 : f32 loc("sine")
// GPU-NEXT:       scf.yield %2 : f32 loc("first then")
// GPU-NEXT:     } else {
// GPU-NEXT:       scf.yield %arg1 : f32 loc("first else")
// GPU-NEXT:     } loc("first")
// GPU-NEXT:     %1 = scf.if %arg0 -> (f32) {
// GPU-NEXT:       %2 = math.cos %arg1 : f32 loc("cosine")
// GPU-NEXT:       scf.yield %2 : f32 loc("second then")
// GPU-NEXT:     } else {
// GPU-NEXT:       scf.yield %arg1 : f32 loc("second else")
// GPU-NEXT:     } loc("second")
// GPU-NEXT:     return %0, %1 : f32, f32 loc("end")
// GPU-NEXT:   } loc("combined")
// GPU-NEXT:   func.func @nested(%arg0: memref<?x?xf32> loc("m"), %arg1: index loc("n"), %arg2: f32 loc("x")) {
// GPU-NEXT:     %c0 = arith.constant 0 : index loc("zero")
// GPU-NEXT:     %c1 = arith.constant 1 : index loc("one")
// GPU-NEXT:     scf.parallel (%arg3) = (%c0) to (%arg1) step (%c1) {
// GPU-NEXT:       scf.parallel (%arg4) = (%c0) to (%arg1) step (%c1) {
// GPU-NEXT:         memref.store %arg2, %arg0[%arg3, %arg4] : memref<?x?xf32> loc("store")
// GPU-NEXT:         scf.reduce  loc("inner end")
// GPU-NEXT:       } loc("inner")
// GPU-NEXT:       scf.reduce  loc("outer end")
// GPU-NEXT:     } loc("outer")
// GPU-NEXT:     return loc("end")
// GPU-NEXT:   } loc("nested")
// GPU-NEXT:   func.func @tensors(%arg0: tensor<?xf32> loc("a"), %arg1: tensor<?xf32> loc("b"), %arg2: f32 loc("x"), %arg3: index loc("i")) -> (tensor<?xf32>, tensor<?xf32>) {
// GPU-NEXT:     %inserted = tensor.insert %arg2 into %arg0[%arg3] : tensor<?xf32> loc("insert")
// GPU-NEXT:     %0 = linalg.exp ins(%inserted : tensor<?xf32>) outs(%arg1 : tensor<?xf32>) -> tensor<?xf32> loc("exp")
// GPU-NEXT:     %1 = linalg.negf ins(%0 : tensor<?xf32>) outs(%arg0 : tensor<?xf32>) -> tensor<?xf32> loc("negf")
// GPU-NEXT:     return %inserted, %1 : tensor<?xf32>, tensor<?xf32> loc("end")
// GPU-NEXT:   } loc("tensors")
// GPU-NEXT:   func.func @loops(%arg0: memref<8x8xf32> loc("m"), %arg1: f32 loc("x")) {
// GPU-NEXT:     %c1 = arith.constant 1 : index loc("outer")
// GPU-NEXT:     %c8 = arith.constant 8 : index loc("outer")
// GPU-NEXT:     %0 = arith.subi %c8, %c1 : index loc("outer")
// GPU-NEXT:     %c1_0 = arith.constant 1 : index loc("outer")
// GPU-NEXT:     %c0 = arith.constant 0 : index loc("inner")
// GPU-NEXT:     %c8_1 = arith.constant 8 : index loc("inner")
// GPU-NEXT:     %1 = arith.subi %c8_1, %c0 : index loc("inner")
// GPU-NEXT:     %c2 = arith.constant 2 : index loc("inner")
// GPU-NEXT:     %2 = arith.ceildivsi %1, %c2 : index loc("inner")
// GPU-NEXT:     %c1_2 = arith.constant 1 : index loc("outer")
// GPU-NEXT:     gpu.launch blocks(%arg2, %arg3, %arg4) in (%arg8 = %0, %arg9 = %c1_2, %arg10 = %c1_2) threads(%arg5, %arg6, %arg7) in (%arg11 = %2, %arg12 = %c1_2, %arg13 = %c1_2) {
// GPU-NEXT:       %3 = arith.addi %c1, %arg2 : index loc("outer")
// GPU-NEXT:       %4 = arith.muli %c2, %arg5 : index loc("outer")
// GPU-NEXT:       %5 = arith.addi %c0, %4 : index loc("outer")
// GPU-NEXT:       affine.store %arg1, %arg0[%3, %5] : memref<8x8xf32> loc("store")
// GPU-NEXT:       gpu.terminator loc("inner end")
// GPU-NEXT:     } loc("outer")
// GPU-NEXT:     return loc("end")
// GPU-NEXT:   } loc("loops")
// GPU-NEXT:   gpu.module @kernels {
// GPU-NEXT:     gpu.func @kernel(%arg0: f32 {llvm.noundef} loc("x")) kernel {
// GPU-NEXT:       gpu.return loc("end")
// GPU-NEXT:     } loc("kernel")
// GPU-NEXT:   } loc("kernels")
// GPU-NEXT: } loc("module")
