// What passes remark, as diagnostics and as YAML.
// RUN: xgpu-opt %s --gpu-async-to-mgpu --remarks-filter-analyse=.* -o /dev/null 2>&1 | filecheck %s
// RUN: xgpu-opt %s --gpu-async-to-mgpu --remarks-filter=gpu-async --remarks-filter-passed=.* 2>&1 | filecheck %s --check-prefix=NONE
// RUN: xgpu-opt %s --gpu-async-to-mgpu --remarks-filter=gpu-.* --remark-format=yaml --remarks-output-file=%t -o /dev/null
// RUN: cat %t | filecheck %s --check-prefix=YAML
// RUN: not xgpu-opt %s --remark-format=xml 2>&1 | filecheck %s --check-prefix=FORMAT
// RUN: not xgpu-opt %s --remark-policy=first 2>&1 | filecheck %s --check-prefix=POLICY
// RUN: not xgpu-opt %s --remark-format=yaml --remarks-output-file=%t/none/a.yaml 2>&1 | filecheck %s --check-prefix=FILE

// CHECK: remarks.mlir:{{[0-9]+}}:1: remark: [Analysis] Streams | Category:gpu-async-to-mgpu | Remark="independent work gets streams of its own", Streams=2
// NONE-NOT: remark
// YAML:      --- !Analysis
// YAML-NEXT: Pass:            gpu-async-to-mgpu
// YAML-NEXT: Name:            Streams
// YAML-NEXT: DebugLoc:
// YAML:      Function:        '<unknown function>'
// YAML-NEXT: Args:
// YAML-NEXT:   - Remark:          independent work gets streams of its own
// YAML-NEXT:   - Streams:         '2'
// YAML-NEXT: ...

// FORMAT: xgpu-opt: for the --remark-format option: Cannot find option named 'xml'! (emitRemark, yaml or bitstream)
// POLICY: xgpu-opt: for the --remark-policy option: Cannot find option named 'first'! (all or final)
// FILE: xgpu-opt: cannot open output file


func.func @two(%a: memref<4xf32>, %b: memref<4xf32>) {
  %t0 = gpu.wait async
  %zero = arith.constant 0.0 : f32
  %1 = gpu.memset async [%t0] %a, %zero : memref<4xf32>, f32
  %2 = gpu.memset async [%t0] %b, %zero : memref<4xf32>, f32
  gpu.wait [%1, %2]
  return
}
