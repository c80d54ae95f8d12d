# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What conversions to llvm share: options, the rules of all dialects by dialect, rules for
operations with one counterpart, and texts that a program prints.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence
from importlib import import_module
from itertools import product
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    AnyFloat,
    DenseIntElementsAttr,
    IntegerAttr,
    IntegerType,
    StringAttr,
    TensorType,
    UnitAttr,
    VectorType,
    i32,
)
from xdsl.ir import Attribute, Operation, Region, SSAValue

from xgpu.core import ods
from xgpu.core.ir.construction import operands_of, value_type
from xgpu.core.ir.errors import error
from xgpu.core.ir.op_info import op_info
from xgpu.core.ir.symbols import lookup
from xgpu.core.passes.base import Option
from xgpu.core.rewriting.builder import Rewriter
from xgpu.core.rewriting.driver import Conversion, NoMatch, Replacements, Rule
from xgpu.dialects.llvm import builders as llvm
from xgpu.dialects.llvm.types import LLVMArrayType

if TYPE_CHECKING:
    from xgpu.dialects import arith


# --- options -------------------------------------------------------------------------------------
# Options that several conversions to the llvm dialect have.


INDEX_BITWIDTH = Option(
    "index-bitwidth", int, 0, "Bitwidth of the index type, 0 to use size of machine word"
)


# --- to llvm -------------------------------------------------------------------------------------
# The rules of all dialects that have a conversion to llvm, by dialect.
#
# MLIR asks every loaded dialect for its patterns (ConvertToLLVMPatternInterface); here those of the
# dialects that occur are loaded.


#: Dialect -> module and name of its table of rules.
TABLES: dict[str, str] = {
    "arith": "xgpu.conversion.scalar.arith_to_llvm:RULES",
    "cf": "xgpu.conversion.control_flow.cf_to_llvm:RULES",
    "complex": "xgpu.conversion.scalar.complex_to_llvm:RULES",
    "func": "xgpu.conversion.control_flow.func_to_llvm:RULES",
    "index": "xgpu.conversion.scalar.index_to_llvm:RULES",
    "math": "xgpu.conversion.scalar.math_to_llvm:RULES",
    "memref": "xgpu.conversion.memref.memref_to_llvm:RULES",
    "mpi": "xgpu.conversion.shard.mpi_to_llvm:RULES",
    "nvvm": "xgpu.conversion.nvgpu.nvvm_to_llvm:RULES",
    "shard": "xgpu.conversion.shard.mpi_to_llvm:GRIDS",
    "ub": "xgpu.conversion.scalar.index_to_llvm:UB_RULES",
    "vector": "xgpu.conversion.vector.vector_to_llvm:RULES",
}
#: What rules of a dialect may create.
_NEEDS = {"memref": ("arith", "func"), "vector": ("arith", "memref"), "complex": ("arith",)}


def dialect_rules(
    root: Operation, allowed: Iterable[str] = (), without: Iterable[str] = ()
) -> dict[str, Rule]:
    """Rules for the dialects of the operations in `root`; only `allowed` ones if any are named."""
    allowed, without = tuple(allowed), tuple(without)
    for dialect in allowed:
        if dialect not in TABLES:
            raise error(
                root, f"dialect does not implement ConvertToLLVMPatternInterface: {dialect}"
            )
    names = {op.name for op in root.walk()}
    present = {name.partition(".")[0] for name in names}
    for dialect in tuple(present):
        present.update(_NEEDS.get(dialect, ()))
    rules: dict[str, Rule] = {}
    for dialect, path in TABLES.items():
        if dialect not in present or dialect in without:
            continue
        if allowed and dialect not in allowed:
            continue
        rules.update(table(path))
    rules.update(_registered_rules(names, allowed, without))
    return rules


def table(path: str) -> dict[str, Rule]:
    """The rules at `path`: a module, a colon, and the name of a table in it."""
    module, _, name = path.partition(":")
    return getattr(import_module(module), name)


def _registered_rules(
    names: Iterable[str], allowed: Container[str], without: Container[str]
) -> dict[str, Rule]:
    """Rules that operations from outside were registered with (`OpInfo.conversions`)."""
    found: dict[str, Rule] = {}
    for name in names:
        rule = op_info(name).conversions.get("llvm")
        dialect = name.partition(".")[0]
        if rule is not None and dialect not in without and (not allowed or dialect in allowed):
            found[name] = rule
    return found


# --- one to one ----------------------------------------------------------------------------------
# Rules for operations that have one counterpart in the llvm dialect.
#
#     rule = one_to_one("llvm.fadd")     # arith.addf %a, %b fastmath<fast>  ->  llvm.fadd ...
#
# Attributes go along, those of arith (fast-math and overflow flags) as llvm's. An operation on an
# n-D vector, which is arrays of 1-D vectors there, becomes one operation for each 1-D vector.
# Source: MLIR 22.1 VectorPattern.cpp, AttrToLLVMConverter.cpp.


#: Builds one operation from operands, its result type and properties.
Build = Callable[[Sequence[SSAValue], Attribute], SSAValue]


def llvm_attributes(op: Operation) -> dict[str, Attribute]:
    """All attributes of `op`, the inherent ones too, as an operation of llvm has them."""
    result: dict[str, Attribute] = {}
    for name, value in (*op.properties.items(), *op.attributes.items()):
        if name == "fastmath":
            if value.name == "arith.fastmath":
                result["fastmathFlags"] = fastmath(value)
            continue
        if name == "overflowFlags" and not isinstance(value, IntegerAttr):
            result[name] = llvm.integer(value.value, i32)  # pyright: ignore
            continue
        result[name] = value
    return result


_FASTMATH: dict[str, Attribute] = {}


def fastmath(value: Attribute) -> Attribute:
    """`#arith.fastmath<...>` as `#llvm.fastmath<...>`."""
    value = cast("arith.FastmathAttr", value)
    flags: str = value.data
    found = _FASTMATH.get(flags)
    if found is None:
        found = _FASTMATH[flags] = ods.enum("llvm.fastmath", flags)
    return found


def fast_math_properties(op: Operation) -> dict[str, Attribute]:
    """The `fastmathFlags` of llvm operations that stand for `op`."""
    flags = op.properties.get("fastmath")
    return {} if flags is None else {"fastmathFlags": fastmath(flags)}


def of_supported_floats(rule: Rule) -> Rule:
    """`rule` for floats that LLVM has: the others become integers, which have no arithmetic."""

    def checked(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> Replacements | None:
        # Whether LLVM has the floats of a class: asked for each operand, found once.
        known: dict[type, bool] = rw.cache.setdefault(of_supported_floats, {})
        for value in (*operands_of(op), *op.results):
            ty = value_type(value)
            element = ty.element_type if type(ty) is VectorType else ty
            has = known.get(element.__class__)
            if has is None:
                is_float = isinstance(element, AnyFloat)
                has = not (is_float and isinstance(rw.convert_type(element), IntegerType))
                known[element.__class__] = has
            if not has:
                raise NoMatch(f"unsupported floating point type: {element}")
        return rule(op, operands, rw)

    return checked


def one_to_one(target: str, **more: Attribute) -> Rule:
    """A rule that replaces an operation by `target`, which has the properties `more` too."""

    def rule(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> Sequence[SSAValue]:
        return [convert_op(op, target, operands, rw, {**llvm_attributes(op), **more})]

    return rule


def convert_op(
    op: Operation,
    target: str,
    operands: Sequence[SSAValue],
    rw: Conversion,
    attributes: dict[str, Attribute] | None = None,
) -> SSAValue:
    """`target` of `operands` with the converted result type of `op`, for each 1-D vector."""

    def build(values: Sequence[SSAValue], ty: Attribute) -> SSAValue:
        return rw.value(target, values, ty, None, attributes)

    return for_each_vector(rw, operands, rw.convert_type(op.results[0].type), build)


def for_each_vector(
    rw: Conversion, operands: Sequence[SSAValue], result_type: Attribute, build: Build
) -> SSAValue:
    """`build` for the operands, or for each of the 1-D vectors that they consist of."""
    if any(isinstance(value, tuple) for value in operands) or isinstance(result_type, tuple):
        raise NoMatch("an operand or the result is several values")
    if not operands or not isinstance(operands[0].type, LLVMArrayType):
        return build(operands, result_type)
    if not isinstance(result_type, LLVMArrayType):
        raise NoMatch("expected an n-D vector as result")
    shape: list[int] = []
    row_type: Attribute = result_type
    while isinstance(row_type, LLVMArrayType):
        shape.append(row_type.size)
        row_type = row_type.element_type
    result = llvm.poison(rw, result_type)
    for position in product(*(range(size) for size in shape)):
        rows = [
            llvm.extract(rw, value, *position) if isinstance(value.type, LLVMArrayType) else value
            for value in operands
        ]
        result = llvm.insert(rw, result, build(rows, row_type), *position)
    return result


# --- llvm strings --------------------------------------------------------------------------------
# Texts that a lowered program prints: private globals, and pointers to them.


def string_pointer(rw: Rewriter, table: Operation, prefix: str, text: str) -> SSAValue:
    """A pointer to `text` with a closing zero, in a new global of `table` whose name begins with
    `prefix`."""
    name, number = prefix, 0
    while lookup(table, name) is not None:
        name = f"{prefix}_{number}"
        number += 1
    data = [*text.encode(), 0]
    array = LLVMArrayType(len(data), llvm.I8)
    memory = ods.create(
        "llvm.mlir.global",
        properties={
            "addr_space": IntegerAttr(0, i32),
            "constant": UnitAttr(),
            "global_type": array,
            "linkage": ods.enum("llvm.linkage", "private"),
            "sym_name": StringAttr(name),
            "value": DenseIntElementsAttr.from_list(TensorType(llvm.I8, [len(data)]), data),
        },
        regions=(Region(),),
        location=rw.location,
    )
    block = table.regions[0].blocks[0]
    if block.first_op is None:
        block.add_op(memory)
    else:
        block.insert_op_before(memory, block.first_op)
    symbol = {"global_name": llvm.reference(memory)}
    address = rw.value("llvm.mlir.addressof", (), llvm.POINTER, symbol)
    return llvm.gep(rw, address, array, [0])
