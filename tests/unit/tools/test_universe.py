# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Embedding in xDSL: names that clash are left to xDSL, the others work in its tools."""

from io import StringIO

from xdsl.context import Context
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.universe import XDSL_UNIVERSE

from xgpu.core.ods.operation import OdsOperation
from xgpu.universe import XGPU_UNIVERSE, get_all_dialects, get_all_passes

#: A new name here means that xDSL has begun to define it: a pass or dialect of ours is hidden.
SHADOWED_DIALECTS = {
    "affine",
    "arith",
    "bufferization",
    "cf",
    "complex",
    "dlti",
    "func",
    "gpu",
    "linalg",
    "llvm",
    "math",
    "memref",
    "mpi",
    "scf",
    "shard",
    "tensor",
    "transform",
    "ub",
    "vector",
}


def test_shadowed_names() -> None:
    assert set(get_all_dialects()) & set(XDSL_UNIVERSE.all_dialects) <= SHADOWED_DIALECTS
    assert not set(XGPU_UNIVERSE.all_dialects) & set(XDSL_UNIVERSE.all_dialects)
    assert not set(XGPU_UNIVERSE.all_passes) & set(XDSL_UNIVERSE.all_passes)
    assert "nvvm" in XGPU_UNIVERSE.all_dialects
    assert set(XGPU_UNIVERSE.all_passes) <= set(get_all_passes())


def test_pass_runs_on_xdsl_ir() -> None:
    context = Context()
    for name, factory in XDSL_UNIVERSE.all_dialects.items():
        context.register_dialect(name, factory)
    text = """
      func.func private @used()
      func.func private @unused()
      func.func @main() {
        func.call @used() : () -> ()
        func.return
      }
    """
    module = Parser(context, text).parse_module()
    XGPU_UNIVERSE.all_passes["symbol-privatize"]()(exclude=("main",)).apply(context, module)
    out = StringIO()
    Printer(out).print_op(module)
    assert "func.func @main" in out.getvalue()
    assert "func.func private @unused" in out.getvalue()


def test_adopted_ops_are_ours_and_print_as_mlir_has_them() -> None:
    context = Context()
    for name, factory in XDSL_UNIVERSE.all_dialects.items():
        context.register_dialect(name, factory)
    text = """
      "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
        %0 = "gpu.alloc"() <{operandSegmentSizes = array<i32: 0, 0, 0>}> : () -> memref<4xf32>
        "gpu.dealloc"(%0) {operandSegmentSizes = array<i32: 0, 1>} : (memref<4xf32>) -> ()
        "func.return"() : () -> ()
      }) : () -> ()
    """
    module = Parser(context, text).parse_module()
    XGPU_UNIVERSE.all_passes["adopt-gpu-ops"]()().apply(context, module)
    dealloc = next(op for op in module.walk() if op.name == "gpu.dealloc")
    assert isinstance(dealloc, OdsOperation)
    out = StringIO()
    Printer(out).print_op(module)
    assert "gpu.dealloc %0 : memref<4xf32>" in " ".join(out.getvalue().split())


def test_attributes_that_xdsl_reads_print_as_they_were() -> None:
    """xDSL's parser hands all parameters of an attribute over as one tuple."""
    context = Context()
    for universe in (XDSL_UNIVERSE, XGPU_UNIVERSE):
        for name, factory in universe.all_dialects.items():
            context.register_dialect(name, factory)
    text = (
        '"test.op"() {a = #nvvm.target<chip = "sm_90">, b = #nvvm.shape<m = 1, n = 2, k = 3>} '
        ": () -> ()"
    )
    out = StringIO()
    Printer(out).print_op(Parser(context, text).parse_op())
    assert '#nvvm.target<chip = "sm_90">' in out.getvalue()
    assert "#nvvm.shape<m = 1, n = 2, k = 3>" in out.getvalue()
