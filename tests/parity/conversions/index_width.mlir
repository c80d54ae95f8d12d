// SAME: '--convert-index-to-llvm=index-bitwidth=32' '--convert-arith-to-llvm=index-bitwidth=32' '--convert-cf-to-llvm=index-bitwidth=32' '--convert-func-to-llvm=index-bitwidth=32' --reconcile-unrealized-casts
func.func @f(%a: index, %b: index, %c: i1, %x: i64) -> index {
  %0 = index.add %a, %b
  %1 = arith.index_cast %x : i64 to index
  %2 = arith.index_castui %0 : index to i8
  %3 = arith.muli %0, %1 : index
  cf.cond_br %c, ^bb1(%3 : index), ^bb2(%0, %2 : index, i8)
^bb1(%4: index):
  %5 = index.cmp slt(%4, %a)
  cf.switch %x : i64, [
    default: ^bb1(%a : index),
    4: ^bb2(%4, %2 : index, i8)
  ]
^bb2(%6: index, %7: i8):
  cf.assert %c, "positive"
  return %6 : index
}
