# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions that compute integer powers and count leading zeros, for `convert-math-to-funcs`.

A power goes through the bits of its exponent: the base is squared for each, and multiplied into the
result for those that are set. Source: MLIR 22.1 MathToFuncs.cpp.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import FunctionType, IndexType, IntegerType, StringAttr
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from xgpu.core.ir.blocks import block_with
from xgpu.core.rewriting.builder import Builder
from xgpu.dialects.arith.builders import binary, cmpi, constant, select
from xgpu.dialects.llvm.attributes import LinkageAttr
from xgpu.transforms.scf.builders import for_loop, if_else

Values = Sequence["SSAValue"]


class FunctionBuilder(Builder):
    """Builds a function block by block, as they follow each other in its text."""

    def __init__(self, module: Operation, name: str, ty: FunctionType) -> None:
        super().__init__(block=module.regions[0].blocks[0], location=module.location)
        self.entry = block_with(ty.inputs.data, module.location)
        region = Region(self.entry)
        self.create(
            "func.func",
            properties={
                "sym_name": StringAttr(name),
                "function_type": ty,
                "sym_visibility": StringAttr("private"),
            },
            attributes={"llvm.linkage": LinkageAttr("linkonce_odr")},
            regions=(region,),
        )
        self.region = region
        self.at_end(self.entry)

    def blocks(self, count: int) -> list[Block]:
        """More blocks without arguments at the end."""
        return [self.new_block() for _ in range(count)]

    def new_block(self, *types: Attribute) -> Block:
        new = block_with(types, self.location)
        self.region.add_block(new)
        return new

    def constant(self, value: int | float, ty: Attribute) -> SSAValue:
        return constant(self, value, ty)

    def op(self, name: str, a: SSAValue, b: SSAValue) -> SSAValue:
        return binary(self, name, a, b)

    def compare(self, predicate: str, a: SSAValue, b: SSAValue) -> SSAValue:
        return cmpi(self, predicate, a, b)

    def give(self, value: SSAValue) -> None:
        self.create("func.return", (value,))

    def jump(self, to: Block, *values: SSAValue) -> None:
        self.create("cf.br", values, successors=(to,))

    def branch(
        self,
        condition: SSAValue,
        yes: Block,
        no: Block,
        yes_values: Values = (),
        no_values: Values = (),
    ) -> None:
        operands = (condition, list(yes_values), list(no_values))
        self.create("cf.cond_br", operands, successors=(yes, no))


def build_integer_power(module: Operation, name: str, ty: IntegerType) -> None:
    """`ipowi`: what the quotient of one and the power is for a negative exponent is said by cases,
    and divides by zero where the base is zero."""
    f = FunctionBuilder(module, name, FunctionType.from_lists([ty, ty], [ty]))
    base, exponent = f.entry.args
    zero, one, minus_one = (f.constant(v, ty) for v in (0, 1, -1))
    no_power, other = f.blocks(2)
    negative, by_zero, not_zero, of_one, not_one, of_minus_one, odd, even, vanishes = f.blocks(9)
    loop = f.new_block(ty, ty, ty)
    f.branch(f.compare("eq", exponent, zero), no_power, other)
    f.at_end(no_power)
    f.give(one)
    f.at_end(other)
    is_negative = f.compare("sle", exponent, zero)
    f.branch(is_negative, negative, loop, no_values=(one, base, exponent))

    f.at_end(negative)
    f.branch(f.compare("eq", base, zero), by_zero, not_zero)
    f.at_end(by_zero)
    f.give(f.op("divsi", one, zero))
    f.at_end(not_zero)
    f.branch(f.compare("eq", base, one), of_one, not_one)
    f.at_end(of_one)
    f.give(one)
    f.at_end(not_one)
    f.branch(f.compare("eq", base, minus_one), of_minus_one, vanishes)
    f.at_end(of_minus_one)
    f.branch(f.compare("ne", f.op("andi", exponent, one), zero), odd, even)
    for block, value in ((odd, minus_one), (even, one), (vanishes, zero)):
        f.at_end(block)
        f.give(value)

    multiplied, merged = f.new_block(), f.new_block(ty)
    done, again = f.blocks(2)
    rest = _multiply_and_shift(f, "muli", loop, multiplied, merged, zero, one)
    f.branch(f.compare("eq", rest, zero), done, again)
    f.at_end(done)
    f.give(merged.args[0])
    f.at_end(again)
    f.jump(loop, merged.args[0], f.op("muli", loop.args[1], loop.args[1]), rest)


def _multiply_and_shift(
    f: FunctionBuilder,
    multiply: str,
    loop: Block,
    multiplied: Block,
    merged: Block,
    zero: SSAValue,
    one: SSAValue,
) -> SSAValue:
    """One bit of the exponent: the result times the base if it is set. Gives the other bits."""
    result, base, exponent = loop.args
    f.at_end(loop)
    is_odd = f.compare("ne", f.op("andi", exponent, one), zero)
    f.branch(is_odd, multiplied, merged, no_values=(result,))
    f.at_end(multiplied)
    f.jump(merged, f.op(multiply, result, base))
    f.at_end(merged)
    return f.op("shrui", exponent, one)


def build_float_power(module: Operation, name: str, ty: FunctionType) -> None:
    """`fpowi`: the power with the exponent's absolute value, and one over it for negative ones. The
    smallest exponent has no absolute value: the largest one, and once more the base."""
    f = FunctionBuilder(module, name, ty)
    base, exponent = f.entry.args
    power = exponent.type
    assert isinstance(power, IntegerType)
    smallest = -(1 << (power.width.data - 1))
    unit = f.constant(1.0, base.type)
    zero, one, low, high = (f.constant(v, power) for v in (0, 1, smallest, -smallest - 1))
    no_power, prepare = f.blocks(2)
    loop, multiplied = f.new_block(base.type, base.type, power), f.new_block()
    merged, again, last = f.new_block(base.type), f.new_block(), f.new_block(base.type)
    once_more, corrected = f.new_block(), f.new_block(base.type)
    inverted, done = f.new_block(), f.new_block(base.type)
    f.branch(f.compare("eq", exponent, zero), no_power, prepare)
    f.at_end(no_power)
    f.give(unit)
    f.at_end(prepare)
    is_negative = f.compare("sle", exponent, zero)
    is_smallest = f.compare("eq", exponent, low)
    absolute = select(f, is_negative, f.op("subi", zero, exponent), exponent)
    f.jump(loop, unit, base, select(f, is_smallest, high, absolute))

    rest = _multiply_and_shift(f, "mulf", loop, multiplied, merged, zero, one)
    f.branch(f.compare("eq", rest, zero), last, again, yes_values=merged.args)
    f.at_end(again)
    f.jump(loop, merged.args[0], f.op("mulf", loop.args[1], loop.args[1]), rest)

    f.at_end(last)
    f.branch(is_smallest, once_more, corrected, no_values=last.args)
    f.at_end(once_more)
    f.jump(corrected, f.op("mulf", last.args[0], base))
    f.at_end(corrected)
    f.branch(is_negative, inverted, done, no_values=corrected.args)
    f.at_end(inverted)
    f.jump(done, f.op("divf", unit, corrected.args[0]))
    f.at_end(done)
    f.give(done.args[0])


def build_leading_zeros(module: Operation, name: str, ty: IntegerType) -> None:
    """`ctlz`: shifts left until the sign is set, and counts."""
    f = FunctionBuilder(module, name, FunctionType.from_lists([ty], [ty]))
    rw, value, width = f, f.entry.args[0], ty.width.data
    all_bits, zero = f.constant(width, ty), f.constant(0, ty)
    is_zero = f.compare("eq", value, zero)

    def count() -> Values:
        first, one = f.constant(1, IndexType()), f.constant(1, ty)
        end, start = f.constant(width, IndexType()), f.constant(0, ty)

        def shift(_: SSAValue, state: list[SSAValue]) -> Values:
            bits, found = state

            def next_bit() -> Values:
                counted = f.op("addi", found, one)
                return [f.op("shli", bits, one), counted]

            is_set = f.compare("slt", bits, zero)
            return if_else(rw, is_set, [ty, ty], lambda: [bits, found], next_bit).results

        return [for_loop(rw, first, end, first, [value, start], shift).results[1]]

    f.give(if_else(rw, is_zero, [ty], lambda: [all_bits], count).results[0])
