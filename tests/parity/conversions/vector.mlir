// SAME: --convert-vector-to-llvm

func.func @p(%a: f32, %b: i8, %c: f16, %v: vector<4xf32>, %m: memref<?x?xf32>, %i: index, %mask: vector<4xi1>, %iv: vector<4xi32>, %acc: f32, %m64: memref<4xvector<4xf32>>) {
  vector.print %a : f32
  vector.print %b : i8 punctuation <comma>
  vector.print %c : f16 punctuation <open>
  vector.print str "hello"
  vector.print %i : index punctuation <no_punctuation>
  %0 = vector.load %m[%i, %i] : memref<?x?xf32>, vector<4xf32>
  %1 = vector.maskedload %m[%i, %i], %mask, %v : memref<?x?xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  %2 = vector.gather %m[%i, %i][%iv], %mask, %v : memref<?x?xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  vector.store %0, %m[%i, %i] {nontemporal = true} : memref<?x?xf32>, vector<4xf32>
  %3 = vector.expandload %m[%i, %i], %mask, %v : memref<?x?xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  %4 = vector.mask %mask { vector.reduction <add>, %v, %acc : vector<4xf32> into f32 } : vector<4xi1> -> f32
  %5 = vector.reduction <maximumf>, %v, %acc : vector<4xf32> into f32
  %6 = vector.reduction <minui>, %iv : vector<4xi32> into i32
  %7 = vector.extract %v[%i] : f32 from vector<4xf32>
  %8 = vector.extract %v[2] : f32 from vector<4xf32>
  %9 = vector.insert %a, %v[1] : f32 into vector<4xf32>
  %10 = vector.broadcast %a : f32 to vector<2x2xf32>
  %11 = vector.shuffle %v, %v [0, 1, 5, 6] : vector<4xf32>, vector<4xf32>
  %12 = vector.fma %v, %v, %v : vector<4xf32>
  %13 = vector.bitcast %v : vector<4xf32> to vector<8xi16>
  %14 = vector.transfer_read %m[%i, %i], %a {in_bounds = [true]}: memref<?x?xf32>, vector<4xf32>
  %15 = vector.type_cast %m64 : memref<4xvector<4xf32>> to memref<vector<4x4xf32>>
  return
}
