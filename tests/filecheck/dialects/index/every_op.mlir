// RUN: xgpu-opt %s | filecheck %s --match-full-lines
// RUN: xgpu-opt --mlir-print-op-generic %s | xgpu-opt | filecheck %s --match-full-lines

// Every operation and predicate.

// CHECK: module {
// CHECK-NEXT:   func.func @arithmetic(%arg0: index, %arg1: index, %arg2: i32) {
// CHECK-NEXT:     %0 = index.add %arg0, %arg1
// CHECK-NEXT:     %1 = index.sub %arg0, %arg1
// CHECK-NEXT:     %2 = index.mul %arg0, %arg1
// CHECK-NEXT:     %3 = index.divs %arg0, %arg1
// CHECK-NEXT:     %4 = index.divu %arg0, %arg1
// CHECK-NEXT:     %5 = index.ceildivs %arg0, %arg1
// CHECK-NEXT:     %6 = index.ceildivu %arg0, %arg1
// CHECK-NEXT:     %7 = index.floordivs %arg0, %arg1
// CHECK-NEXT:     %8 = index.rems %arg0, %arg1
// CHECK-NEXT:     %9 = index.remu %arg0, %arg1
// CHECK-NEXT:     %10 = index.maxs %arg0, %arg1
// CHECK-NEXT:     %11 = index.maxu %arg0, %arg1
// CHECK-NEXT:     %12 = index.mins %arg0, %arg1
// CHECK-NEXT:     %13 = index.minu %arg0, %arg1
// CHECK-NEXT:     %14 = index.shl %arg0, %arg1
// CHECK-NEXT:     %15 = index.shrs %arg0, %arg1
// CHECK-NEXT:     %16 = index.shru %arg0, %arg1
// CHECK-NEXT:     %17 = index.and %arg0, %arg1
// CHECK-NEXT:     %18 = index.or %arg0, %arg1
// CHECK-NEXT:     %19 = index.xor %arg0, %arg1
// CHECK-NEXT:     %20 = index.cmp eq(%arg0, %arg1)
// CHECK-NEXT:     %21 = index.cmp ne(%arg0, %arg1)
// CHECK-NEXT:     %22 = index.cmp slt(%arg0, %arg1)
// CHECK-NEXT:     %23 = index.cmp sle(%arg0, %arg1)
// CHECK-NEXT:     %24 = index.cmp sgt(%arg0, %arg1)
// CHECK-NEXT:     %25 = index.cmp sge(%arg0, %arg1)
// CHECK-NEXT:     %26 = index.cmp ult(%arg0, %arg1)
// CHECK-NEXT:     %27 = index.cmp ule(%arg0, %arg1)
// CHECK-NEXT:     %28 = index.cmp ugt(%arg0, %arg1)
// CHECK-NEXT:     %29 = index.cmp uge(%arg0, %arg1)
// CHECK-NEXT:     %30 = index.casts %arg2 : i32 to index
// CHECK-NEXT:     %31 = index.casts %arg0 : index to i64
// CHECK-NEXT:     %32 = index.castu %arg2 : i32 to index
// CHECK-NEXT:     %33 = index.castu %arg0 : index to i64
// CHECK-NEXT:     %34 = index.sizeof
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @arithmetic(%a: index, %b: index, %i: i32) {
  %0 = index.add %a, %b
  %1 = index.sub %a, %b
  %2 = index.mul %a, %b
  %3 = index.divs %a, %b
  %4 = index.divu %a, %b
  %5 = index.ceildivs %a, %b
  %6 = index.ceildivu %a, %b
  %7 = index.floordivs %a, %b
  %8 = index.rems %a, %b
  %9 = index.remu %a, %b
  %10 = index.maxs %a, %b
  %11 = index.maxu %a, %b
  %12 = index.mins %a, %b
  %13 = index.minu %a, %b
  %14 = index.shl %a, %b
  %15 = index.shrs %a, %b
  %16 = index.shru %a, %b
  %17 = index.and %a, %b
  %18 = index.or %a, %b
  %19 = index.xor %a, %b
  %20 = index.cmp eq(%a, %b)
  %21 = index.cmp ne(%a, %b)
  %22 = index.cmp slt(%a, %b)
  %23 = index.cmp sle(%a, %b)
  %24 = index.cmp sgt(%a, %b)
  %25 = index.cmp sge(%a, %b)
  %26 = index.cmp ult(%a, %b)
  %27 = index.cmp ule(%a, %b)
  %28 = index.cmp ugt(%a, %b)
  %29 = index.cmp uge(%a, %b)
  %30 = index.casts %i : i32 to index
  %31 = index.casts %a : index to i64
  %32 = index.castu %i : i32 to index
  %33 = index.castu %a : index to i64
  %34 = index.sizeof
  return
}

// CHECK-NEXT:   func.func @constants() {
// CHECK-NEXT:     %idx5 = index.constant 5
// CHECK-NEXT:     %idx-7 = index.constant -7
// CHECK-NEXT:     %true = index.bool.constant true
// CHECK-NEXT:     %false = index.bool.constant false
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @constants() {
  %0 = index.constant 5
  %1 = index.constant -7
  %2 = index.bool.constant true
  %3 = index.bool.constant false
  return
}
