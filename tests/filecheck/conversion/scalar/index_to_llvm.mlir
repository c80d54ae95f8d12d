// RUN: xgpu-opt %s --convert-index-to-llvm --convert-ub-to-llvm | filecheck %s

// Index arithmetic; poison.

// CHECK: module {
// CHECK-NEXT:   func.func @f(%arg0: index, %arg1: index, %arg2: i32, %arg3: i64, %arg4: i128) -> (index, i1) {
// CHECK-NEXT:     %0 = builtin.unrealized_conversion_cast %arg1 : index to i64
// CHECK-NEXT:     %1 = builtin.unrealized_conversion_cast %arg0 : index to i64
// CHECK-NEXT:     %2 = llvm.add %1, %0 : i64
// CHECK-NEXT:     %3 = llvm.sub %2, %0 : i64
// CHECK-NEXT:     %4 = llvm.mul %3, %0 : i64
// CHECK-NEXT:     %5 = llvm.sdiv %4, %0 : i64
// CHECK-NEXT:     %6 = llvm.udiv %5, %0 : i64
// CHECK-NEXT:     %7 = llvm.mlir.constant(0 : i64) : i64
// CHECK-NEXT:     %8 = llvm.mlir.constant(1 : i64) : i64
// CHECK-NEXT:     %9 = llvm.mlir.constant(-1 : i64) : i64
// CHECK-NEXT:     %10 = llvm.icmp "sgt" %0, %7 : i64
// CHECK-NEXT:     %11 = llvm.select %10, %9, %8 : i1, i64
// CHECK-NEXT:     %12 = llvm.add %6, %11 : i64
// CHECK-NEXT:     %13 = llvm.sdiv %12, %0 : i64
// CHECK-NEXT:     %14 = llvm.add %13, %8 : i64
// CHECK-NEXT:     %15 = llvm.sub %7, %6 : i64
// CHECK-NEXT:     %16 = llvm.sdiv %15, %0 : i64
// CHECK-NEXT:     %17 = llvm.sub %7, %16 : i64
// CHECK-NEXT:     %18 = llvm.icmp "sgt" %6, %7 : i64
// CHECK-NEXT:     %19 = llvm.icmp "eq" %18, %10 : i1
// CHECK-NEXT:     %20 = llvm.icmp "ne" %6, %7 : i64
// CHECK-NEXT:     %21 = llvm.and %19, %20 : i1
// CHECK-NEXT:     %22 = llvm.select %21, %14, %17 : i1, i64
// CHECK-NEXT:     %23 = llvm.mlir.constant(0 : i64) : i64
// CHECK-NEXT:     %24 = llvm.mlir.constant(1 : i64) : i64
// CHECK-NEXT:     %25 = llvm.sub %22, %24 : i64
// CHECK-NEXT:     %26 = llvm.udiv %25, %0 : i64
// CHECK-NEXT:     %27 = llvm.add %26, %24 : i64
// CHECK-NEXT:     %28 = llvm.icmp "eq" %22, %23 : i64
// CHECK-NEXT:     %29 = llvm.select %28, %23, %27 : i1, i64
// CHECK-NEXT:     %30 = llvm.mlir.constant(0 : i64) : i64
// CHECK-NEXT:     %31 = llvm.mlir.constant(1 : i64) : i64
// CHECK-NEXT:     %32 = llvm.mlir.constant(-1 : i64) : i64
// CHECK-NEXT:     %33 = llvm.icmp "slt" %0, %30 : i64
// CHECK-NEXT:     %34 = llvm.select %33, %31, %32 : i1, i64
// CHECK-NEXT:     %35 = llvm.sub %34, %29 : i64
// CHECK-NEXT:     %36 = llvm.sdiv %35, %0 : i64
// CHECK-NEXT:     %37 = llvm.sub %32, %36 : i64
// CHECK-NEXT:     %38 = llvm.sdiv %29, %0 : i64
// CHECK-NEXT:     %39 = llvm.icmp "slt" %29, %30 : i64
// CHECK-NEXT:     %40 = llvm.icmp "ne" %39, %33 : i1
// CHECK-NEXT:     %41 = llvm.icmp "ne" %29, %30 : i64
// CHECK-NEXT:     %42 = llvm.and %40, %41 : i1
// CHECK-NEXT:     %43 = llvm.select %42, %37, %38 : i1, i64
// CHECK-NEXT:     %44 = llvm.srem %43, %0 : i64
// CHECK-NEXT:     %45 = llvm.urem %44, %0 : i64
// CHECK-NEXT:     %46 = llvm.intr.smax(%45, %0) : (i64, i64) -> i64
// CHECK-NEXT:     %47 = llvm.intr.umax(%46, %0) : (i64, i64) -> i64
// CHECK-NEXT:     %48 = llvm.intr.smin(%47, %0) : (i64, i64) -> i64
// CHECK-NEXT:     %49 = llvm.intr.umin(%48, %0) : (i64, i64) -> i64
// CHECK-NEXT:     %50 = llvm.shl %49, %0 : i64
// CHECK-NEXT:     %51 = llvm.ashr %50, %0 : i64
// CHECK-NEXT:     %52 = llvm.lshr %51, %0 : i64
// CHECK-NEXT:     %53 = llvm.and %52, %0 : i64
// CHECK-NEXT:     %54 = llvm.or %53, %0 : i64
// CHECK-NEXT:     %55 = llvm.xor %54, %0 : i64
// CHECK-NEXT:     %56 = llvm.trunc %55 : i64 to i32
// CHECK-NEXT:     %57 = llvm.zext %arg2 : i32 to i64
// CHECK-NEXT:     %58 = llvm.trunc %arg4 : i128 to i64
// CHECK-NEXT:     %59 = llvm.icmp "slt" %58, %arg3 : i64
// CHECK-NEXT:     %60 = llvm.mlir.constant(42 : i64) : i64
// CHECK-NEXT:     %61 = llvm.mlir.constant(true) : i1
// CHECK-NEXT:     %62 = llvm.mlir.constant(64 : i64) : i64
// CHECK-NEXT:     %63 = builtin.unrealized_conversion_cast %62 : i64 to index
// CHECK-NEXT:     return %63, %59 : index, i1
// CHECK-NEXT:   }
func.func @f(%a: index, %b: index, %x: i32, %y: i64, %z: i128) -> (index, i1) {
  %0 = index.add %a, %b
  %1 = index.sub %0, %b
  %2 = index.mul %1, %b
  %3 = index.divs %2, %b
  %4 = index.divu %3, %b
  %5 = index.ceildivs %4, %b
  %6 = index.ceildivu %5, %b
  %7 = index.floordivs %6, %b
  %8 = index.rems %7, %b
  %9 = index.remu %8, %b
  %10 = index.maxs %9, %b
  %11 = index.maxu %10, %b
  %12 = index.mins %11, %b
  %13 = index.minu %12, %b
  %14 = index.shl %13, %b
  %15 = index.shrs %14, %b
  %16 = index.shru %15, %b
  %17 = index.and %16, %b
  %18 = index.or %17, %b
  %19 = index.xor %18, %b
  %20 = index.casts %19 : index to i32
  %21 = index.castu %x : i32 to index
  %22 = index.castu %y : i64 to index
  %23 = index.casts %z : i128 to index
  %24 = index.cmp slt(%23, %22)
  %25 = index.constant 42
  %26 = index.bool.constant true
  %27 = index.sizeof
  return %27, %24 : index, i1
}
// CHECK-NEXT:   func.func @u() -> (i32, index, vector<4xf32>) {
// CHECK-NEXT:     %0 = llvm.mlir.poison : i32
// CHECK-NEXT:     %1 = llvm.mlir.poison : i64
// CHECK-NEXT:     %2 = builtin.unrealized_conversion_cast %1 : i64 to index
// CHECK-NEXT:     %3 = llvm.mlir.poison : vector<4xf32>
// CHECK-NEXT:     return %0, %2, %3 : i32, index, vector<4xf32>
// CHECK-NEXT:   }
func.func @u() -> (i32, index, vector<4xf32>) {
  %0 = ub.poison : i32
  %1 = ub.poison : index
  %2 = ub.poison : vector<4xf32>
  return %0, %1, %2 : i32, index, vector<4xf32>
}
// CHECK-NEXT:   func.func @v() {
// CHECK-NEXT:     llvm.unreachable
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @v() { ub.unreachable }
