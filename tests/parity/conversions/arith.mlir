// SAME: --convert-arith-to-llvm

func.func @a(%i: i32, %j: i32, %f: f32, %x: index, %v: vector<4xi32>, %v2: vector<2x3xf32>, %h: f16, %b: bf16, %i1: i1) {
  %0 = arith.addi %i, %j overflow<nsw,nuw> : i32
  %1, %1000 = arith.addui_extended %i, %j : i32, i1
  %2, %3 = arith.mulsi_extended %i, %j : i32
  %4, %5 = arith.mului_extended %i, %j : i32
  %6 = arith.ceildivsi %i, %j : i32
  %7 = arith.minsi %i, %j : i32
  %8 = arith.minimumf %f, %f fastmath<nnan> : f32
  %9 = arith.minnumf %f, %f : f32
  %10 = arith.remf %f, %f : f32
  %11 = arith.negf %f : f32
  %12 = arith.extf %h : f16 to f32
  %13 = arith.truncf %f : f32 to f16
  %14 = arith.truncf %f to_nearest_even : f32 to f16
  %15 = arith.index_castui %i : i32 to index
  %16 = arith.index_cast %x : index to i64
  %17 = arith.index_cast %x : index to i128
  %18 = arith.bitcast %f : f32 to i32
  %19 = arith.select %i1, %f, %f : f32
  %20 = arith.addf %v2, %v2 : vector<2x3xf32>
  %21 = arith.cmpi slt, %v, %v : vector<4xi32>
  %22 = arith.cmpf ord, %v2, %v2 fastmath<fast> : vector<2x3xf32>
  %23 = arith.constant dense<1.0> : vector<2x3xf32>
  %24 = arith.constant dense<[[1.0,2.0],[3.0,4.0]]> : vector<2x2xf32>
  %25 = arith.constant 5 : index
  %26 = arith.constant dense<5> : vector<4xindex>
  %27 = arith.divsi %i, %j : i32
  %28 = arith.trunci %i overflow<nsw> : i32 to i8
  %29 = arith.extui %i : i32 to i64
  %30 = arith.uitofp %i : i32 to f32
  %31 = arith.addf %f, %f fastmath<fast> : f32
  %32 = arith.maxnumf %v2, %v2 : vector<2x3xf32>
  %33, %34 = arith.addui_extended %v, %v : vector<4xi32>, vector<4xi1>
  %35 = arith.select %i1, %v2, %v2 : vector<2x3xf32>
  %36 = arith.shli %i, %j overflow<nsw> : i32
  %37 = arith.shrsi %i, %j exact : i32
  %38 = arith.ori %i, %j : i32
  %39 = arith.extui %v : vector<4xi32> to vector<4xi64>
  %40 = arith.extf %v2 : vector<2x3xf32> to vector<2x3xf64>
  %41 = arith.truncf %f fastmath<fast>: f32 to f16
  return
}
