# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How near to a GPU each instruction of PTX is done on the host device.

An instruction is one of these:

exact         the bits that the PTX ISA defines (but for the payload of a NaN)
rounded       the ISA leaves digits open, such as those of `ex2.approx`, or the order of a sum, as
              of `red.add.f32` and `mma`: the host's result is within its bounds, a GPU's differs
approximate   what depends on the machine, and is like a GPU's at best: clocks, numbers of warps and
              multiprocessors, which threads of a warp run together, times of waits

The table has each opcode that `instructions` has a rule for, and those of control flow.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from enum import Enum

from xgpu.frontend.ptx.grammar import Instruction, Name, Operand, nested
from xgpu.frontend.ptx.instructions import MODULE_OPCODES
from xgpu.frontend.ptx.module_reader import Function, read_modules


class Fidelity(Enum):
    """See above; the values are words of reports."""

    EXACT = "exact"
    ROUNDED = "rounded otherwise"
    APPROXIMATE = "approximated"


_EXACT, _ROUNDED, _APPROXIMATE = Fidelity
_FLOATS = frozenset((
    "f16", "f16x2", "bf16", "bf16x2", "tf32", "f32", "f32x2", "f64", "e4m3", "e5m2", "kind::f16",
    "kind::tf32", "kind::f8f6f4", "kind::mxf8f6f4", "kind::mxf4", "kind::mxf4nvf4",
))  # fmt: skip
#: Special registers whose values are those of a machine.
_OF_MACHINE = ("%clock", "%globaltimer", "%warpid", "%nwarpid", "%smid", "%nsmid", "%gridid",
               "%pm", "%activemask")  # fmt: skip


def _bounded(found: Instruction) -> Fidelity:
    """With `.approx` and `.full` the ISA gives bounds of the error."""
    return _ROUNDED if {"approx", "full"} & set(found.words) else _EXACT


def _functions(found: Instruction) -> Fidelity:
    return _ROUNDED


def _sum_of_threads(found: Instruction) -> Fidelity:
    """Threads add in any order."""
    return _ROUNDED if "add" in found.words and _has_floats(found) else _EXACT


def _product(found: Instruction) -> Fidelity:
    """Sums of products of floats have an order and digits of their own; moves are exact."""
    is_product = found.words[0] in ("mma", "wgmma") or "mma" in found.words
    moves = {"load", "store", "fence", "commit_group", "wait_group"} & set(found.words)
    return _ROUNDED if is_product and not moves and _has_floats(found) else _EXACT


def _has_floats(found: Instruction) -> bool:
    return not _FLOATS.isdisjoint(found.words)


def _moved(found: Instruction) -> Fidelity:
    """What is read may be a number of the machine's."""
    return _APPROXIMATE if any(_is_of_machine(o) for o in found.operands) else _EXACT


def _is_of_machine(operand: Operand) -> bool:
    return isinstance(operand, Name) and operand.text.startswith(_OF_MACHINE)


def _texel(found: Instruction) -> Fidelity:
    """A texel by its number is exact; a place between texels has fewer bits on a GPU."""
    return _EXACT if found.words[-1] == "s32" else _ROUNDED


def _of_machine(found: Instruction) -> Fidelity:
    return _APPROXIMATE


#: Opcodes of which all forms are exact.
_ALWAYS_EXACT = (
    # integers and bits
    "mul24", "mad24", "rem", "popc", "clz", "bfind", "brev", "sad", "dp4a", "dp2a", "and", "or",
    "xor", "not", "cnot", "shl", "shr", "shf", "bfe", "bfi", "lop3", "prmt", "fns", "addc", "subc",
    "madc", "szext", "bmsk",
    # floats: rounded as they say
    "add", "sub", "mul", "mad", "fma", "abs", "neg", "min", "max", "copysign", "testp",
    # comparisons and conversions
    "setp", "set", "selp", "slct", "cvt", "cvta", "isspacep",
    # calls and control flow
    "call", "st.param", "ld.param", "bra", "brx", "ret", "exit", "trap", "brkpt",
    # memory; hints change no value
    "ld", "ldu", "st", "prefetch", "prefetchu", "applypriority", "discard", "mapa", "getctarank",
    "createpolicy", "st.async", "st.bulk", "cp", "tensormap", "ldmatrix", "stmatrix", "movmatrix",
    "txq", "suq", "suld", "sust",
    # order between threads
    "xgpu", "bar", "barrier", "membar", "fence", "mbarrier", "griddepcontrol", "setmaxnreg",
    "pmevent",
    # between threads of a warp
    "shfl", "vote", "match", "redux", "elect",
    *MODULE_OPCODES["video"],
)  # fmt: skip

#: Opcode, as in `instructions.RULES` -> how it is done.
TABLE: dict[str, Fidelity | Callable[[Instruction], Fidelity]] = {
    **dict.fromkeys(_ALWAYS_EXACT, _EXACT),
    **dict.fromkeys(("div", "rcp", "sqrt", "rsqrt"), _bounded),
    **dict.fromkeys(("sin", "cos", "lg2", "ex2", "tanh"), _functions),
    **dict.fromkeys(("atom", "red", "red.async", "cp.reduce"), _sum_of_threads),
    **dict.fromkeys(("mma", "wgmma", "wmma", "tcgen05"), _product),
    "mov": _moved,
    **dict.fromkeys(("tex", "tld4"), _texel),
    **dict.fromkeys(("nanosleep", "activemask", "clusterlaunchcontrol"), _of_machine),
}


def fidelity_of(found: Instruction) -> Fidelity:
    """How an instruction is done. Raises `KeyError` for one that the table has not."""
    kind = TABLE.get(".".join(found.words[:2])) or TABLE[found.words[0]]
    return kind if isinstance(kind, Fidelity) else kind(found)


def fidelity_of_kernel(text: str, name: str) -> dict[Fidelity, Counter[str]]:
    """The instructions of a kernel, and of the functions that it may call, by how they are done:
    how many there are of each opcode. Raises `PtxError`, and `KeyError` as `fidelity_of` and where
    there is no such kernel."""
    functions = {f.name: f for m in read_modules(text) for f in m.functions if f.body is not None}
    found: dict[Fidelity, Counter[str]] = {kind: Counter() for kind in Fidelity}
    todo, seen = [functions[name]], {name}
    while todo:
        for instruction in _instructions(todo.pop()):
            found[fidelity_of(instruction)][instruction.opcode] += 1
            for called in _names(instruction):
                if called.startswith("__nv_") and called not in functions:
                    # A function of libdevice that is not linked: CUDA gives bounds of its error.
                    found[_ROUNDED][called] += 1
                if called in functions and called not in seen:
                    seen.add(called)
                    todo.append(functions[called])
    return found


def _instructions(function: Function) -> list[Instruction]:
    return [] if function.body is None else list(nested(function.body))


def _names(found: Instruction) -> list[str]:
    """What an instruction calls, or takes the address of."""
    return [o.text for o in found.operands if isinstance(o, Name)]
