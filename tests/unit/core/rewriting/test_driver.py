# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The conversion driver: casts where they are needed and nowhere else, locations, 1:N, errors."""

from __future__ import annotations

from typing import Any

import pytest
from xdsl.dialects.builtin import IndexType, IntegerType, i32, i64
from xdsl.ir import Operation

from tests.support.processor_time import least_ratio, seconds
from xgpu.core import syntax as text
from xgpu.core.ir.errors import DiagnosticError
from xgpu.core.rewriting.driver import NoMatch, convert, first_of
from xgpu.core.rewriting.type_converter import UNKNOWN, TypeConverter

CAST = "builtin.unrealized_conversion_cast"


def parse(source: str) -> Operation:
    return text.parse_module(source, "t.mlir", allow_unregistered=True)


def names(module: Operation) -> list[str]:
    return [op.name for op in module.walk()][1:]


def index_to_i64() -> TypeConverter:
    types = TypeConverter(lambda ty: ty)
    types.add(lambda ty: i64 if isinstance(ty, IndexType) else UNKNOWN)
    return types


def lower_addi(op: Operation, operands: Any, rw: Any) -> Any:
    return [rw.value("llvm.add", operands, operands[0].type)]


ADD = {"arith.addi": lower_addi}


def test_casts_stand_only_between_converted_and_other_operations():
    module = parse(
        """
        func.func @f(%a: index) -> index {
          %0 = arith.addi %a, %a : index
          %1 = arith.addi %0, %a : index
          %2 = "t.use"(%1) : (index) -> index
          return %2 : index
        }
        """
    )
    convert(module, ADD, index_to_i64())
    made = ["func.func", CAST, "llvm.add", "llvm.add", CAST, "t.use", "func.return"]
    assert names(module) == made


def test_without_a_change_of_type_there_is_no_cast():
    module = parse(
        """
        func.func @f(%a: i32) -> i32 {
          %0 = arith.addi %a, %a : i32
          return %0 : i32
        }
        """
    )
    convert(module, ADD, index_to_i64())
    assert names(module) == ["func.func", "llvm.add", "func.return"]


def test_a_cast_gives_way_when_its_source_is_converted_later():
    module = parse(
        """
        func.func @f(%c: i1) {
          cf.br ^second
        ^first:
          %0 = arith.addi %1, %1 : index
          "t.use"(%0) : (index) -> ()
          return
        ^second:
          %1 = "t.make"() : () -> index
          cf.br ^first
        }
        """
    )
    rules = {
        **ADD,
        "t.make": lambda op, operands, rw: [rw.value("llvm.mlir.poison", (), i64)],
    }
    convert(module, rules, index_to_i64())
    assert names(module).count(CAST) == 1  # for t.use


def test_new_operations_have_the_location_of_the_old():
    add = '%0 = arith.addi %a, %a : i32 loc("x":7:1)'
    module = parse(f"func.func @f(%a: i32) {{\n  {add}\n return\n}}")
    convert(module, ADD, index_to_i64())
    (new,) = [op for op in module.walk() if op.name == "llvm.add"]
    assert str(new.location) == 'loc("x":7:1)'


def test_one_value_becomes_several():
    """t.pair gives two values for one; t.sum takes both; t.other still wants the old one."""
    types = TypeConverter(lambda ty: ty)
    types.add(lambda ty: (i32, i32) if isinstance(ty, IndexType) else UNKNOWN)
    module = parse(
        """
        func.func @f() {
          %0 = "t.pair"() : () -> index
          %1 = "t.sum"(%0) : (index) -> i32
          "t.other"(%0) : (index) -> ()
          return
        }
        """
    )

    def pair(op: Operation, operands: Any, rw: Any) -> Any:
        return [tuple(rw.value("llvm.mlir.poison", (), i32) for _ in range(2))]

    def total(op: Operation, operands: Any, rw: Any) -> Any:
        return [rw.value("llvm.add", operands[0], i32)]

    convert(module, {"t.pair": pair, "t.sum": total}, types)
    found = names(module)
    assert found[1:] == [
        "llvm.mlir.poison",
        "llvm.mlir.poison",
        CAST,
        "llvm.add",
        "t.other",
        "func.return",
    ]
    (cast,) = [op for op in module.walk() if op.name == CAST]
    assert len(cast.operands) == 2


def test_block_arguments_are_converted_with_what_uses_them():
    module = parse(
        """
        func.func @f(%a: index) {
          "t.loop"() ({
          ^bb0(%i: index):
            %0 = arith.addi %i, %i : index
            "t.use"(%i) : (index) -> ()
          }) : () -> ()
          return
        }
        """
    )

    def loop(op: Operation, operands: Any, rw: Any) -> Any:
        rw.convert_region_types(op.regions[0])

    convert(module, {**ADD, "t.loop": loop}, index_to_i64())
    (body,) = [op for op in module.walk() if op.name == "t.loop"]
    assert [arg.type for arg in body.regions[0].blocks[0].args] == [i64]
    assert names(module) == ["func.func", "t.loop", CAST, "llvm.add", "t.use", "func.return"]


def test_what_a_rule_creates_is_converted_too():
    body = "%0 = arith.subi %a, %a : i32\n return %0 : i32"
    module = parse(f"func.func @f(%a: i32) -> i32 {{ {body} }}")

    def twice(op: Operation, operands: Any, rw: Any) -> Any:
        return [rw.value("arith.addi", operands, i32)]

    convert(module, {**ADD, "arith.subi": twice}, index_to_i64(), fold=False)
    assert names(module) == ["func.func", "llvm.add", "func.return"]


def test_operations_fold_rather_than_convert():
    module = parse(
        """
        func.func @f(%a: i32) -> i32 {
          %c0 = arith.constant 0 : i32
          %0 = arith.addi %a, %c0 : i32
          return %0 : i32
        }
        """
    )
    convert(module, ADD, index_to_i64())
    assert "llvm.add" not in names(module)


def test_a_rule_that_does_not_apply_leaves_its_operation():
    def never(op: Operation, operands: Any, rw: Any) -> Any:
        raise NoMatch("not today")

    source = "func.func @f(%a: i32) -> i32 { %0 = arith.addi %a, %a : i32\n return %0 : i32 }"
    module = parse(source)
    convert(module, {"arith.addi": never}, index_to_i64())
    assert "arith.addi" in names(module)
    module = parse(source)
    convert(module, {"arith.addi": first_of(never, lower_addi)}, index_to_i64())
    assert "llvm.add" in names(module)


def test_illegal_operations_must_not_remain():
    module = parse("func.func @f(%a: f32) {\n  %0 = arith.mulf %a, %a : f32\n  return\n}")
    with pytest.raises(DiagnosticError) as caught:
        convert(module, ADD, index_to_i64(), illegal=("arith",))
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.message == (
        "failed to legalize operation 'arith.mulf' that was explicitly marked illegal"
    )
    assert str(diagnostic.location) == 'loc("t.mlir":2:8)'


def test_a_full_conversion_leaves_only_what_is_legal():
    module = parse('func.func @f() {\n  "t.x"() : () -> ()\n  return\n}')
    with pytest.raises(DiagnosticError) as caught:
        convert(module, {}, index_to_i64(), full=True, legal=("func",))
    assert caught.value.diagnostics[0].message == "failed to legalize operation 't.x'"


def test_cost_is_linear_in_the_input():
    """Ten times the operations take about ten times as long; quadratic cost would take a
    hundred."""

    def seconds_of(count: int) -> float:
        lines = "\n".join(f"%{i + 1} = arith.addi %{i}, %{i} : index" for i in range(count))
        body = lines.replace("%0,", "%a,").replace("%0 ", "%a ")
        module = parse(f"func.func @f(%a: index) {{\n{body}\nreturn\n}}")
        return seconds(lambda: convert(module, ADD, index_to_i64()))

    assert least_ratio(lambda: seconds_of(3000), lambda: seconds_of(300), 40) < 40


def test_types_are_asked_latest_first():
    types = TypeConverter(lambda ty: ty, lambda ty: i32 if ty == i64 else UNKNOWN)
    assert types.convert(i64) == i32
    assert types.convert(IntegerType(7)) == IntegerType(7)
    types.add(lambda ty: None if ty == i64 else UNKNOWN)
    assert types.convert(i64) is None
