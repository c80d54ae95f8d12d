# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operations of a warp on vectors: a shuffle is a permutation, a vote looks at a mask.

A warp that reads the value of a lane that does not take part gets what the vector holds there, as
undefined as on hardware (PTX ISA, shfl.sync, vote.sync, redux.sync, elect.sync, match.sync).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import IntegerAttr, i1, i32
from xdsl.ir import Operation, SSAValue

from xgpu.backend.llvm_ir.facts import flag, integers, prop, text_of
from xgpu.host_device.compiler import claims
from xgpu.host_device.compiler.emission import Builder, Emitted, Lanes, Members, Uniform
from xgpu.host_device.compiler.types import I32, I64, vector_of
from xgpu.host_device.compiler.vectors.memory import neutral

if TYPE_CHECKING:
    from xdsl.dialects.builtin import AnyFloat, VectorType
    from xdsl.ir import Operation


Mask = SSAValue | None
WARP = 32


class WarpOps:
    def __init__(self, builder: Builder) -> None:
        self.b = builder

    def emit(self, op: Operation, operands: list[Emitted], mask: Mask) -> Emitted | None:
        name = op.name
        if name == "nvvm.shfl.sync":
            return self._shuffle(op, operands)
        if name == "nvvm.vote.sync":
            return self._vote(op, operands, mask)
        if name == "nvvm.redux.sync":
            value, members = operands
            return self._by_group(members, mask, lambda m: self._reduction(op, value, m))
        if name == "nvvm.elect.sync":
            everyone = Uniform(self.b.integer(-1, I32))
            return self._elect(operands[0] if operands else everyone, mask)
        if name == "nvvm.match.sync":
            return self._match(op, operands, mask)
        return None  # bar.warp.sync: a vector is in step

    # -- shuffles

    def _shuffle(self, op: Operation, operands: list[Emitted]) -> Emitted:
        _, value, distance, limits = operands
        kind = text_of(prop(op, "kind"))
        value_used, _ = _members_used(op)
        known = _number(limits)
        by = _number(distance)
        if known is not None and by is not None:
            taken, valid = _source_lanes(kind, by, known)
            moved = self._moved(value, taken) if value_used else value
            inside: Emitted = Lanes(self.b.constant_vector([int(v) for v in valid], i1))
        else:
            moved, inside = self._by_value(kind, value, distance, limits)
        if op.results[0].type.name == "llvm.struct":
            return Members([moved, inside])
        return moved

    def _moved(self, value: Emitted, lanes: list[int]) -> Emitted:
        if isinstance(value, Uniform):
            return value
        vector = self.b.as_lanes(value)
        if all(lane == lanes[0] for lane in lanes):
            return Uniform(self.b.extract(vector, lanes[0]))
        return Lanes(self.b.shuffle(vector, lanes))

    def _by_value(
        self, kind: str, value: Emitted, distance: Emitted, limits: Emitted
    ) -> tuple[Emitted, Emitted]:
        """A shuffle whose distance is known at run time: lanes are computed, as PTX says."""
        b = self.b
        whole = self._one_lane(kind, value, distance, limits)
        if whole is not None:
            return whole, Lanes(b.all_lanes())
        by, c = b.as_lanes(distance), b.as_lanes(limits)
        iota = b.constant_vector(range(WARP), I32)
        thirty_one = b.constant_vector([31] * WARP, I32)
        clamp = b.binary("and", c, thirty_one)
        shifted = b.binary("lshr", c, b.constant_vector([8] * WARP, I32))
        segment = b.binary("and", shifted, thirty_one)
        outside = b.binary("xor", segment, thirty_one)
        lowest = b.binary("and", iota, segment)
        last = b.binary("or", lowest, b.binary("and", clamp, outside))
        by = b.binary("and", by, thirty_one)
        if kind == "up":
            lane = b.binary("sub", iota, by)
            valid = b.icmp("sge", lane, last)
        else:
            if kind == "down":
                lane = b.binary("add", iota, by)
            elif kind == "bfly":
                lane = b.binary("xor", iota, by)
            else:
                lane = b.binary("or", lowest, b.binary("and", by, outside))
            valid = b.icmp("sle", lane, last)
        taken = b.select(valid, lane, iota)
        if isinstance(value, Uniform):
            return value, Lanes(valid)
        own = b.as_lanes(value)
        if isinstance(distance, Uniform) and kind != "idx":
            moved = self._moved_by(kind, own, distance.value)
        else:
            moved = self._gathered(own, taken)
        return Lanes(b.select(valid, moved, own)), Lanes(valid)

    def _one_lane(
        self, kind: str, value: Emitted, distance: Emitted, limits: Emitted
    ) -> Emitted | None:
        """All lanes read the same one of the whole warp."""
        if kind != "idx" or not isinstance(distance, Uniform) or _number(limits) != 31:
            return None
        if isinstance(value, Uniform):
            return value
        lane = self.b.binary("and", distance.value, 31)
        return Uniform(self.b.extract(self.b.as_lanes(value), lane))

    def _moved_by(self, kind: str, vector: SSAValue, distance: SSAValue) -> SSAValue:
        """Lane i of the result is lane i - distance, i + distance or i ^ distance."""
        b = self.b
        ty = cast("VectorType", vector.type)
        distance = b.binary("and", distance, 31)
        if kind == "bfly":
            for bit in range(5):
                step = 1 << bit
                moved = b.shuffle(vector, [lane ^ step for lane in range(WARP)])
                wanted = b.icmp("ne", b.binary("and", distance, step), 0)
                vector = b.select(wanted, moved, vector)
            return vector
        # A read at another place of a buffer in whose middle the vector stands.
        buffer = b.alloca(ty, 3)
        b.store(vector, b.address(buffer, 1, ty))
        sign = "sub" if kind == "up" else "add"
        start = b.cast("zext", b.binary(sign, b.integer(WARP, I32), distance), I64)
        return b.load(b.address(buffer, start, ty.element_type), ty)

    def _gathered(self, vector: SSAValue, lanes: SSAValue) -> SSAValue:
        b = self.b
        ty = cast("VectorType", vector.type)
        buffer = b.alloca(ty, 1)
        b.store(vector, buffer)
        index = b.value("llvm.zext", (lanes,), vector_of(I64, WARP))
        pointers = b.address(buffer, index, ty.element_type)
        return b.value(
            "llvm.intr.masked.gather", (pointers, b.all_lanes(), b.poison(ty)), ty,
            claims.lanes(claims.of_address(pointers) or 1),
        )  # fmt: skip

    # -- votes

    def _members(self, members: Emitted, mask: Mask) -> SSAValue:
        """The lanes that take part, as bits."""
        b = self.b
        bits = members.value if isinstance(members, Uniform) else b.extract(b.as_lanes(members), 0)
        return bits if mask is None else b.binary("and", bits, b.mask_bits(mask))

    def _by_group(
        self, members: Emitted, mask: Mask, result_of: Callable[[SSAValue], SSAValue]
    ) -> Uniform | Lanes:
        """What each group of lanes gets from the bits of those that take part. Lanes with equal
        members are a group: where a warp has several, one comes after the other."""
        b = self.b
        if isinstance(members, Uniform):
            return Uniform(result_of(self._members(members, mask)))
        given = b.as_lanes(members)
        here = b.integer(-1, I32) if mask is None else b.mask_bits(mask)
        head = b.new_block([i32, vector_of(I32, WARP)])
        done = b.new_block()
        b.branch(head, [here, b.constant_vector([0] * WARP, I32)])
        b.enter(head)
        left, found = head.args
        lane = b.value("llvm.intr.cttz", (left,), I32, {"is_zero_poison": IntegerAttr(1, i1)})
        of_group = b.extract(given, lane)
        same = b.both(mask, b.icmp("eq", given, b.splat(of_group)))
        result = result_of(b.binary("and", of_group, here))
        bits = b.value("llvm.bitcast", (result,), I32) if result.type != I32 else result
        found = b.select(same, b.splat(bits), found)
        rest = b.binary("and", left, b.binary("xor", b.mask_bits(same), -1))
        b.cond_branch(b.icmp("ne", rest, 0), head, done, [rest, found], [])
        b.enter(done)
        if result.type == I32:
            return Lanes(found)
        return Lanes(b.value("llvm.bitcast", (found,), vector_of(result.type, WARP)))

    def _vote(self, op: Operation, operands: list[Emitted], mask: Mask) -> Emitted:
        b = self.b
        lanes = b.mask_bits(b.both(mask, b.as_lanes(operands[1])))
        if isinstance(operands[0], Uniform):
            return Uniform(self._counted(op, lanes, self._members(operands[0], mask)))
        # Groups of lanes vote at once: each lane looks at the bits of its own members.
        members = b.as_lanes(operands[0])
        if mask is not None:
            members = b.binary("and", members, b.splat(b.mask_bits(mask)))
        return Lanes(self._counted(op, b.splat(lanes), members))

    def _counted(self, op: Operation, lanes: SSAValue, members: SSAValue) -> SSAValue:
        """The result of a vote in which `lanes` say yes, for one group or for each lane."""
        b = self.b
        yes, none = b.binary("and", lanes, members), self._zero(members)
        kind = text_of(prop(op, "kind"))
        if kind == "ballot":
            return yes
        if kind == "any":
            return b.icmp("ne", yes, none)
        everyone = b.icmp("eq", yes, members)
        if kind == "all":
            return everyone
        return b.value("llvm.or", (everyone, b.icmp("eq", yes, none)), everyone.type)

    def _zero(self, like: SSAValue) -> SSAValue:
        b = self.b
        return b.integer(0, I32) if like.type == I32 else b.constant_vector([0] * WARP, I32)

    def _elect(self, given: Emitted, mask: Mask) -> Emitted:
        b = self.b
        first = self._by_group(given, mask, self._first)
        iota = b.constant_vector(range(WARP), I32)
        return Lanes(b.icmp("eq", iota, b.as_lanes(first)))

    def _first(self, members: SSAValue) -> SSAValue:
        zero = {"is_zero_poison": IntegerAttr(0, i1)}
        return self.b.value("llvm.intr.cttz", (members,), I32, zero)

    # -- reductions

    def _reduction(self, op: Operation, value: Emitted, members: SSAValue) -> SSAValue:
        b = self.b
        kind = text_of(prop(op, "kind"))
        vector = b.as_lanes(value)
        ty = cast("VectorType", vector.type)
        lanes = b.value("llvm.bitcast", (members,), vector_of(i1, WARP))
        operation = _REDUX[kind]
        if operation in ("fmin", "fmax"):
            return self._float_reduction(op, operation, vector, lanes)
        identity = neutral(operation, 32)
        chosen = b.select(lanes, vector, b.constant_vector([identity] * WARP, I32))
        return b.value(f"llvm.intr.vector.reduce.{operation}", (chosen,), ty.element_type)

    def _float_reduction(
        self, op: Operation, operation: str, vector: SSAValue, lanes: SSAValue
    ) -> SSAValue:
        b = self.b
        ty = cast("VectorType", vector.type)
        if flag(op, "abs"):
            vector = b.value("llvm.intr.fabs", (vector,), ty)
        with_nan = flag(op, "nan")
        far = float("inf") if operation == "fmin" else float("-inf")
        # Without .NaN, NaN is what a reduction ignores.
        ignored = b.real(far if with_nan else float("nan"), cast("AnyFloat", ty.element_type))
        chosen = b.select(lanes, vector, b.splat(ignored))
        name = f"{operation}imum" if with_nan else operation
        return b.value(f"llvm.intr.vector.reduce.{name}", (chosen,), ty.element_type)

    def _match(self, op: Operation, operands: list[Emitted], mask: Mask) -> Emitted:
        b = self.b
        vector = b.as_lanes(operands[1])
        if text_of(prop(op, "kind")) == "all":
            found = self._by_group(operands[0], mask, lambda m: self._agreed(vector, mask, m))
            agreed = b.icmp("ne", found.value, self._zero(found.value))
            is_one = isinstance(found, Uniform)
            return Members([found, Uniform(agreed) if is_one else Lanes(agreed)])
        # Each value among the lanes that are here, one after the other.
        here = b.integer(-1, I32) if mask is None else b.mask_bits(mask)
        head = b.new_block([i32, vector_of(I32, WARP)])
        done = b.new_block()
        b.branch(head, [here, b.constant_vector([0] * WARP, I32)])
        b.enter(head)
        left, found = head.args
        lane = b.value("llvm.intr.cttz", (left,), I32, {"is_zero_poison": IntegerAttr(1, i1)})
        same = b.both(mask, b.icmp("eq", vector, b.splat(b.extract(vector, lane))))
        bits = b.mask_bits(same)
        found = b.select(same, b.splat(bits), found)
        rest = b.binary("and", left, b.binary("xor", bits, -1))
        b.cond_branch(b.icmp("ne", rest, 0), head, done, [rest, found], [])
        b.enter(done)
        return Lanes(b.binary("and", found, b.as_lanes(operands[0])))

    def _agreed(self, vector: SSAValue, mask: Mask, members: SSAValue) -> SSAValue:
        """The members if all have one value, none otherwise."""
        b = self.b
        own = b.splat(b.extract(vector, b.binary("and", self._first(members), 31)))
        # A lane that does not take part may hold poison, which would spread to all bits.
        equal = b.both(mask, b.icmp("eq", vector, own))
        same = b.binary("and", b.mask_bits(equal), members)
        return b.select(b.icmp("eq", same, members), members, b.integer(0, I32))


_REDUX = {
    "add": "add", "and": "and", "or": "or", "xor": "xor", "min": "smin", "max": "smax",
    "umin": "umin", "umax": "umax", "fmin": "fmin", "fmax": "fmax",
}  # fmt: skip


def _number(value: Emitted) -> int | None:
    """The value, if it is a constant."""
    owner = value.value.owner if isinstance(value, Uniform) else None
    if not isinstance(owner, Operation) or owner.name != "llvm.mlir.constant":
        return None
    return cast("IntegerAttr", owner.properties["value"]).value.data


def _members_used(op: Operation) -> tuple[bool, bool]:
    """Whether the value and the predicate of a shuffle are read."""
    if op.results[0].type.name != "llvm.struct":
        return True, False
    used = [False, False]
    for use in op.results[0].uses:
        if use.operation.name != "llvm.extractvalue":
            return True, True
        used[integers(use.operation.properties["position"])[0]] = True
    return used[0], used[1]


def _source_lanes(kind: str, by: int, limits: int) -> tuple[list[int], list[bool]]:
    """From which lane each lane of a warp reads, and whether that is in range (PTX ISA, shfl)."""
    segment, clamp = limits >> 8 & 31, limits & 31
    by &= 31
    taken: list[int] = []
    valid: list[bool] = []
    for lane in range(WARP):
        lowest = lane & segment
        last = lowest | clamp & ~segment & 31
        if kind == "up":
            source, inside = lane - by, lane - by >= last
        elif kind == "down":
            source, inside = lane + by, lane + by <= last
        elif kind == "bfly":
            source, inside = lane ^ by, lane ^ by <= last
        else:
            source = lowest | by & ~segment & 31
            inside = source <= last
        taken.append(source if inside else lane)
        valid.append(inside)
    return taken, valid
