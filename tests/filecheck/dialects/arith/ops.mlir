// RUN: xgpu-opt --allow-unregistered-dialect %s | filecheck %s
// RUN: xgpu-opt --allow-unregistered-dialect %s --mlir-print-op-generic | xgpu-opt --allow-unregistered-dialect | filecheck %s

func.func @integers(%a: i32, %b: index, %v: vector<4xi32>, %c: i1, %vc: vector<4xi1>) {
  %0 = arith.addi %a, %a overflow<nsw, nuw> : i32
  %1 = arith.subi %b, %b : index
  %2 = arith.muli %v, %v : vector<4xi32>
  %3 = arith.divsi %a, %a exact : i32
  %4 = arith.shli %a, %a overflow<nuw> : i32
  %sum, %carry = arith.addui_extended %a, %a : i32, i1
  %low, %high = arith.mulsi_extended %a, %a : i32
  %5 = arith.cmpi slt, %a, %a : i32
  %6 = arith.cmpi uge, %v, %v : vector<4xi32>
  %7 = arith.select %c, %a, %a : i32
  %8 = arith.select %vc, %v, %v : vector<4xi1>, vector<4xi32>
  %9 = arith.extsi %a : i32 to i64
  %10 = arith.trunci %a overflow<nsw> : i32 to i8
  %11 = arith.index_cast %b : index to i32
  %12 = arith.bitcast %a : i32 to f32
  return
}
func.func @floats(%x: f32, %h: f16) {
  %0 = arith.addf %x, %x fastmath<fast> : f32
  %1 = arith.mulf %x, %x fastmath<nnan,contract> : f32
  %2 = arith.cmpf oeq, %x, %x : f32
  %3 = arith.cmpf ugt, %x, %x fastmath<ninf> : f32
  %4 = arith.extf %h : f16 to f32
  %5 = arith.truncf %x to_nearest_even : f32 to f16
  %i = arith.constant 7 : i32
  %6 = arith.sitofp %i : i32 to f32
  %7 = arith.fptosi %x : f32 to i32
  return
}
func.func @constants() {
  %0 = arith.constant 5 : index
  %1 = arith.constant -5 : i32
  %2 = arith.constant true
  %3 = arith.constant 1.5 : f32
  %4 = arith.constant dense<[1, 2]> : vector<2xi8>
  %5 = arith.constant 0x7FC00000 : f32
  %6 = arith.constant {tag} 5 : index
  return
}

// CHECK: module {
// CHECK-NEXT:   func.func @integers(%arg0: i32, %arg1: index, %arg2: vector<4xi32>, %arg3: i1, %arg4: vector<4xi1>) {
// CHECK-NEXT:     %0 = arith.addi %arg0, %arg0 overflow<nsw, nuw> : i32
// CHECK-NEXT:     %1 = arith.subi %arg1, %arg1 : index
// CHECK-NEXT:     %2 = arith.muli %arg2, %arg2 : vector<4xi32>
// CHECK-NEXT:     %3 = arith.divsi %arg0, %arg0 exact : i32
// CHECK-NEXT:     %4 = arith.shli %arg0, %arg0 overflow<nuw> : i32
// CHECK-NEXT:     %sum, %overflow = arith.addui_extended %arg0, %arg0 : i32, i1
// CHECK-NEXT:     %low, %high = arith.mulsi_extended %arg0, %arg0 : i32
// CHECK-NEXT:     %5 = arith.cmpi slt, %arg0, %arg0 : i32
// CHECK-NEXT:     %6 = arith.cmpi uge, %arg2, %arg2 : vector<4xi32>
// CHECK-NEXT:     %7 = arith.select %arg3, %arg0, %arg0 : i32
// CHECK-NEXT:     %8 = arith.select %arg4, %arg2, %arg2 : vector<4xi1>, vector<4xi32>
// CHECK-NEXT:     %9 = arith.extsi %arg0 : i32 to i64
// CHECK-NEXT:     %10 = arith.trunci %arg0 overflow<nsw> : i32 to i8
// CHECK-NEXT:     %11 = arith.index_cast %arg1 : index to i32
// CHECK-NEXT:     %12 = arith.bitcast %arg0 : i32 to f32
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @floats(%arg0: f32, %arg1: f16) {
// CHECK-NEXT:     %0 = arith.addf %arg0, %arg0 fastmath<fast> : f32
// CHECK-NEXT:     %1 = arith.mulf %arg0, %arg0 fastmath<nnan,contract> : f32
// CHECK-NEXT:     %2 = arith.cmpf oeq, %arg0, %arg0 : f32
// CHECK-NEXT:     %3 = arith.cmpf ugt, %arg0, %arg0 fastmath<ninf> : f32
// CHECK-NEXT:     %4 = arith.extf %arg1 : f16 to f32
// CHECK-NEXT:     %5 = arith.truncf %arg0 to_nearest_even : f32 to f16
// CHECK-NEXT:     %c7_i32 = arith.constant 7 : i32
// CHECK-NEXT:     %6 = arith.sitofp %c7_i32 : i32 to f32
// CHECK-NEXT:     %7 = arith.fptosi %arg0 : f32 to i32
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @constants() {
// CHECK-NEXT:     %c5 = arith.constant 5 : index
// CHECK-NEXT:     %c-5_i32 = arith.constant -5 : i32
// CHECK-NEXT:     %true = arith.constant true
// CHECK-NEXT:     %cst = arith.constant 1.500000e+00 : f32
// CHECK-NEXT:     %cst_0 = arith.constant dense<[1, 2]> : vector<2xi8>
// CHECK-NEXT:     %cst_1 = arith.constant 0x7FC00000 : f32
// CHECK-NEXT:     %c5_2 = arith.constant {tag} 5 : index
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
