// SAME: --convert-arith-to-llvm

func.func @f(%i: index, %j: index) -> index {
 %0 = arith.floordivsi %i, %j : index 
 return %0: index }
func.func @g(%i: i32, %j: i32) -> i32 {
 %0 = arith.ceildivui %i, %j : i32
 return %0: i32 }
func.func @v(%i: vector<4xi32>, %j: vector<4xi32>, %n: vector<2x2xi32>) -> vector<4xi32> {
 %0 = arith.ceildivui %i, %j : vector<4xi32>
 %1, %2 = arith.mulsi_extended %i, %j : vector<4xi32>
 %3 = arith.index_cast %n : vector<2x2xi32> to vector<2x2xindex>
 %c = arith.constant dense<1> : vector<2x2x2xindex>
 %d = arith.addi %c, %c : vector<2x2x2xindex>
 %k = arith.constant {foo} 1.0 : f8E4M3FN
 %b = arith.constant true
 %s = arith.select %b, %n, %n {hello} : vector<2x2xi32>
 return %0: vector<4xi32> }
