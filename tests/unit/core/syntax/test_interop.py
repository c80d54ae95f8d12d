# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operations of others become ours while we work on them, and go back: the same objects."""

from typing import Any

import pytest
from xdsl.context import Context
from xdsl.dialects import builtin
from xdsl.dialects import gpu as xdsl_gpu
from xdsl.dialects.builtin import MemRefType, ModuleOp, UnregisteredOp
from xdsl.parser import Parser
from xdsl.universe import XDSL_UNIVERSE

import xgpu
from tests.support.processor_time import calls
from xgpu.core import ods
from xgpu.core.ir.construction import set_type
from xgpu.core.ir.errors import DiagnosticError
from xgpu.core.ods.operation import OdsOperation
from xgpu.core.ods.registry import is_ours
from xgpu.core.passes.pipeline_text import parse_pipeline
from xgpu.core.syntax import context as our_context
from xgpu.core.syntax import parse_module, print_module
from xgpu.core.syntax.interop import ClassConversion, adopted, lend
from xgpu.core.syntax.verify import verify_module
from xgpu.dialects import gpu, scf
from xgpu.universe import XGPU_UNIVERSE, module_pass

THEIRS = """
func.func @f(%m: memref<4xf32>, %n: index) -> memref<4xf32> {
  %t = "gpu.wait"() : () -> !gpu.async.token
  %a, %u = "gpu.alloc"(%t) <{operandSegmentSizes = array<i32: 1, 0, 0>}>
    : (!gpu.async.token) -> (memref<4xf32>, !gpu.async.token)
  %c = "gpu.memcpy"(%u, %a, %m) {operandSegmentSizes = array<i32: 1, 1, 1>}
    : (!gpu.async.token, memref<4xf32>, memref<4xf32>) -> !gpu.async.token
  "gpu.dealloc"(%c, %a) {operandSegmentSizes = array<i32: 1, 1>}
    : (!gpu.async.token, memref<4xf32>) -> ()
  %x = "gpu.thread_id"() <{dimension = #gpu<dim x>}> : () -> index
  %y = arith.addi %x, %n : index
  "test.op"() {dimension = [#gpu<dim y>], type = !gpu.async.token} : () -> ()
  func.return %a : memref<4xf32>
}
"gpu.module"() <{sym_name = "m"}> ({
  "gpu.func"() <{function_type = () -> (), kernel}> ({
    "gpu.return"() : () -> ()
  }) {sym_name = "k", gpu.known_block_size = array<i32: 1, 2, 3>} : () -> ()
}) : () -> ()
"""

OURS = """\
module {
  func.func @f(%arg0: memref<4xf32>, %arg1: index) -> memref<4xf32> {
    %0 = gpu.wait async
    %memref, %asyncToken = gpu.alloc async [%0] () : memref<4xf32>
    %1 = gpu.memcpy async [%asyncToken] %memref, %arg0 : memref<4xf32>, memref<4xf32>
    gpu.dealloc [%1] %memref : memref<4xf32>
    %thread_id_x = gpu.thread_id  x
    %2 = arith.addi %thread_id_x, %arg1 : index
    "test.op"() {dimension = [#gpu<dim y>], type = !gpu.async.token} : () -> ()
    return %memref : memref<4xf32>
  }
  gpu.module @m {
    gpu.func @k() kernel attributes {known_block_size = array<i32: 1, 2, 3>} {
      gpu.return
    }
  }
}
"""


def xdsl_context(*, allow_unregistered: bool = False) -> Context:
    context = Context(allow_unregistered=allow_unregistered)
    for universe in (XDSL_UNIVERSE, XGPU_UNIVERSE):
        for name, factory in universe.all_dialects.items():
            context.register_dialect(name, factory)
    return context


def read(text: str = THEIRS) -> tuple[Context, ModuleOp]:
    context = xdsl_context(allow_unregistered=True)
    module = Parser(context, text).parse_module()
    module.verify()
    return context, module


def test_there_and_back() -> None:
    context, module = read()
    before = str(module)
    operations = list(module.walk())
    classes = [type(op) for op in operations]
    assert not is_ours(module)
    conversion = ClassConversion(module)
    assert is_ours(module)
    verify_module(module)
    assert print_module(module) == OURS
    token = next(op for op in module.walk() if op.name == "gpu.wait").results[0]
    assert token.type == gpu.AsyncTokenType()
    conversion.leave(context, "nothing")
    module.verify()
    assert str(module) == before
    assert list(module.walk()) == operations
    assert [type(op) for op in module.walk()] == classes
    assert token.type == xdsl_gpu.AsyncTokenType()


def test_printing_compiling_and_pass_managers_adopt() -> None:
    _, module = read()
    before, classes = str(module), [type(op) for op in module.walk()]
    assert print_module(module) == OURS
    assert adopted(module) is not module
    parse_pipeline("builtin.module(symbol-privatize{exclude=f,m})").run(module, our_context())
    assert [type(op) for op in module.walk()] == classes
    assert str(module) == before
    kernels = xgpu.compile(module, chip="sm_90", format="isa").kernels
    assert set(kernels) == {"m"}
    assert [type(op) for op in module.walk()] == classes


def test_what_a_pass_makes_goes_to_the_contexts_classes() -> None:
    context, module = read(
        """
        func.func @f(%n: index) {
          "gpu.launch"(%n, %n, %n, %n, %n, %n)
            <{operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0>}> ({
          ^bb0(%a: index, %b: index, %c: index, %d: index, %e: index, %g: index,
               %h: index, %i: index, %j: index, %k: index, %l: index, %m: index):
            "gpu.terminator"() : () -> ()
          }) : (index, index, index, index, index, index) -> ()
          func.return
        }"""
    )
    module_pass("gpu-kernel-outlining")().apply(context, module)
    module.verify()
    made = {op.name: type(op) for op in module.walk()}
    assert made["gpu.launch_func"] is xdsl_gpu.LaunchFuncOp
    assert made["gpu.func"] is xdsl_gpu.FuncOp
    assert made["gpu.module"] is xdsl_gpu.ModuleOp
    kernel = next(op for op in module.walk() if isinstance(op, xdsl_gpu.FuncOp))
    assert kernel.kernel is not None


def test_what_xdsl_does_not_know_is_kept() -> None:
    """A property that xDSL's class lacks waits among the attributes."""
    context, module = read('"gpu.module"() <{sym_name = "m"}> ({ ^bb0: }) : () -> ()')
    module_pass("nvvm-attach-target")(chip="sm_90").apply(context, module)
    inner = module.body.block.first_op
    assert isinstance(inner, xdsl_gpu.ModuleOp)
    assert str(inner.attributes["targets"]) == '[#nvvm.target<chip = "sm_90">]'
    assert 'gpu.module @m [#nvvm.target<chip = "sm_90">]' in print_module(module)


def test_a_module_of_ours_stays_ours() -> None:
    context = xdsl_context()
    module = parse_module("%t = gpu.wait async\ngpu.wait [%t]")
    module_pass("canonicalize")().apply(context, module)
    assert [type(op) for op in module.ops] == []
    module = parse_module("gpu.module @m {}")
    module_pass("nvvm-attach-target")().apply(context, module)
    assert [type(op) for op in module.ops] == [gpu.ModuleOp]


def test_an_error_of_a_pass_leaves_the_classes_as_they_were() -> None:
    context, module = read()
    before, classes = str(module), [type(op) for op in module.walk()]
    with pytest.raises(DiagnosticError):
        module_pass("gpu-module-to-binary")(format="no-such-format").apply(context, module)
    assert [type(op) for op in module.walk()] == classes
    assert str(module) == before


def test_what_cannot_go_back_is_an_error_that_names_it() -> None:
    """xDSL's gpu.func takes no memory of the workgroup."""
    context, module = read()
    conversion = ClassConversion(module)
    kernel: Any = next(op for op in module.walk() if op.name == "gpu.func")
    kernel.regions[0].blocks[0].insert_arg(ods.attr_class("gpu.async.token")(), 0)
    with pytest.raises(DiagnosticError) as caught:
        conversion.leave(context, "some-pass")
    assert caught.value.message == (
        "'gpu.func' op cannot be given back to xdsl.dialects.gpu.FuncOp after some-pass: "
        "Expected first entry block arguments to have the same types as the function input types "
        "(run adopt-gpu-ops first to go on with xgpu's classes)"
    )
    assert isinstance(kernel, OdsOperation)
    others = [op for op in module.walk() if op is not kernel]
    assert not any(isinstance(op, OdsOperation) for op in others)


def test_what_was_changed_is_looked_at_again() -> None:
    """xDSL's gpu.memcpy wants memory of one type; its operand is another value, or has another
    type, or is gone."""
    for change in ("value", "type", "operand"):
        context, module = read()
        conversion = ClassConversion(module)
        copy: Any = next(op for op in module.walk() if op.name == "gpu.memcpy")
        f64 = MemRefType(builtin.f64, [4])
        if change == "value":
            other = builtin.UnrealizedConversionCastOp.get([copy.operands[1]], [f64])
            copy.parent.insert_op_before(other, copy)
            copy.operands[1] = other.results[0]
        elif change == "type":
            set_type(copy.operands[1], f64)
        else:
            copy.operands = copy.operands[:2]
        with pytest.raises(DiagnosticError) as caught:
            conversion.leave(context, "some-pass")
        assert "'gpu.memcpy' op cannot be given back" in caught.value.message, change


def additions(count: int) -> str:
    lines = "".join(f"%{i + 1} = arith.addi %{i}, %{i} : i32\n" for i in range(count))
    return f"func.func @f(%0: i32) -> i32 {{\n{lines}func.return %{count} : i32\n}}"


@pytest.mark.parametrize("name", ["cse", "canonicalize"])
def test_conversion_costs_little_beside_the_pass(name: str) -> None:
    """Linear, and at most five times what the pass itself takes, of whose calls many are in C."""
    pipeline, context = parse_pipeline(f"builtin.module({name})"), our_context()
    costs: list[float] = []
    for count in (100, 100, 1000):  # the first one imports
        ours = parse_module(additions(count))
        own = calls(lambda ours=ours: pipeline.run(ours, context))
        theirs, module = read(additions(count))
        step = module_pass(name)()
        costs.append(calls(lambda t=theirs, m=module, s=step: s.apply(t, m)) / own)
    assert costs[1] < 5 + 1
    assert costs[2] <= 1.2 * costs[1]


def test_unregistered_operations() -> None:
    context = Context(allow_unregistered=True)
    from xdsl.dialects.builtin import Builtin

    context.load_dialect(Builtin)
    text = '%0 = "gpu.wait"() : () -> i32\n"mine.op"(%0) {a = 1 : i32} : (i32) -> ()'
    module = Parser(context, text).parse_module()
    before = str(module)
    assert all(isinstance(op, UnregisteredOp) for op in module.ops)
    conversion = ClassConversion(module)
    names = [op.name for op in module.ops]
    assert names == ["gpu.wait", "mine.op"]
    assert type(module.body.block.first_op) is gpu.WaitOp
    conversion.leave(context, "nothing")
    assert str(module) == before
    assert all(isinstance(op, UnregisteredOp) for op in module.ops)


def test_lending_warns_of_what_is_refused() -> None:
    context = xdsl_context()
    module = parse_module(
        "gpu.module @m { gpu.func @k() workgroup(%a: memref<4xf32, 3>) { gpu.return } }\n"
        "func.func @g() { return }"
    )
    warnings = lend(module, context, "a pass")
    assert [w.severity for w in warnings] == ["warning"]
    assert warnings[0].message == (
        "a pass does not see this 'gpu.func': xdsl.dialects.gpu.FuncOp cannot hold it: "
        "Expected first entry block arguments to have the same types as the function input types"
    )
    classes = {op.name: type(op) for op in module.walk()}
    assert classes["gpu.func"].__module__ == "xgpu.dialects.gpu"
    assert classes["func.func"].__module__ == "xdsl.dialects.func"
    ClassConversion(module)
    verify_module(module)


def test_operations_held_across_a_pass_live_on() -> None:
    context, module = read()
    held = next(op for op in module.walk() if op.name == "gpu.wait")
    module_pass("cse")().apply(context, module)
    assert held in list(module.walk())
    assert not isinstance(held, OdsOperation)


def test_loops_of_ours_among_xdsls() -> None:
    """What was ours before a pass is ours after it."""
    context, module = read()
    function: Any = next(iter(module.ops))
    bound = function.body.block.args[1]
    loop = scf.ForOp(bound, bound, bound, region=[scf.YieldOp()])
    loop.region.block.insert_arg(bound.type, 0)
    function.body.block.insert_op_before(loop, function.body.block.last_op)
    module_pass("symbol-privatize")(exclude=("f",)).apply(context, module)
    assert type(loop) is scf.ForOp
    assert loop in list(module.walk())
