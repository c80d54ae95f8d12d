// RUN: xgpu-opt %s --split-input-file --mlir-print-debuginfo --mlir-print-local-scope | filecheck %s
// RUN: not xgpu-opt %s --split-input-file --no-implicit-module 2>&1 | filecheck %s --check-prefix=SINGLE

// What is around a chunk is where the chunk begins: behind its marker.

// CHECK:      func.func @first() {
// CHECK:      } loc("{{.*}}places_in_chunks.mlir":0:0)
// CHECK:      func.func @second() {
// CHECK-NEXT:   return loc("{{.*}}places_in_chunks.mlir":18:32)
// CHECK-NEXT: } loc("{{.*}}places_in_chunks.mlir":18:10)
// CHECK:      func.func @third() {
// CHECK:      } loc("{{.*}}places_in_chunks.mlir":18:9)
// SINGLE:      {{.*}}places_in_chunks.mlir:18:9: error: source must contain a single top-level operation, found: 2
// SINGLE-NEXT: {{//}} ----- func.func @second() { return }
// SINGLE-NEXT:         ^

func.func @first() { return }
// ----- func.func @second() { return }
func.func @third() { return }
