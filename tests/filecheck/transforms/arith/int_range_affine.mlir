// RUN: xgpu-opt --int-range-optimizations %s | filecheck %s --match-full-lines

// What an affine.apply computes is known from its operands.

// CHECK: module {
// CHECK-NEXT:   func.func @known(%arg0: index) -> (i1, i1, i1, i1, i1) {
// CHECK-NEXT:     %true = arith.constant true
// CHECK-NEXT:     return %true, %true, %true, %true, %true : i1, i1, i1, i1, i1
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @known(%x: index) -> (i1, i1, i1, i1, i1) {
  %c63 = arith.constant 63 : index
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c35 = arith.constant 35 : index
  %low = arith.andi %x, %c63 : index
  %below = arith.subi %low, %c63 : index
  %0 = affine.apply affine_map<(d0) -> (d0 floordiv 2 + 3)>(%low)
  %1 = affine.apply affine_map<(d0) -> (d0 mod 4)>(%below)
  %2 = affine.apply affine_map<(d0)[s0] -> (d0 * -2 - s0 ceildiv 8)>(%low)[%low]
  %3 = affine.apply affine_map<(d0) -> (d0 mod 128)>(%low)
  %4 = affine.apply affine_map<(d0)[s0] -> (d0 mod s0)>(%x)[%low]
  %a = arith.cmpi slt, %0, %c35 : index
  %b = arith.cmpi ule, %1, %c3 : index
  %c = arith.cmpi sle, %2, %c0 : index
  %d = arith.cmpi ule, %3, %c63 : index
  %e = arith.cmpi sge, %4, %c0 : index
  return %a, %b, %c, %d, %e : i1, i1, i1, i1, i1
}
