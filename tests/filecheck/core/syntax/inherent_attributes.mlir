// The visibility of a module is a property in generic form, wherever it was read. Flags with a default are there in what
// a pass builds, and not in what is read without them.
// RUN: xgpu-opt %s | filecheck %s --match-full-lines
// RUN: xgpu-opt %s --convert-linalg-to-loops --mlir-print-op-generic | filecheck %s --match-full-lines --check-prefix=GENERIC

// CHECK: module {
// CHECK-NEXT:   module @own attributes {sym_visibility = "private"} {
// CHECK-NEXT:   }
module @own attributes {sym_visibility = "private"} {}
// CHECK-NEXT:   module @generic attributes {sym_visibility = "nested"} {
// CHECK-NEXT:   }
"builtin.module"() <{sym_name = "generic", sym_visibility = "nested"}> ({^bb0:}) : () -> ()
// CHECK-NEXT:   module @discardable attributes {sym_visibility = "private"} {
// CHECK-NEXT:   }
"builtin.module"() ({^bb0:}) {sym_name = "discardable", sym_visibility = "private"} : () -> ()
// CHECK-NEXT:   func.func @copy(%arg0: memref<4xf32>, %arg1: memref<4xf32>, %arg2: index) -> f32 {
// CHECK-NEXT:     linalg.copy ins(%arg0 : memref<4xf32>) outs(%arg1 : memref<4xf32>)
// CHECK-NEXT:     %0 = memref.load %arg0[%arg2] : memref<4xf32>
// CHECK-NEXT:     return %0 : f32
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @copy(%a: memref<4xf32>, %b: memref<4xf32>, %i: index) -> f32 {
  linalg.copy ins(%a : memref<4xf32>) outs(%b : memref<4xf32>)
  %x = memref.load %a[%i] : memref<4xf32>
  return %x : f32
}

// GENERIC: "builtin.module"() ({
// GENERIC-NEXT:   "builtin.module"() <{sym_name = "own", sym_visibility = "private"}> ({
// GENERIC-NEXT:   ^bb0:
// GENERIC-NEXT:   }) : () -> ()
// GENERIC-NEXT:   "builtin.module"() <{sym_name = "generic", sym_visibility = "nested"}> ({
// GENERIC-NEXT:   ^bb0:
// GENERIC-NEXT:   }) : () -> ()
// GENERIC-NEXT:   "builtin.module"() <{sym_name = "discardable", sym_visibility = "private"}> ({
// GENERIC-NEXT:   ^bb0:
// GENERIC-NEXT:   }) : () -> ()
// GENERIC-NEXT:   "func.func"() <{function_type = (memref<4xf32>, memref<4xf32>, index) -> f32, sym_name = "copy"}> ({
// GENERIC-NEXT:   ^bb0(%arg0: memref<4xf32>, %arg1: memref<4xf32>, %arg2: index):
// GENERIC-NEXT:     %0 = "arith.constant"() <{value = 0 : index}> : () -> index
// GENERIC-NEXT:     %1 = "arith.constant"() <{value = 4 : index}> : () -> index
// GENERIC-NEXT:     %2 = "arith.constant"() <{value = 1 : index}> : () -> index
// GENERIC-NEXT:     "scf.for"(%0, %1, %2) ({
// GENERIC-NEXT:     ^bb0(%arg3: index):
// GENERIC-NEXT:       %4 = "memref.load"(%arg0, %arg3) <{nontemporal = false}> : (memref<4xf32>, index) -> f32
// GENERIC-NEXT:       "memref.store"(%4, %arg1, %arg3) <{nontemporal = false}> : (f32, memref<4xf32>, index) -> ()
// GENERIC-NEXT:       "scf.yield"() : () -> ()
// GENERIC-NEXT:     }) : (index, index, index) -> ()
// GENERIC-NEXT:     %3 = "memref.load"(%arg0, %arg2) : (memref<4xf32>, index) -> f32
// GENERIC-NEXT:     "func.return"(%3) : (f32) -> ()
// GENERIC-NEXT:   }) : () -> ()
// GENERIC-NEXT: }) : () -> ()
