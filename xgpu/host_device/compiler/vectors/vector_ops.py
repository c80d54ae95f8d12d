# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operations without effects, once for a vector of threads: on scalars, on bases, or on lanes."""

from __future__ import annotations

import re
from functools import partial, reduce
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import SSAValue

from xgpu.backend.llvm_ir.facts import prop, text_of
from xgpu.host_device.compiler import claims, operations
from xgpu.host_device.compiler.emission import (
    Affine,
    Builder,
    Emitted,
    Lanes,
    Row,
    Uniform,
    each_lane,
)
from xgpu.host_device.compiler.types import I1, I64, gep_strides, plain, vector_of
from xgpu.host_device.compiler.vectors.shapes import AFFINE, WARP, Shape
from xgpu.host_device.compiler.vectors.transfer import is_sum

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from xdsl.dialects.builtin import IntegerType, VectorType
    from xdsl.ir import Attribute, Operation


Mask = SSAValue | None

_EXTENSIONS = ("llvm.zext", "llvm.sext")

#: libdevice's functions that LLVM has an intrinsic for, by the name of the f64 form.
_MATH = {
    "ceil": "ceil", "copysign": "copysign", "cos": "cos", "exp": "exp", "exp2": "exp2",
    "exp10": "exp10", "fabs": "fabs", "floor": "floor", "fma": "fma", "fmax": "maxnum",
    "fmin": "minnum", "log": "log", "log10": "log10", "log2": "log2", "nearbyint": "nearbyint",
    "pow": "pow", "rint": "rint", "round": "round", "sin": "sin", "sqrt": "sqrt",
    "trunc": "trunc",
}  # fmt: skip


#: Intrinsics with a name for each pair of types, of vectors too.
_CONVERSION = re.compile(r"(llvm\.fpto[su]i\.sat)\.(i\d+)\.(f\d+)")


class VectorOps:
    def __init__(self, builder: Builder) -> None:
        self.b = builder

    def emit(
        self, op: Operation, shape: Shape, given: list[Shape], operands: list[Emitted], mask: Mask
    ) -> Emitted:
        """An operation of `operations.ELEMENTWISE`, of the shape that the analysis found for it;
        `given` are those of its operands."""
        if shape.is_known and op.results[0].type.name == "integer_type":
            return self.known(shape, op.results[0].type)
        if shape.level <= WARP:
            return Uniform(self._scalar(op, given, operands))
        if shape.level == AFFINE:
            return self._affine(op, shape, given, operands)
        result = self._lanes(op, given, operands, mask)
        if op.name in _EXTENSIONS and isinstance(operands[0], Affine):
            again = partial(self._lanes, op, given, operands, mask)
            self._note_extension(op, operands[0], result, again)
        return Lanes(result)

    def _note_extension(
        self, op: Operation, narrow: Affine, result: SSAValue, again: Callable[[], SSAValue]
    ) -> None:
        """An index that is made wider: a row where no lane wraps, which the first tells."""
        b = self.b
        width = cast("IntegerType", narrow.base.type).width.data
        least = min(narrow.offsets)
        length = max(narrow.offsets) - least
        largest = (1 << (width - (op.name == "llvm.sext"))) - 1
        if length > largest // 2:
            return
        first = b.add(narrow.base, least)
        predicate = "sle" if op.name == "llvm.sext" else "ule"
        # What no thread executes may be poison, which must not decide where control goes.
        holds = b.value("llvm.freeze", (b.icmp(predicate, first, largest - length),), I1)
        base = b.cast(op.name.removeprefix("llvm."), first, plain(op.results[0].type))
        b.rows[result] = Row(base, tuple(o - least for o in narrow.offsets), holds, again)

    def known(self, shape: Shape, ty: Attribute) -> Emitted:
        """A value that is known in each lane."""
        assert shape.base is not None
        base = self.b.integer(shape.base, cast("IntegerType", ty))
        return Uniform(base) if shape.offsets is None else Affine(base, shape.offsets)

    def _scalar(self, op: Operation, shapes: list[Shape], operands: list[Emitted]) -> SSAValue:
        # Affine operands give a uniform result where their offsets cancel or are shifted out.
        affine = any(isinstance(o, Affine) for o in operands)
        given = [self._base(o) for o in operands]
        return self._value(op, shapes, given, plain(op.results[0].type), is_exact=not affine)

    @staticmethod
    def _base(value: Emitted) -> SSAValue:
        if isinstance(value, Affine):
            return value.base
        assert isinstance(value, Uniform), "an operand is wider than the result's shape"
        return value.value

    def _affine(
        self, op: Operation, shape: Shape, given: list[Shape], operands: list[Emitted]
    ) -> Emitted:
        """The same on the bases; what an operation does to the offsets, the shape knows."""
        assert shape.offsets is not None
        if op.name == "llvm.freeze":
            return operands[0]
        if op.name in ("llvm.urem", "llvm.srem") and min(shape.offsets) != 0:
            return operands[0]  # smaller than the divisor: see `transfer`
        if op.name == "llvm.or" and is_sum(op, given):
            base = self.b.binary("add", *(self._base(o) for o in operands))
            return Affine(base, shape.offsets)
        if op.name == "llvm.select":
            condition, a, b = operands
            assert isinstance(condition, Uniform)
            chosen = self.b.select(condition.value, self._base(a), self._base(b))
            return Affine(chosen, shape.offsets)
        # The base may do what no lane does.
        base = self.b.value(
            op.name, [self._base(o) for o in operands], plain(op.results[0].type),
            self._kept(op, is_exact=False),
        )  # fmt: skip
        return Affine(base, shape.offsets)

    def _lanes(
        self, op: Operation, shapes: list[Shape], operands: list[Emitted], mask: Mask
    ) -> SSAValue:
        b = self.b
        given = [self._operand(op, i, o) for i, o in enumerate(operands)]
        if op.name in operations.DIVISIONS and mask is not None:
            given[1] = self._safe_divisor(operands[1], given[1], mask)
        ty = vector_of(op.results[0].type, b.width)
        return self._value(op, shapes, given, ty, is_exact=mask is None)

    def _value(
        self, op: Operation, shapes: list[Shape], given: list[SSAValue], ty: Attribute, *,
        is_exact: bool,
    ) -> SSAValue:  # fmt: skip
        """The operation on scalars or vectors of lanes, whose result is poison for no thread that
        does not execute it."""
        b = self.b
        result = b.value(op.name, given, ty, self._kept(op, is_exact=is_exact))
        is_executed = is_exact and not b.is_speculative
        if is_executed or not claims.needs_freeze(op, shapes[-1].constant):
            return result
        return b.value("llvm.freeze", (result,), ty)

    def _kept(self, op: Operation, *, is_exact: bool) -> Mapping[str, Attribute]:
        """The properties of what is computed for no thread that does not, if it `is_exact`."""
        return claims.kept(op.properties, executed=is_exact and not self.b.is_speculative)

    def _operand(self, op: Operation, index: int, value: Emitted) -> SSAValue:
        if op.name == "llvm.select" and index == 0 and isinstance(value, Uniform):
            return value.value
        if op.name in ("llvm.intr.powi", "llvm.intr.ldexp") and index == 1:
            return self.b.as_lanes(value) if op.name.endswith("ldexp") else self._base(value)
        return self.b.as_lanes(value)

    def _safe_divisor(self, value: Emitted, lanes: SSAValue, mask: SSAValue) -> SSAValue:
        """1 where a lane does not run: it may hold anything, and zero would trap."""
        if isinstance(value, Uniform):
            return lanes
        element = cast("IntegerType", cast("VectorType", lanes.type).element_type)
        ones = self.b.constant_vector([1] * self.b.width, element)
        return self.b.select(mask, lanes, ones)

    # -- addresses

    def address(self, op: Operation, shape: Shape, operands: list[Emitted], mask: Mask) -> Emitted:
        """`llvm.getelementptr`"""
        b = self.b
        if shape.level <= AFFINE:
            given = [self._base(o) for o in operands]
            is_exact = not any(isinstance(o, Affine) for o in operands)
            properties = self._kept(op, is_exact=is_exact)
            base = b.value(op.name, given, plain(op.results[0].type), properties)
            return Uniform(base) if shape.level <= WARP else Affine(base, shape.offsets or ())
        result = self._addresses(op, operands, b.as_lanes, mask)
        self._note_address(op, operands, result, mask)
        return Lanes(result)

    def _addresses(
        self, op: Operation, operands: list[Emitted], lanes: Callable[[Emitted], SSAValue],
        mask: Mask,
    ) -> SSAValue:  # fmt: skip
        """The vector of addresses, of operands that `lanes` gives."""
        b = self.b
        base = operands[0]
        given = [base.value if isinstance(base, Uniform) else lanes(base)]
        given += [lanes(o) for o in operands[1:]]
        ty = vector_of(op.results[0].type, b.width)
        return b.value(op.name, given, ty, self._kept(op, is_exact=mask is None))

    def _note_address(
        self, op: Operation, operands: list[Emitted], result: SSAValue, mask: Mask
    ) -> None:
        """An address is a row where it is made of what is one."""
        b = self.b
        strides = gep_strides(op)
        parts = [self._row(o) for o in operands]
        rows = [part for part in parts if part is not None]
        if strides is None or len(rows) < len(parts) or not any(r.holds for r in rows):
            return
        steps = (1, *strides[1])
        offsets = tuple(
            sum(step * row.offsets[lane] for step, row in zip(steps, rows, strict=True))
            for lane in range(b.width)
        )
        base = b.value(
            op.name, [row.base for row in rows], plain(op.results[0].type),
            self._kept(op, is_exact=False),
        )  # fmt: skip
        holds = [row.holds for row in rows if row.holds is not None]
        b.rows[result] = Row(
            base, offsets, reduce(lambda x, y: b.binary("and", x, y), holds),
            partial(self._addresses, op, operands, self._lanes_again, mask),
        )  # fmt: skip

    def _lanes_again(self, value: Emitted) -> SSAValue:
        """A value as lanes, those of a row built anew."""
        row = self.b.rows.get(value.value) if isinstance(value, Lanes) else None
        return self.b.as_lanes(value) if row is None else row.again()

    def _row(self, value: Emitted) -> Row | None:
        if isinstance(value, Uniform):
            return Row(value.value, (0,) * self.b.width, None, partial(self.b.as_lanes, value))
        if isinstance(value, Affine):
            return Row(value.base, value.offsets, None, partial(self.b.as_lanes, value))
        return self.b.rows.get(value.value) if isinstance(value, Lanes) else None

    def cast(self, op: Operation, shape: Shape, operand: Emitted) -> Emitted:
        """Casts between address spaces: there is one."""
        return operand

    # -- functions of libdevice, and what else a thread computes by itself

    def call(
        self, op: Operation, shape: Shape, operands: list[Emitted], mask: Mask
    ) -> Emitted | None:
        b = self.b
        name = operations.callee(op) or ""
        math = _intrinsic(name, op)
        if shape.level <= WARP:
            given = [self._base(o) for o in operands]
            if math is not None:
                return Uniform(b.value(math, given, op.results[0].type))
            return Uniform(b.value(op.name, given, op.results[0].type, op.properties))
        if math is not None:
            lanes = [b.as_lanes(o) for o in operands]
            return Lanes(b.value(math, lanes, vector_of(op.results[0].type, b.width)))
        return self.by_lanes(op, operands, mask)

    def intrinsic(
        self, op: Operation, shape: Shape, operands: list[Emitted], mask: Mask
    ) -> Emitted | None:
        """`llvm.call_intrinsic` of what computes a number."""
        name = text_of(op.properties["intrin"])
        if shape.level <= WARP:
            given = [self._base(o) for o in operands]
            return Uniform(self.b.value(op.name, given, op.results[0].type, op.properties))
        match = _CONVERSION.fullmatch(name)
        if match is None:
            return self.by_lanes(op, operands, mask)
        b = self.b
        wide = f"{match[1]}.v{b.width}{match[2]}.v{b.width}{match[3]}"
        properties = {**op.properties, "intrin": StringAttr(wide)}
        lanes = [b.as_lanes(o) for o in operands]
        return Lanes(b.value(op.name, lanes, vector_of(op.results[0].type, b.width), properties))

    def by_lanes(self, op: Operation, operands: list[Emitted], mask: Mask) -> Emitted | None:
        """The operation itself, for each lane."""
        b = self.b
        types = [r.type for r in op.results]
        is_used = any(r.first_use is not None for r in op.results)

        def one(lane: SSAValue, given: list[SSAValue]) -> list[SSAValue]:
            made = b.create(op.name, given, types, op.properties)
            return list(made.results) if is_used else []

        found = each_lane(b, mask, operands, types if is_used else [], one)
        return found[0] if found else None


def _intrinsic(name: str, op: Operation) -> str | None:
    """The operation that does what a function of libdevice does."""
    if not name.startswith("__nv_") or not op.results:
        return None
    base = name[5:]
    if op.results[0].type.name == "f32" and base.endswith("f"):
        base = base[:-1]
    found = _MATH.get(base)
    return None if found is None else f"llvm.intr.{found}"


__all__ = ["I64", "VectorOps", "prop"]
