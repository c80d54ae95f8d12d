# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a text may do to xgpu: be refused with a diagnostic that has a place, or be accepted, printed
and read again as the same, and survive a pass. Anything else is a finding.
"""

from __future__ import annotations

import re
import signal
import traceback
from collections.abc import Callable, Generator
from contextlib import contextmanager
from random import Random
from typing import Any

from xgpu.core.ir.errors import DiagnosticError, UsageError

#: Seconds that one text may take.
LIMIT = 20

#: Passes that accept any IR; a random one runs on what is accepted.
PASSES = (
    "canonicalize", "cse", "sccp", "symbol-dce", "inline", "control-flow-sink",
    "loop-invariant-code-motion", "trivial-dce", "strip-debuginfo", "lower-affine",
    "int-range-optimizations", "expand-strided-metadata", "fold-memref-alias-ops", "convert-to-llvm",
    "convert-scf-to-cf", "convert-vector-to-scf", "convert-vector-to-llvm", "convert-arith-to-llvm",
    "convert-func-to-llvm", "finalize-memref-to-llvm", "convert-linalg-to-loops",
    "gpu-kernel-outlining", "gpu-launch-sink-index-computations", "convert-gpu-to-nvvm",
    "convert-nvgpu-to-nvvm", "gpu-async-region", "gpu-async-to-mgpu", "gpu-to-llvm",
    "reconcile-unrealized-casts",
)  # fmt: skip


class TooSlow(BaseException):
    """A text took longer than LIMIT."""


@contextmanager
def limited(seconds: float) -> Generator[None]:
    """Within it, TooSlow after so many seconds of this process's processor time; only in a main
    thread."""

    def stop(*_: object) -> None:
        raise TooSlow

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


class Finding:
    """Something that must not happen. `signature` is the same for the same defect."""

    def __init__(self, signature: str, detail: str) -> None:
        self.signature = signature
        self.detail = detail

    def __repr__(self) -> str:
        return f"{self.signature}\n{self.detail}"


class Verdict:
    """What became of a text: `accepted`, the `error` otherwise, and what was found."""

    def __init__(self) -> None:
        self.accepted = False
        self.error = ""
        self.finding: Finding | None = None


def judge(text: str, seed: int, *, passes: bool = True) -> Verdict:
    """Reads, verifies and prints `text`; `seed` chooses the pass."""
    verdict = Verdict()
    module: Any = None

    def read() -> None:
        nonlocal module
        module = _read(text)

    # A location that the text states may have no line.
    verdict.finding = _attempt("read, placed" if "loc(" in text else "read", read, verdict)
    if module is None:
        return verdict
    verdict.accepted = True
    verdict.finding = _attempt("print", lambda: _round_trip(module), Verdict())
    if verdict.finding is None and passes:
        name = Random(seed).choice(PASSES)
        verdict.finding = _attempt(name, lambda: _run(name, module), Verdict())
    return verdict


def _attempt(step: str, work: Callable[[], Finding | None], verdict: Verdict) -> Finding | None:
    try:
        with limited(LIMIT):
            return work()
    except DiagnosticError as problem:
        verdict.error = problem.message
        return _check_diagnostics(step, problem)
    except UsageError as problem:
        verdict.error = str(problem)
        return None
    except RecursionError:
        verdict.error = "nested too deeply"
        return None
    except MemoryError:
        verdict.error = "out of memory"
        return Finding(f"{step}: MemoryError", "")
    except TooSlow:
        return Finding(f"{step}: longer than {LIMIT} s", "")
    except Exception as problem:
        return Finding(f"{step}: {_where(problem)}", traceback.format_exc(limit=-6))


def _where(problem: Exception) -> str:
    """The kind of an exception and the innermost place in xgpu that it came through."""
    frames = traceback.extract_tb(problem.__traceback__)
    own = [frame for frame in frames if "/xgpu/" in frame.filename]
    frame = own[-1] if own else frames[-1]
    name = frame.filename.rpartition("/xgpu/")[2]
    return f"{type(problem).__name__} in {name}:{frame.name}"


def _check_diagnostics(step: str, problem: DiagnosticError) -> Finding | None:
    from xgpu.core.ir.locations import source_location
    from xgpu.core.syntax.diagnostics import render

    for diagnostic in problem.diagnostics:
        shown = render(diagnostic)
        if step == "read" and source_location(diagnostic.location) is None:
            return Finding(f"no place: {_shape(diagnostic.message)}", shown)
        if "<<UNKNOWN SSA VALUE>>" in shown.split("note: see current operation")[0]:
            return Finding(f"unknown value: {_shape(diagnostic.message)}", shown)
    return None


def _shape(message: str) -> str:
    """A message without what is the text's own."""
    return re.sub(r"'[^']*'|[0-9]+", "_", message)[:80]


def _read(text: str) -> Any:
    from xgpu.core.syntax import parse_module
    from xgpu.core.syntax.verify import verify_module

    module = parse_module(text, "f", allow_unregistered=True)
    verify_module(module)
    return module


#: MLIR's syntax cannot say this: what a bare `vector.print` prints may follow, and a value's name does.
#: mlir-opt does not read its own output here either.
_AMBIGUOUS = re.compile(r"^ *vector\.print(?: loc\([^\n]*\))?\n *%", re.MULTILINE)


#: Likewise: a function of integers with a sign, which LLVM does not have, and too many operands of an
#: elementwise operation are refused as `llvm.func` and `linalg.exp` are written, not by a verifier.
_ONLY_GENERIC = re.compile(
    r"'llvm\.func' failed to construct function type: expected LLVM type"
    r"|\[parseNamedStructuredOpRegion\] ods-gen generated region expects"
)


#: A body of one block without operations. Where no terminator ends a body, `{}` is this and no
#: block at all; MLIR reads it as a block.
_EMPTY_BLOCK = re.compile(r"\(\{\n *\^bb\d+:(?:  // .*)?\n *\}\)")


def _comparable(module: Any) -> str:
    """A text that is the same for what has the same custom form."""
    return _EMPTY_BLOCK.sub("({ })", re.sub(r"\(\{\n *\}\)", "({ })", _without_defaults(module)))


def _round_trip(module: Any) -> Finding | None:
    """What is printed is read as the same, in both forms."""
    from xgpu.core.syntax import print_module

    reference = print_module(module, generic=True)
    for generic in (True, False):
        printed = print_module(module, generic=generic, debuginfo=generic)
        form = "generic" if generic else "custom"
        if not generic and _AMBIGUOUS.search(printed):
            continue
        try:
            again = _read(printed)
        except DiagnosticError as problem:
            if not generic and _ONLY_GENERIC.search(problem.message):
                continue
            return Finding(
                f"{form} form refused: {_shape(problem.message)}", f"{problem}\n{printed}"
            )
        if print_module(again, generic=True) == reference:
            continue
        if generic or _comparable(again) != _comparable(module):
            name, lines = _first_difference(reference, again)
            if _in_named_body(module, name) or _needs_dimensions(module):
                continue
            return Finding(f"{form} form differs in {name}", f"{lines}\n{printed}")
    return None


def _first_difference(reference: str, again: Any) -> tuple[str, str]:
    """The operation in the first line that is another one, and the two lines."""
    from xgpu.core.syntax import print_module

    found = print_module(again, generic=True).split("\n")
    for want, have in zip(reference.split("\n"), found, strict=False):
        if want != have:
            name = re.search(r'"([\w.]+)"', want)
            return name[1] if name else "?", f"{want}\n{have}"
    return "?", ""


def _in_named_body(module: Any, name: str) -> bool:
    """Whether an operation of that name stands where only the generic form shows it, in MLIR too: in
    the body of a named linalg operation."""
    return any(
        op.name == name and (holder := op.parent_op()) is not None
        and holder.name.startswith("linalg.") and holder.name != "linalg.generic"
        for op in module.walk()
    )  # fmt: skip


def _needs_dimensions(module: Any) -> bool:
    """Whether an affine operation has an operand that its map does not use, or one operand for
    several dimensions: the form with operands in place of dimensions cannot show it, in MLIR
    neither."""
    from xdsl.dialects.builtin import AffineMapAttr

    for op in module.walk():
        if not op.name.startswith("affine."):
            continue
        if len(set(op.operands)) < len(op.operands):
            return True
        for attr in (*op.properties.values(), *op.attributes.values()):
            if isinstance(attr, AffineMapAttr) and len(attr.data.used_dims()) < attr.data.num_dims:
                return True
    return False


#: Named operations of linalg whose own form leaves out the maps that their names stand for.
_CONTRACTIONS = ("linalg.matmul", "linalg.batch_matmul", "linalg.batch_reduce_matmul")


def _plain_contraction(op: Any) -> None:
    """Without what its own form does not show: its maps stated, its body left out."""
    from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr

    from xgpu.dialects.linalg.ops import indexing_maps

    op.properties["indexing_maps"] = ArrayAttr(AffineMapAttr(m) for m in indexing_maps(op))
    for block in op.regions[0].blocks:
        for inner in reversed(list(block.ops)):
            inner.detach()
            inner.erase()


_ATTRIBUTION_ATTRS = ("workgroup_attrib_attrs", "private_attrib_attrs")


def _fit_attributions(op: Any) -> None:
    """As many attributes as there are buffers, which are not checked, in MLIR neither: those of a
    buffer that is not there go, and a buffer without gets none."""
    from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr

    number = getattr(getattr(op.attributes.get("workgroup_attributions"), "value", None), "data", 0)
    blocks = op.regions[0].blocks
    inputs = len(op.properties["function_type"].inputs.data)
    own = len(blocks[0].args) - inputs if blocks else 0
    for name, buffers in zip(_ATTRIBUTION_ATTRS, (number, own - number), strict=True):
        given = op.properties.get(name)
        if given is not None:
            kept = list(given.data)[: max(buffers, 0)]
            kept += [DictionaryAttr({})] * (buffers - len(kept))
            op.properties[name] = ArrayAttr(kept)


def _without_defaults(module: Any) -> str:
    """The generic form, less optional attributes that have their default values: custom forms leave
    these out, as MLIR's do, and an operation that is read without one stays without it."""
    from xdsl.dialects.builtin import IntegerAttr

    from xgpu.core.syntax import print_module

    copy = module.clone()
    for op in copy.walk():
        spec = getattr(op, "spec", None)
        if op.name in _CONTRACTIONS:
            _plain_contraction(op)
        for field in spec.attrs if spec is not None else ():
            default = _default(field) if field.optional else None
            if default is not None and op.properties.get(field.name) == default:
                del op.properties[field.name]
        sizes = op.properties.get("operandSegmentSizes")
        if sizes is not None and not any(sizes.get_values()):
            del op.properties["operandSegmentSizes"]
        if op.name == "gpu.func":
            _fit_attributions(op)
        for name in ("arg_attrs", "res_attrs", *_ATTRIBUTION_ATTRS):
            if not any(
                getattr(d, "data", True) for d in getattr(op.properties.get(name), "data", "?")
            ):
                del op.properties[name]
        for name in _IMPLIED.get(op.name, ()):
            for given in (op.properties, op.attributes):
                number = getattr(getattr(given.get(name), "value", None), "data", None)
                if number == 0:
                    del given[name]
                elif number is not None:  # whatever its type
                    given[name] = IntegerAttr(number, 64)
    return print_module(copy, generic=True)


#: Numbers that a custom form leaves out where they are zero, and whose reader puts zero in.
_IMPLIED = {
    "gpu.func": ("workgroup_attributions",),
    "gpu.launch": ("workgroup_attributions",),
    "llvm.func": ("unnamed_addr",),
    "llvm.mlir.alias": ("unnamed_addr",),
    "llvm.mlir.global": ("unnamed_addr", "addr_space"),
}


def _default(field: Any) -> Any:
    from xgpu.core.ods.defaults import UnknownDefaultError, default_attribute

    try:
        return default_attribute(field)
    except UnknownDefaultError:  # code of MLIR's, which depends on the operation
        return None


def _run(name: str, module: Any) -> None:
    from xgpu.core.passes.pipeline_text import parse_pipeline
    from xgpu.core.syntax import context, diagnostics
    from xgpu.core.syntax.verify import verify_module

    with diagnostics.collect():
        try:
            parse_pipeline(f"builtin.module({name})").run(module, context())
        except DiagnosticError:
            return
        verify_after(module, name, verify_module)


def verify_after(module: Any, name: str, verify: Callable[[Any], None]) -> None:
    """A pass that succeeds leaves valid IR."""
    try:
        verify(module)
    except DiagnosticError as problem:
        first = problem.diagnostics[0].message
        if any(name in n and shape.search(first) for n, shape in _AS_MLIR):
            return
        raise InvalidAfterPass(f"{name}: {problem}") from None


#: What MLIR's own passes leave, for the same reason and with the same message: the names of passes,
#: what the verifier says, and why no pass of this name could do better.
_AS_MLIR = (
    # A check in the body of what several blocks may not be in.
    (
        ("gpu-to-llvm", "convert-to-llvm", "convert-scf-to-cf", "finalize-memref-to-llvm"),
        re.compile(
            r"'(scf|async|builtin|memref)\.\w+' op expects region #\d to have 0 or 1 blocks"
        ),
    ),
    # A block that is not reached.
    (
        ("convert-func-to-llvm", "convert-to-llvm"),
        re.compile(r"'func.return' op expects parent op 'func.func'"),
    ),
    # Several results that LLVM has no structure for.
    (
        ("convert-func-to-llvm", "convert-to-llvm", "gpu-to-llvm"),
        re.compile(
            r"'llvm.insertvalue' op operand #1 must be primitive LLVM type, but got '!llvm\.func"
        ),
    ),
    # Memory with more or fewer indices than it has dimensions, which the copy that it becomes needs.
    (
        ("lower-affine",),
        re.compile(
            r"'memref.dma_start' op (expected at least 7 operands|incorrect number of operands"
            r"|expected num elements to be of index type)"
        ),
    ),
    # A loop without dimensions.
    (("lower-affine",), re.compile(r"'scf.parallel' op needs at least one tuple element")),
    # An operation that several take the place of is taken out of what masks it in another pass.
    (
        ("convert-vector-to-llvm",),
        re.compile(r"'vector.mask' op expects only one operation to mask"),
    ),
    # A launch of a kernel that another pass lowers.
    (("gpu-to-llvm",), re.compile(r"'gpu.launch_func' op got \d+ kernel operands but expected")),
    # A function with arguments of the async dialect: these become pointers in another pass.
    (("gpu-to-llvm",), re.compile(r"'llvm.func' op entry block argument #\d+ is not of LLVM type")),
    # A loop in async.execute, whose body is one block: the body has to be outlined first.
    (
        ("convert-scf-to-cf", "gpu-to-llvm"),
        re.compile(r"'async.execute' op expects region #0 to have 0 or 1 blocks"),
    ),
    # A call of a function that is declared in another table of symbols.
    (
        ("convert-to-llvm", "finalize-memref-to-llvm"),
        re.compile(r"'llvm.call' op '\w+' does not reference a symbol in the current scope"),
    ),
    # The body of a contraction of linalg, which is lowered before the operation around it.
    (
        ("convert-arith-to-llvm", "convert-to-llvm", "gpu-to-llvm"),
        re.compile(r"expected add/mul op in the body"),
    ),
)


class InvalidAfterPass(Exception):
    """A pass made IR that the verifier refuses."""
