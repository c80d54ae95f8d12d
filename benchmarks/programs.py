# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The programs that the benchmarks compile."""

from __future__ import annotations

SMALL = """\
func.func @saxpy(%a: f32, %x: memref<?xf32>, %y: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %0 = memref.load %x[%i] : memref<?xf32>
    %1 = arith.mulf %a, %0 : f32
    %2 = memref.load %y[%i] : memref<?xf32>
    %3 = arith.addf %1, %2 : f32
    memref.store %3, %y[%i] : memref<?xf32>
  }
  return
}

func.func @main(%x: memref<?xf32>, %y: memref<?xf32>) {
  %two = arith.constant 2.0 : f32
  call @saxpy(%two, %x, %y) : (f32, memref<?xf32>, memref<?xf32>) -> ()
  return
}
"""

VECTOR_ADD = """\
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @vector_add(%a: memref<?xf32>, %b: memref<?xf32>, %c: memref<?xf32>, %n: index)
        kernel {
      %block = gpu.block_id x
      %size = gpu.block_dim x
      %thread = gpu.thread_id x
      %base = arith.muli %block, %size : index
      %i = arith.addi %base, %thread : index
      %inside = arith.cmpi slt, %i, %n : index
      scf.if %inside {
        %x = memref.load %a[%i] : memref<?xf32>
        %y = memref.load %b[%i] : memref<?xf32>
        %z = arith.addf %x, %y : f32
        memref.store %z, %c[%i] : memref<?xf32>
      }
      gpu.return
    }
  }
}
"""

TILED_MATMUL = """\
!matrix = memref<1024x1024xf32>
!tile = memref<16x16xf32, #gpu.address_space<workgroup>>
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @matmul(%a: !matrix, %b: !matrix, %c: !matrix)
        workgroup(%ta: !tile, %tb: !tile) kernel
        attributes {known_block_size = array<i32: 16, 16, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c16 = arith.constant 16 : index
      %c1024 = arith.constant 1024 : index
      %zero = arith.constant 0.0 : f32
      %bx = gpu.block_id x
      %by = gpu.block_id y
      %tx = gpu.thread_id x
      %ty = gpu.thread_id y
      %row0 = arith.muli %by, %c16 : index
      %row = arith.addi %row0, %ty : index
      %col0 = arith.muli %bx, %c16 : index
      %col = arith.addi %col0, %tx : index
      %sum = scf.for %k = %c0 to %c1024 step %c16 iter_args(%acc = %zero) -> (f32) {
        %ka = arith.addi %k, %tx : index
        %kb = arith.addi %k, %ty : index
        %x = memref.load %a[%row, %ka] : !matrix
        memref.store %x, %ta[%ty, %tx] : !tile
        %y = memref.load %b[%kb, %col] : !matrix
        memref.store %y, %tb[%ty, %tx] : !tile
        gpu.barrier
        %part = scf.for %j = %c0 to %c16 step %c1 iter_args(%s = %acc) -> (f32) {
          %p = memref.load %ta[%ty, %j] : !tile
          %q = memref.load %tb[%j, %tx] : !tile
          %m = arith.mulf %p, %q : f32
          %t = arith.addf %s, %m : f32
          scf.yield %t : f32
        }
        gpu.barrier
        scf.yield %part : f32
      }
      memref.store %sum, %c[%row, %col] : !matrix
      gpu.return
    }
  }
}
"""


GELU = """\
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @gelu(%x: memref<?xf32>, %y: memref<?xf32>, %n: index) kernel {
      %block = gpu.block_id x
      %size = gpu.block_dim x
      %thread = gpu.thread_id x
      %base = arith.muli %block, %size : index
      %i = arith.addi %base, %thread : index
      %inside = arith.cmpi slt, %i, %n : index
      scf.if %inside {
        %half = arith.constant 0.5 : f32
        %one = arith.constant 1.0 : f32
        %c = arith.constant 0.044715 : f32
        %d = arith.constant 0.7978845608 : f32
        %v = memref.load %x[%i] : memref<?xf32>
        %0 = arith.mulf %v, %v : f32
        %1 = arith.mulf %0, %v : f32
        %2 = arith.mulf %c, %1 : f32
        %3 = arith.addf %v, %2 : f32
        %4 = arith.mulf %d, %3 : f32
        %5 = math.tanh %4 : f32
        %6 = arith.addf %one, %5 : f32
        %7 = arith.mulf %half, %v : f32
        %8 = arith.mulf %7, %6 : f32
        memref.store %8, %y[%i] : memref<?xf32>
      }
      gpu.return
    }
  }
}
"""


def integers(operations: int) -> str:
    """A module of about so many operations, in functions of 100: integers and stores."""
    lines: list[str] = []
    for f in range(operations // 100):
        lines.append(f"func.func @f{f}(%a: i32, %b: i32, %m: memref<64xi32>, %i: index) -> i32 {{")
        left, right = "%a", "%b"
        for k in range(49):
            name = ("arith.addi", "arith.muli", "arith.xori")[k % 3]
            lines.append(f"  %v{k} = {name} {left}, {right} : i32")
            lines.append(f"  memref.store %v{k}, %m[%i] : memref<64xi32>")
            left, right = right, f"%v{k}"
        lines.append(f"  return {right} : i32")
        lines.append("}")
    return "\n".join(lines) + "\n"


def _steps(operations: int) -> list[str]:
    """Loads, arithmetic and stores, each step of five operations on the last one's results."""
    lines: list[str] = []
    value, index = "%x", "%i"
    for k in range(operations // 5):
        lines.append(f"  %l{k} = memref.load %a[{index}] : memref<?xf32>")
        lines.append(f"  %m{k} = arith.mulf %l{k}, {value} : f32")
        lines.append(f"  %s{k} = arith.addf %m{k}, %l{k} : f32")
        lines.append(f"  %i{k} = arith.addi {index}, %c1 : index")
        lines.append(f"  memref.store %s{k}, %a[%i{k}] : memref<?xf32>")
        value, index = f"%s{k}", f"%i{k}"
    return lines


def host_function(operations: int) -> str:
    """One function of about so many operations in a straight line."""
    return "\n".join(
        [
            "func.func @f(%a: memref<?xf32>, %x: f32, %i: index) {",
            "  %c1 = arith.constant 1 : index",
            *_steps(operations),
            "  return",
            "}\n",
        ]
    )


def kernel(operations: int) -> str:
    """One kernel of about so many operations in a straight line."""
    return "\n".join(
        [
            "gpu.module @kernels {",
            "gpu.func @f(%a: memref<?xf32>, %x: f32) kernel {",
            "  %i = gpu.thread_id x",
            "  %c1 = arith.constant 1 : index",
            *_steps(operations),
            "  gpu.return",
            "}",
            "}\n",
        ]
    )
