# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operations as mlir-opt prints them: read, printed in both forms, and read by mlir-opt again."""

from io import StringIO

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import Builtin
from xdsl.parser import Parser
from xdsl.printer import Printer

from tests.support import processes
from xgpu.core.ods.dialect import dialect

pytestmark = [pytest.mark.parity, pytest.mark.sampled(2)]

DIALECTS = ("func", "arith", "math", "cf", "memref", "vector", "index", "complex", "gpu", "nvgpu",
            "nvvm", "async", "llvm", "ub")  # fmt: skip

CASES = {
    "arith": """
        %0 = arith.addi %i, %i overflow<nsw, nuw> : index
        %1 = arith.cmpf oeq, %a, %a fastmath<nnan,contract> : f32
        %2 = arith.truncf %a to_nearest_even : f32 to f16
        %3 = arith.constant {x = 1 : i32} 5 : i8
    """,
    "memref": """
        %0 = memref.load %m[%i, %i] {nontemporal = true} : memref<?x?xf32>
        %1 = memref.subview %m[%i, 0] [4, %i] [1, 1]
          : memref<?x?xf32> to memref<4x?xf32, strided<[?, 1], offset: ?>>
        %2 = memref.alloc(%i) {alignment = 16 : i64} : memref<?xf32>
        %3 = memref.atomic_rmw addf %a, %m[%i, %i] : (f32, memref<?x?xf32>) -> f32
    """,
    "gpu": """
        %0 = gpu.thread_id x upper_bound 64
        %1 = gpu.wait async
        %2, %3 = gpu.alloc async [%1] host_shared (%i) : memref<?xf32>
        %4, %5 = gpu.shuffle xor %a, %n, %n : f32
        gpu.barrier
        gpu.printf "%f", %a : f32
    """,
    "nvgpu": """
        %c = arith.constant 0 : index
        %0 = nvgpu.mbarrier.create -> !nvgpu.mbarrier.group<memorySpace = 3, num_barriers = 2>
        nvgpu.mbarrier.init %0[%c], %i
          : !nvgpu.mbarrier.group<memorySpace = 3, num_barriers = 2>
    """,
    "nvvm": """
        nvvm.barrier id = %n number_of_threads = %n
        %0 = nvvm.read.ptx.sreg.tid.x range <i32, 0, 64> : i32
        %1 = nvvm.shfl.sync bfly %n, %a, %n, %n : f32 -> f32
    """,
    "llvm": """
        %0 = llvm.add %n, %n overflow<nsw> : i32
        %1 = llvm.or disjoint %n, %n : i32
        %2 = llvm.load %p {alignment = 4 : i64} : !llvm.ptr -> i32
        %3 = llvm.getelementptr inbounds %p[%n, 2] : (!llvm.ptr, i32) -> !llvm.ptr, vector<4xf32>
    """,
    "vector": """
        %0 = vector.extract %v[1] : f32 from vector<4xf32>
        %1 = vector.reduction <add>, %v fastmath<reassoc> : vector<4xf32> into f32
        %2 = vector.from_elements %a, %a : vector<2xf32>
        vector.print %a : f32 punctuation <comma>
    """,
}


@pytest.fixture
def opt(mlir_opt):
    def run(text, *options):
        done = processes.run(
            [mlir_opt, "--mlir-print-local-scope", *options],
            input=text, capture_output=True, text=True,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


@pytest.mark.parametrize("name", CASES)
def test_both_forms(name, opt):
    given = (
        "func.func @f(%a: f32, %i: index, %n: i32, %m: memref<?x?xf32>, %v: vector<4xf32>, "
        "%p: !llvm.ptr) {\n" + CASES[name] + "\nreturn\n}"
    )
    pretty, generic = opt(given), opt(given, "--mlir-print-op-generic")
    ctx = Context()
    ctx.load_dialect(Builtin)
    for dialect_name in DIALECTS:
        ctx.register_dialect(dialect_name, lambda n=dialect_name: dialect(n))
    for source in (pretty, generic):
        module = Parser(ctx, source).parse_module()
        module.verify()
        for print_generic in (True, False):
            out = StringIO()
            Printer(stream=out, print_generic_format=print_generic).print_op(module)
            assert opt(out.getvalue(), "--mlir-print-op-generic") == generic
