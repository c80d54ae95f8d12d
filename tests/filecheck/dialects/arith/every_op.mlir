// RUN: xgpu-opt %s | filecheck %s --match-full-lines
// RUN: xgpu-opt --mlir-print-op-generic %s | xgpu-opt | filecheck %s --match-full-lines

// Every operation, predicate and flag.

// CHECK: module {
// CHECK-NEXT:   func.func @integers(%arg0: i32, %arg1: index, %arg2: vector<4xi64>) {
// CHECK-NEXT:     %0 = arith.addi %arg0, %arg0 : i32
// CHECK-NEXT:     %1 = arith.addi %arg0, %arg0 overflow<nsw> : i32
// CHECK-NEXT:     %2 = arith.addi %arg1, %arg1 overflow<nsw, nuw> : index
// CHECK-NEXT:     %3 = arith.subi %arg0, %arg0 : i32
// CHECK-NEXT:     %4 = arith.subi %arg0, %arg0 overflow<nsw> : i32
// CHECK-NEXT:     %5 = arith.subi %arg1, %arg1 overflow<nsw, nuw> : index
// CHECK-NEXT:     %6 = arith.muli %arg0, %arg0 : i32
// CHECK-NEXT:     %7 = arith.muli %arg0, %arg0 overflow<nsw> : i32
// CHECK-NEXT:     %8 = arith.muli %arg1, %arg1 overflow<nsw, nuw> : index
// CHECK-NEXT:     %9 = arith.shli %arg0, %arg0 : i32
// CHECK-NEXT:     %10 = arith.shli %arg0, %arg0 overflow<nsw> : i32
// CHECK-NEXT:     %11 = arith.shli %arg1, %arg1 overflow<nsw, nuw> : index
// CHECK-NEXT:     %12 = arith.divsi %arg0, %arg0 : i32
// CHECK-NEXT:     %13 = arith.divsi %arg0, %arg0 exact : i32
// CHECK-NEXT:     %14 = arith.divui %arg0, %arg0 : i32
// CHECK-NEXT:     %15 = arith.divui %arg0, %arg0 exact : i32
// CHECK-NEXT:     %16 = arith.shrsi %arg0, %arg0 : i32
// CHECK-NEXT:     %17 = arith.shrsi %arg0, %arg0 exact : i32
// CHECK-NEXT:     %18 = arith.shrui %arg0, %arg0 : i32
// CHECK-NEXT:     %19 = arith.shrui %arg0, %arg0 exact : i32
// CHECK-NEXT:     %20 = arith.remsi %arg0, %arg0 : i32
// CHECK-NEXT:     %21 = arith.remsi %arg2, %arg2 : vector<4xi64>
// CHECK-NEXT:     %22 = arith.remui %arg0, %arg0 : i32
// CHECK-NEXT:     %23 = arith.remui %arg2, %arg2 : vector<4xi64>
// CHECK-NEXT:     %24 = arith.andi %arg0, %arg0 : i32
// CHECK-NEXT:     %25 = arith.andi %arg2, %arg2 : vector<4xi64>
// CHECK-NEXT:     %26 = arith.ori %arg0, %arg0 : i32
// CHECK-NEXT:     %27 = arith.ori %arg2, %arg2 : vector<4xi64>
// CHECK-NEXT:     %28 = arith.xori %arg0, %arg0 : i32
// CHECK-NEXT:     %29 = arith.xori %arg2, %arg2 : vector<4xi64>
// CHECK-NEXT:     %30 = arith.ceildivsi %arg0, %arg0 : i32
// CHECK-NEXT:     %31 = arith.ceildivsi %arg2, %arg2 : vector<4xi64>
// CHECK-NEXT:     %32 = arith.ceildivui %arg0, %arg0 : i32
// CHECK-NEXT:     %33 = arith.ceildivui %arg2, %arg2 : vector<4xi64>
// CHECK-NEXT:     %34 = arith.floordivsi %arg0, %arg0 : i32
// CHECK-NEXT:     %35 = arith.floordivsi %arg2, %arg2 : vector<4xi64>
// CHECK-NEXT:     %36 = arith.maxsi %arg0, %arg0 : i32
// CHECK-NEXT:     %37 = arith.maxsi %arg2, %arg2 : vector<4xi64>
// CHECK-NEXT:     %38 = arith.maxui %arg0, %arg0 : i32
// CHECK-NEXT:     %39 = arith.maxui %arg2, %arg2 : vector<4xi64>
// CHECK-NEXT:     %40 = arith.minsi %arg0, %arg0 : i32
// CHECK-NEXT:     %41 = arith.minsi %arg2, %arg2 : vector<4xi64>
// CHECK-NEXT:     %42 = arith.minui %arg0, %arg0 : i32
// CHECK-NEXT:     %43 = arith.minui %arg2, %arg2 : vector<4xi64>
// CHECK-NEXT:     %sum, %overflow = arith.addui_extended %arg0, %arg0 : i32, i1
// CHECK-NEXT:     %low, %high = arith.mulsi_extended %arg0, %arg0 : i32
// CHECK-NEXT:     %low_0, %high_1 = arith.mului_extended %arg2, %arg2 : vector<4xi64>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @integers(%i: i32, %x: index, %v: vector<4xi64>) {
  %0 = arith.addi %i, %i : i32
  %1 = arith.addi %i, %i overflow<nsw> : i32
  %2 = arith.addi %x, %x overflow<nsw, nuw> : index
  %3 = arith.subi %i, %i : i32
  %4 = arith.subi %i, %i overflow<nsw> : i32
  %5 = arith.subi %x, %x overflow<nsw, nuw> : index
  %6 = arith.muli %i, %i : i32
  %7 = arith.muli %i, %i overflow<nsw> : i32
  %8 = arith.muli %x, %x overflow<nsw, nuw> : index
  %9 = arith.shli %i, %i : i32
  %10 = arith.shli %i, %i overflow<nsw> : i32
  %11 = arith.shli %x, %x overflow<nsw, nuw> : index
  %12 = arith.divsi %i, %i : i32
  %13 = arith.divsi %i, %i exact : i32
  %14 = arith.divui %i, %i : i32
  %15 = arith.divui %i, %i exact : i32
  %16 = arith.shrsi %i, %i : i32
  %17 = arith.shrsi %i, %i exact : i32
  %18 = arith.shrui %i, %i : i32
  %19 = arith.shrui %i, %i exact : i32
  %20 = arith.remsi %i, %i : i32
  %21 = arith.remsi %v, %v : vector<4xi64>
  %22 = arith.remui %i, %i : i32
  %23 = arith.remui %v, %v : vector<4xi64>
  %24 = arith.andi %i, %i : i32
  %25 = arith.andi %v, %v : vector<4xi64>
  %26 = arith.ori %i, %i : i32
  %27 = arith.ori %v, %v : vector<4xi64>
  %28 = arith.xori %i, %i : i32
  %29 = arith.xori %v, %v : vector<4xi64>
  %30 = arith.ceildivsi %i, %i : i32
  %31 = arith.ceildivsi %v, %v : vector<4xi64>
  %32 = arith.ceildivui %i, %i : i32
  %33 = arith.ceildivui %v, %v : vector<4xi64>
  %34 = arith.floordivsi %i, %i : i32
  %35 = arith.floordivsi %v, %v : vector<4xi64>
  %36 = arith.maxsi %i, %i : i32
  %37 = arith.maxsi %v, %v : vector<4xi64>
  %38 = arith.maxui %i, %i : i32
  %39 = arith.maxui %v, %v : vector<4xi64>
  %40 = arith.minsi %i, %i : i32
  %41 = arith.minsi %v, %v : vector<4xi64>
  %42 = arith.minui %i, %i : i32
  %43 = arith.minui %v, %v : vector<4xi64>
  %44:2 = arith.addui_extended %i, %i : i32, i1
  %45:2 = arith.mulsi_extended %i, %i : i32
  %46:2 = arith.mului_extended %v, %v : vector<4xi64>
  return
}

// CHECK-NEXT:   func.func @floats(%arg0: f32, %arg1: f64, %arg2: vector<2xf16>) {
// CHECK-NEXT:     %0 = arith.addf %arg0, %arg0 : f32
// CHECK-NEXT:     %1 = arith.addf %arg1, %arg1 fastmath<fast> : f64
// CHECK-NEXT:     %2 = arith.subf %arg0, %arg0 : f32
// CHECK-NEXT:     %3 = arith.subf %arg1, %arg1 fastmath<fast> : f64
// CHECK-NEXT:     %4 = arith.mulf %arg0, %arg0 : f32
// CHECK-NEXT:     %5 = arith.mulf %arg1, %arg1 fastmath<fast> : f64
// CHECK-NEXT:     %6 = arith.divf %arg0, %arg0 : f32
// CHECK-NEXT:     %7 = arith.divf %arg1, %arg1 fastmath<fast> : f64
// CHECK-NEXT:     %8 = arith.remf %arg0, %arg0 : f32
// CHECK-NEXT:     %9 = arith.remf %arg1, %arg1 fastmath<fast> : f64
// CHECK-NEXT:     %10 = arith.maximumf %arg0, %arg0 : f32
// CHECK-NEXT:     %11 = arith.maximumf %arg1, %arg1 fastmath<fast> : f64
// CHECK-NEXT:     %12 = arith.minimumf %arg0, %arg0 : f32
// CHECK-NEXT:     %13 = arith.minimumf %arg1, %arg1 fastmath<fast> : f64
// CHECK-NEXT:     %14 = arith.maxnumf %arg0, %arg0 : f32
// CHECK-NEXT:     %15 = arith.maxnumf %arg1, %arg1 fastmath<fast> : f64
// CHECK-NEXT:     %16 = arith.minnumf %arg0, %arg0 : f32
// CHECK-NEXT:     %17 = arith.minnumf %arg1, %arg1 fastmath<fast> : f64
// CHECK-NEXT:     %18 = arith.negf %arg0 : f32
// CHECK-NEXT:     %19 = arith.negf %arg2 fastmath<nnan,nsz> : vector<2xf16>
// CHECK-NEXT:     %20 = arith.addf %arg0, %arg0 fastmath<reassoc> : f32
// CHECK-NEXT:     %21 = arith.addf %arg0, %arg0 fastmath<nnan> : f32
// CHECK-NEXT:     %22 = arith.addf %arg0, %arg0 fastmath<ninf> : f32
// CHECK-NEXT:     %23 = arith.addf %arg0, %arg0 fastmath<nsz> : f32
// CHECK-NEXT:     %24 = arith.addf %arg0, %arg0 fastmath<arcp> : f32
// CHECK-NEXT:     %25 = arith.addf %arg0, %arg0 fastmath<contract> : f32
// CHECK-NEXT:     %26 = arith.addf %arg0, %arg0 fastmath<afn> : f32
// CHECK-NEXT:     %27 = arith.mulf %arg0, %arg0 fastmath<reassoc,nnan,ninf,nsz,arcp,contract> : f32
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @floats(%f: f32, %d: f64, %v: vector<2xf16>) {
  %0 = arith.addf %f, %f : f32
  %1 = arith.addf %d, %d fastmath<fast> : f64
  %2 = arith.subf %f, %f : f32
  %3 = arith.subf %d, %d fastmath<fast> : f64
  %4 = arith.mulf %f, %f : f32
  %5 = arith.mulf %d, %d fastmath<fast> : f64
  %6 = arith.divf %f, %f : f32
  %7 = arith.divf %d, %d fastmath<fast> : f64
  %8 = arith.remf %f, %f : f32
  %9 = arith.remf %d, %d fastmath<fast> : f64
  %10 = arith.maximumf %f, %f : f32
  %11 = arith.maximumf %d, %d fastmath<fast> : f64
  %12 = arith.minimumf %f, %f : f32
  %13 = arith.minimumf %d, %d fastmath<fast> : f64
  %14 = arith.maxnumf %f, %f : f32
  %15 = arith.maxnumf %d, %d fastmath<fast> : f64
  %16 = arith.minnumf %f, %f : f32
  %17 = arith.minnumf %d, %d fastmath<fast> : f64
  %18 = arith.negf %f : f32
  %19 = arith.negf %v fastmath<nnan,nsz> : vector<2xf16>
  %20 = arith.addf %f, %f fastmath<reassoc> : f32
  %21 = arith.addf %f, %f fastmath<nnan> : f32
  %22 = arith.addf %f, %f fastmath<ninf> : f32
  %23 = arith.addf %f, %f fastmath<nsz> : f32
  %24 = arith.addf %f, %f fastmath<arcp> : f32
  %25 = arith.addf %f, %f fastmath<contract> : f32
  %26 = arith.addf %f, %f fastmath<afn> : f32
  %27 = arith.mulf %f, %f fastmath<reassoc,nnan,ninf,nsz,arcp,contract> : f32
  return
}

// CHECK-NEXT:   func.func @comparisons(%arg0: i32, %arg1: index, %arg2: f32, %arg3: i1, %arg4: vector<4xi1>, %arg5: vector<4xi32>) {
// CHECK-NEXT:     %0 = arith.cmpi eq, %arg0, %arg0 : i32
// CHECK-NEXT:     %1 = arith.cmpi ne, %arg0, %arg0 : i32
// CHECK-NEXT:     %2 = arith.cmpi slt, %arg0, %arg0 : i32
// CHECK-NEXT:     %3 = arith.cmpi sle, %arg0, %arg0 : i32
// CHECK-NEXT:     %4 = arith.cmpi sgt, %arg0, %arg0 : i32
// CHECK-NEXT:     %5 = arith.cmpi sge, %arg0, %arg0 : i32
// CHECK-NEXT:     %6 = arith.cmpi ult, %arg0, %arg0 : i32
// CHECK-NEXT:     %7 = arith.cmpi ule, %arg0, %arg0 : i32
// CHECK-NEXT:     %8 = arith.cmpi ugt, %arg0, %arg0 : i32
// CHECK-NEXT:     %9 = arith.cmpi uge, %arg0, %arg0 : i32
// CHECK-NEXT:     %10 = arith.cmpi eq, %arg1, %arg1 : index
// CHECK-NEXT:     %11 = arith.cmpf false, %arg2, %arg2 : f32
// CHECK-NEXT:     %12 = arith.cmpf oeq, %arg2, %arg2 : f32
// CHECK-NEXT:     %13 = arith.cmpf ogt, %arg2, %arg2 : f32
// CHECK-NEXT:     %14 = arith.cmpf oge, %arg2, %arg2 : f32
// CHECK-NEXT:     %15 = arith.cmpf olt, %arg2, %arg2 : f32
// CHECK-NEXT:     %16 = arith.cmpf ole, %arg2, %arg2 : f32
// CHECK-NEXT:     %17 = arith.cmpf one, %arg2, %arg2 : f32
// CHECK-NEXT:     %18 = arith.cmpf ord, %arg2, %arg2 : f32
// CHECK-NEXT:     %19 = arith.cmpf ueq, %arg2, %arg2 : f32
// CHECK-NEXT:     %20 = arith.cmpf ugt, %arg2, %arg2 : f32
// CHECK-NEXT:     %21 = arith.cmpf uge, %arg2, %arg2 : f32
// CHECK-NEXT:     %22 = arith.cmpf ult, %arg2, %arg2 : f32
// CHECK-NEXT:     %23 = arith.cmpf ule, %arg2, %arg2 : f32
// CHECK-NEXT:     %24 = arith.cmpf une, %arg2, %arg2 : f32
// CHECK-NEXT:     %25 = arith.cmpf uno, %arg2, %arg2 : f32
// CHECK-NEXT:     %26 = arith.cmpf true, %arg2, %arg2 : f32
// CHECK-NEXT:     %27 = arith.cmpf olt, %arg2, %arg2 fastmath<nnan> : f32
// CHECK-NEXT:     %28 = arith.select %arg3, %arg2, %arg2 : f32
// CHECK-NEXT:     %29 = arith.select %arg4, %arg5, %arg5 : vector<4xi1>, vector<4xi32>
// CHECK-NEXT:     %30 = arith.select %arg3, %arg5, %arg5 : vector<4xi32>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @comparisons(%i: i32, %x: index, %f: f32, %c: i1, %cv: vector<4xi1>, %w: vector<4xi32>) {
  %0 = arith.cmpi eq, %i, %i : i32
  %1 = arith.cmpi ne, %i, %i : i32
  %2 = arith.cmpi slt, %i, %i : i32
  %3 = arith.cmpi sle, %i, %i : i32
  %4 = arith.cmpi sgt, %i, %i : i32
  %5 = arith.cmpi sge, %i, %i : i32
  %6 = arith.cmpi ult, %i, %i : i32
  %7 = arith.cmpi ule, %i, %i : i32
  %8 = arith.cmpi ugt, %i, %i : i32
  %9 = arith.cmpi uge, %i, %i : i32
  %10 = arith.cmpi eq, %x, %x : index
  %11 = arith.cmpf false, %f, %f : f32
  %12 = arith.cmpf oeq, %f, %f : f32
  %13 = arith.cmpf ogt, %f, %f : f32
  %14 = arith.cmpf oge, %f, %f : f32
  %15 = arith.cmpf olt, %f, %f : f32
  %16 = arith.cmpf ole, %f, %f : f32
  %17 = arith.cmpf one, %f, %f : f32
  %18 = arith.cmpf ord, %f, %f : f32
  %19 = arith.cmpf ueq, %f, %f : f32
  %20 = arith.cmpf ugt, %f, %f : f32
  %21 = arith.cmpf uge, %f, %f : f32
  %22 = arith.cmpf ult, %f, %f : f32
  %23 = arith.cmpf ule, %f, %f : f32
  %24 = arith.cmpf une, %f, %f : f32
  %25 = arith.cmpf uno, %f, %f : f32
  %26 = arith.cmpf true, %f, %f : f32
  %27 = arith.cmpf olt, %f, %f fastmath<nnan> : f32
  %28 = arith.select %c, %f, %f : f32
  %29 = arith.select %cv, %w, %w : vector<4xi1>, vector<4xi32>
  %30 = arith.select %c, %w, %w : vector<4xi32>
  return
}

// CHECK-NEXT:   func.func @conversions(%arg0: i32, %arg1: index, %arg2: f32, %arg3: f16, %arg4: vector<4xi32>, %arg5: f4E2M1FN, %arg6: f8E8M0FNU) {
// CHECK-NEXT:     %0 = arith.extsi %arg0 : i32 to i64
// CHECK-NEXT:     %1 = arith.extui %arg0 : i32 to i64
// CHECK-NEXT:     %2 = arith.trunci %arg0 : i32 to i8
// CHECK-NEXT:     %3 = arith.trunci %arg0 overflow<nsw, nuw> : i32 to i8
// CHECK-NEXT:     %4 = arith.extf %arg3 : f16 to f32
// CHECK-NEXT:     %5 = arith.extf %arg3 fastmath<fast> : f16 to f32
// CHECK-NEXT:     %6 = arith.truncf %arg2 : f32 to f16
// CHECK-NEXT:     %7 = arith.truncf %arg2 to_nearest_even : f32 to f16
// CHECK-NEXT:     %8 = arith.truncf %arg2 downward : f32 to f16
// CHECK-NEXT:     %9 = arith.truncf %arg2 upward : f32 to f16
// CHECK-NEXT:     %10 = arith.truncf %arg2 toward_zero : f32 to f16
// CHECK-NEXT:     %11 = arith.truncf %arg2 to_nearest_away : f32 to f16
// CHECK-NEXT:     %12 = arith.truncf %arg2 to_nearest_even fastmath<contract> : f32 to bf16
// CHECK-NEXT:     %13 = arith.scaling_extf %arg5, %arg6 : f4E2M1FN, f8E8M0FNU to f32
// CHECK-NEXT:     %14 = arith.scaling_extf %arg5, %arg6 fastmath<fast> : f4E2M1FN, f8E8M0FNU to f32
// CHECK-NEXT:     %15 = arith.scaling_truncf %arg2, %arg6 : f32, f8E8M0FNU to f4E2M1FN
// CHECK-NEXT:     %16 = arith.scaling_truncf %arg2, %arg6 to_nearest_even fastmath<fast> : f32, f8E8M0FNU to f4E2M1FN
// CHECK-NEXT:     %17 = arith.sitofp %arg0 : i32 to f32
// CHECK-NEXT:     %18 = arith.uitofp %arg0 : i32 to f32
// CHECK-NEXT:     %19 = arith.fptosi %arg2 : f32 to i32
// CHECK-NEXT:     %20 = arith.fptoui %arg2 : f32 to i32
// CHECK-NEXT:     %21 = arith.index_cast %arg1 : index to i32
// CHECK-NEXT:     %22 = arith.index_castui %arg0 : i32 to index
// CHECK-NEXT:     %23 = arith.index_cast %arg4 : vector<4xi32> to vector<4xindex>
// CHECK-NEXT:     %24 = arith.bitcast %arg0 : i32 to f32
// CHECK-NEXT:     %25 = arith.bitcast %arg4 : vector<4xi32> to vector<4xf32>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @conversions(%i: i32, %x: index, %f: f32, %h: f16, %w: vector<4xi32>, %q: f4E2M1FN, %s: f8E8M0FNU) {
  %0 = arith.extsi %i : i32 to i64
  %1 = arith.extui %i : i32 to i64
  %2 = arith.trunci %i : i32 to i8
  %3 = arith.trunci %i overflow<nsw, nuw> : i32 to i8
  %4 = arith.extf %h : f16 to f32
  %5 = arith.extf %h fastmath<fast> : f16 to f32
  %6 = arith.truncf %f : f32 to f16
  %7 = arith.truncf %f to_nearest_even : f32 to f16
  %8 = arith.truncf %f downward : f32 to f16
  %9 = arith.truncf %f upward : f32 to f16
  %10 = arith.truncf %f toward_zero : f32 to f16
  %11 = arith.truncf %f to_nearest_away : f32 to f16
  %12 = arith.truncf %f to_nearest_even fastmath<contract> : f32 to bf16
  %13 = arith.scaling_extf %q, %s : f4E2M1FN, f8E8M0FNU to f32
  %14 = arith.scaling_extf %q, %s fastmath<fast> : f4E2M1FN, f8E8M0FNU to f32
  %15 = arith.scaling_truncf %f, %s : f32, f8E8M0FNU to f4E2M1FN
  %16 = arith.scaling_truncf %f, %s to_nearest_even fastmath<fast> : f32, f8E8M0FNU to f4E2M1FN
  %17 = arith.sitofp %i : i32 to f32
  %18 = arith.uitofp %i : i32 to f32
  %19 = arith.fptosi %f : f32 to i32
  %20 = arith.fptoui %f : f32 to i32
  %21 = arith.index_cast %x : index to i32
  %22 = arith.index_castui %i : i32 to index
  %23 = arith.index_cast %w : vector<4xi32> to vector<4xindex>
  %24 = arith.bitcast %i : i32 to f32
  %25 = arith.bitcast %w : vector<4xi32> to vector<4xf32>
  return
}
