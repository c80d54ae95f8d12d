// RUN: not xgpu-opt %s --pass-pipeline="builtin.module(func.func(scf-parallel-loop-tiling{parallel-loop-tile-sizes=2,0}))" 2>&1 | filecheck %s --check-prefix=ZERO
// RUN: not xgpu-opt %s --pass-pipeline="builtin.module(func.func(scf-parallel-loop-tiling{parallel-loop-tile-sizes=-2}))" 2>&1 | filecheck %s --check-prefix=NEGATIVE
// RUN: not xgpu-opt %s --pass-pipeline="builtin.module(func.func(scf-parallel-loop-tiling{parallel-loop-tile-sizes=2,x}))" 2>&1 | filecheck %s --check-prefix=WORD

// ZERO: {{.*}}:8:1: error: tile size cannot be 0
// NEGATIVE: {{.*}}:8:1: error: tile size cannot be negative: -2
// WORD: scf-parallel-loop-tiling: for the --parallel-loop-tile-sizes option: 'x' value invalid for integer argument!
func.func @f() {
  return
}
