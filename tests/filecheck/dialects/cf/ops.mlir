// RUN: xgpu-opt --allow-unregistered-dialect %s | filecheck %s
// RUN: xgpu-opt --allow-unregistered-dialect %s --mlir-print-op-generic | xgpu-opt --allow-unregistered-dialect | filecheck %s

func.func @f(%a: i32 {x.z}, %b: index) -> (i32) attributes {llvm.emit_c_interface} { 
  %0 = arith.addi %a, %a overflow<nsw> : i32
  cf.br ^bb1(%0 : i32)
 ^bb1(%c: i32):
  cf.switch %c : i32, [
     default: ^bb2(%a : i32),
     42: ^bb2(%a : i32),
     43: ^bb3 ]
 ^bb2(%b2: i32):
 return %a : i32 
 ^bb3:
  %t = arith.constant true
  cf.assert %t, "x"
  cf.cond_br %t, ^bb2(%a : i32), ^bb3
 }

// CHECK: module {
// CHECK-NEXT:   func.func @f(%arg0: i32 {x.z}, %arg1: index) -> i32 attributes {llvm.emit_c_interface} {
// CHECK-NEXT:     %0 = arith.addi %arg0, %arg0 overflow<nsw> : i32
// CHECK-NEXT:     cf.br ^bb1(%0 : i32)
// CHECK-NEXT:   ^bb1(%1: i32):  // pred: ^bb0
// CHECK-NEXT:     cf.switch %1 : i32, [
// CHECK-NEXT:       default: ^bb2(%arg0 : i32),
// CHECK-NEXT:       42: ^bb2(%arg0 : i32),
// CHECK-NEXT:       43: ^bb3
// CHECK-NEXT:     ]
// CHECK-NEXT:   ^bb2(%2: i32):  // 3 preds: ^bb1, ^bb1, ^bb3
// CHECK-NEXT:     return %arg0 : i32
// CHECK-NEXT:   ^bb3:  // 2 preds: ^bb1, ^bb3
// CHECK-NEXT:     %true = arith.constant true
// CHECK-NEXT:     cf.assert %true, "x"
// CHECK-NEXT:     cf.cond_br %true, ^bb2(%arg0 : i32), ^bb3
// CHECK-NEXT:   }
// CHECK-NEXT: }
