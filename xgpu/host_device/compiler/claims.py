# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What code for the host claims to LLVM: derived here, and nowhere else.

LLVM does not verify claims. A store with an alignment that is too large becomes an aligned move
that faults, or an address that is computed with `or` instead of `add`; an addition that wraps
although it says `nsw` is poison. Neither needs to show on every processor. So nothing that emits an
access writes a number, and nothing that emits an operation for several threads copies a flag.

Alignment of an access:
* to memory of the function itself: from the alignment of its `llvm.alloca` and the steps of the
  `llvm.getelementptr` operations on the way (`of_address`);
* that the program makes: what the program says, else what its type needs (`of_access`);
* to the records of `structs` and to anything else: no claim is written, and LLVM takes the
  alignment of the type. Records lie as C's do.

Flags of an operation (`nsw`, `nuw`, `exact`, `disjoint`, `nneg`, `inbounds`, `nnan`, `ninf`) hold
for a thread that executes it. `kept` leaves them out where a vector computes it for a thread that
does not: for lanes that are switched off, before a branch, or for the base of an affine value.
What is poison without a flag, as a shift by too much is, is frozen there (`needs_freeze`): it would
spread to the mask that it is combined with.

Aliasing (`noalias` and scopes) holds for the accesses of one thread, and each function does those
of many: `thread_passes` leaves scopes out, and a function that gets the thread's record has no
attributes of arguments.

`claim_checks` verifies all of them at run time, in a build for tests. It sees what LLVM gets, so a
claim that is not made here is checked too.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import IntegerAttr, i1, i32, i64
from xdsl.ir import Block

from xgpu.backend.llvm_ir.facts import number, prop
from xgpu.host_device.compiler.types import alignment_of, gep_strides

if TYPE_CHECKING:
    from collections.abc import Mapping

    from xdsl.dialects.builtin import IntegerType
    from xdsl.ir import Attribute, Operation, SSAValue


#: That of memory that a function has for vectors: a line of the cache.
OWN_ALIGNMENT = 64

#: That of an address of which nothing is known.
UNALIGNED = 1

#: Properties by which an operation says that its result is not poison.
_FLAGS = frozenset(("overflowFlags", "isExact", "nonNeg", "isDisjoint", "noWrapFlags"))
#: Properties by which an access of a thread says what other accesses of that thread do.
OF_ONE_THREAD = ("alias_scopes", "noalias_scopes")
#: Properties of intrinsics by which their result for one operand is poison.
_POISON_OPERANDS = ("is_zero_poison", "is_int_min_poison")
#: Flags of fast math whose violation is poison; the others only allow another rounding.
_POISON_FLAGS = ("nnan", "ninf")


# -- alignment


def of_step(alignment: int, step: int) -> int:
    """What all addresses are multiples of that lie a multiple of `step` bytes behind one that is a
    multiple of `alignment`, a power of two."""
    return min(alignment, step & -step) if step else alignment


def of_address(address: SSAValue) -> int | None:
    """What an address in memory of the function itself is a multiple of; None for any other, and
    where the bytes of a step are not known."""
    steps: list[int] = []
    owner = address.owner
    while not isinstance(owner, Block) and owner.name == "llvm.getelementptr":
        strides = gep_strides(owner)
        if strides is None:
            return None
        steps += [strides[0], *strides[1]]
        owner = owner.operands[0].owner
    if isinstance(owner, Block) or owner.name != "llvm.alloca":
        return None
    found = of_allocation(owner)
    for step in steps:
        found = of_step(found, step)
    return found


def of_allocation(op: Operation) -> int:
    """What an `llvm.alloca` makes its memory a multiple of."""
    return number(prop(op, "alignment")) or alignment_of(cast("Attribute", prop(op, "elem_type")))


def of_access(op: Operation, ty: Attribute) -> int:
    """What the program claims of the address of an access to a value of type `ty`."""
    return number(prop(op, "alignment")) or alignment_of(ty)


def of_element(op: Operation, ty: Attribute, offset: int) -> int:
    """Likewise of the element so many bytes behind the begin of a value of type `ty`."""
    return of_step(of_access(op, ty), offset)


def of_row(element: Attribute) -> int:
    """Of a vector whose elements lie as those of an array, at the place of any of them."""
    return alignment_of(element)


def of_whole(size: int) -> int:
    """Of an access of PTX to so many bytes, a power of two (PTX ISA 6.4.1, "Addresses as
    Operands"): the address is a multiple of that."""
    return size


@lru_cache(maxsize=64)
def aligned(alignment: int, ty: IntegerType = i64) -> Mapping[str, Attribute]:
    """The property that makes the claim; intrinsics have it as an i32."""
    return {"alignment": IntegerAttr(alignment, ty)}


def access(address: SSAValue, ty: Attribute, alignment: int = 0) -> Mapping[str, Attribute] | None:
    """The properties of a load or store of a value of type `ty`. `alignment` is what the program
    claims; without it, what is known of memory of the function itself, if that is not what LLVM
    takes without a word."""
    if alignment:
        return aligned(alignment)
    found, natural = of_address(address), alignment_of(ty)
    if found is None or found == natural or (found > natural and ty.name != "vector"):
        return None
    return aligned(found)


def lanes(alignment: int) -> Mapping[str, Attribute]:
    """The properties of a masked access, a gather or a scatter of elements."""
    return aligned(alignment, i32)


# -- flags


def kept(properties: Mapping[str, Attribute], *, executed: bool) -> Mapping[str, Attribute]:
    """The properties of a thread's operation that a vector's has. `executed` says that wherever
    the vector computes it, all threads do that it computes it for, with these operands."""
    if executed:
        return properties
    found = {k: v for k, v in properties.items() if k not in _FLAGS}
    if "noWrapFlags" in properties:
        found["noWrapFlags"] = _NO_FLAGS
    for name in _POISON_OPERANDS:
        if name in properties:
            found[name] = _FALSE
    fast = found.get("fastmathFlags")
    if fast is not None:
        found["fastmathFlags"] = _without_poison(fast)
    return found


_NO_FLAGS = IntegerAttr(0, i32)
_FALSE = IntegerAttr(0, i1)


def needs_freeze(op: Operation, by: int | None) -> bool:
    """Whether the result of an operation without flags may be poison; `by` is what its last operand
    is in all lanes, if that is one known number: the bits by which a shift moves."""
    if op.name in ("llvm.fptosi", "llvm.fptoui"):
        return True
    if op.name not in ("llvm.shl", "llvm.lshr", "llvm.ashr"):
        return False
    bits = cast("IntegerType", op.results[0].type).width.data
    return by is None or not 0 <= by < bits


@lru_cache(maxsize=64)
def _without_poison(fast: Attribute) -> Attribute:
    text = cast("str", getattr(fast, "data", ""))
    names = text.replace(" ", "").split(",")
    if "fast" in names:
        names = ["nnan", "ninf", "nsz", "arcp", "contract", "afn", "reassoc"]
    left = [name for name in names if name not in _POISON_FLAGS]
    return type(fast)(",".join(left) or "none")  # pyright: ignore[reportCallIssue]
