# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A random function run four ways, against the model.

With its inputs as constants and folded, and as it is and optimized, both in the model again; and by
the host device at -O0, a thread by itself, and at -O3 in the form that it gets. `check` gives what
differs, or None.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

from tests.fuzz.function_text import OUTPUTS, inputs
from tests.fuzz.interpreter import Buffer, Unknown, find_kernel, run_function
from tests.fuzz.numbers import Undefined, Unsure
from xgpu.core.ir.errors import DiagnosticError

FOLD = "canonicalize,sccp,canonicalize,cse"
OPTIMIZE = "canonicalize,int-range-optimizations,loop-invariant-code-motion,cse,sccp,canonicalize"

Outputs = list[list[Any]]


def read(text: str) -> Any:
    from xgpu.core.syntax import parse_module
    from xgpu.core.syntax.verify import verify_module

    module = parse_module(text, "f")
    verify_module(module)
    return module


def passed(module: Any, pipeline: str) -> Any:
    """`module` after passes, verified."""
    from xgpu.core.passes.pipeline_text import parse_pipeline
    from xgpu.core.syntax import context
    from xgpu.core.syntax.verify import verify_module

    parse_pipeline(f"builtin.module({pipeline})").run(module, context())
    verify_module(module)
    return module


def modelled(module: Any, seed: int) -> Outputs:
    """What the model says that the outputs hold."""
    integers, floats = inputs(seed)
    given = [Buffer(integers, [len(integers)]), Buffer(floats, [len(floats)])]
    outputs = [Buffer([0] * 2 * OUTPUTS, [2 * OUTPUTS])]
    outputs += [Buffer([0.0] * OUTPUTS, [OUTPUTS]) for _ in range(2)]
    run_function(find_kernel(module), [*given, *outputs])
    return [buffer.data for buffer in outputs]


def with_constants(module: Any, seed: int) -> Any:
    """Puts the inputs in place of what loads them."""
    from xdsl.dialects.builtin import FloatAttr, IntegerAttr, f64, i64

    from xgpu.core import ods
    from xgpu.core.rewriting.builder import Rewriter  # noqa: F401  provides the services

    integers, floats = inputs(seed)
    block = find_kernel(module).regions[0].blocks[0]
    for op in list(module.walk()):
        if op.name != "memref.load" or op.operands[0] not in block.args[:2]:
            continue
        at = op.operands[1].owner.properties["value"].value.data
        kind = op.results[0].type
        attr: Any = FloatAttr(floats[at], f64) if kind == f64 else None
        if attr is None:
            value = integers[at]
            attr = IntegerAttr(value - (1 << 64) if value >> 63 else value, i64)
        new = ods.create("arith.constant", [], [kind], {"value": attr})
        op.parent.insert_op_before(new, op)
        op.results[0].replace_all_uses_with(new.results[0])
        op.detach()
        op.erase()
    return module


def on_device(data: bytes, form: str, seed: int) -> Outputs:
    """What the host device leaves in the outputs when it runs an object."""
    import numpy as np

    from tests.support.kernel_launch import Launcher

    integers, floats = inputs(seed)
    arrays: list[Any] = [np.array(integers, np.uint64), np.array(floats, np.float64)]
    arrays += [np.zeros(2 * OUTPUTS, np.uint64), np.zeros(OUTPUTS), np.zeros(OUTPUTS)]
    launcher = Launcher(data, form)
    try:
        launcher.launch("k", 1, 1, *arrays)
    finally:
        launcher.close()
    return [array.tolist() for array in arrays[2:]]


def check(text: str, seed: int) -> str | None:
    """What differs from the model, or goes wrong; None where nothing does, or nothing is defined."""
    from tests.support.kernel_launch import at_level, lowered_object

    module = read(text)
    try:
        expected = modelled(module, seed)
    except Undefined:
        return None
    data = b""

    def unoptimized() -> Outputs:
        nonlocal data
        data = lowered_object(module, 0)
        return on_device(data, "threads", seed)

    ways: list[tuple[str, Callable[[], Outputs]]] = [
        ("folded", lambda: modelled(passed(with_constants(module.clone(), seed), FOLD), seed)),
        ("optimized", lambda: modelled(passed(module.clone(), OPTIMIZE), seed)),
        ("-O0", unoptimized),
        ("-O3", lambda: on_device(at_level(data, 3), "auto", seed)),
    ]
    for way, run in ways:
        try:
            found = run()
        except (DiagnosticError, Undefined, Unknown) as problem:
            return f"{way}: {type(problem).__name__}: {str(problem).splitlines()[0][:100]}"
        different = differs(expected, found)
        if different is not None:
            return f"{way}: {different}"
    return None


def differs(expected: Outputs, found: Outputs) -> str | None:
    for name, wants, has in zip(("out", "fout", "loose"), expected, found, strict=True):
        for at, (want, have) in enumerate(zip(wants, has, strict=True)):
            if not _same(want, have, name == "loose"):
                return f"%{name}[{at}] is {have}, expected {want}"
    return None


def _same(want: Any, have: Any, loose: bool) -> bool:
    if isinstance(want, Unsure):
        return True
    if isinstance(have, Unsure):
        return False
    if isinstance(want, int):
        return want == have
    if math.isnan(want) or math.isnan(have):
        return math.isnan(want) and math.isnan(have)
    if loose and math.isfinite(want) and math.isfinite(have):
        return math.isclose(want, have, rel_tol=2e-5, abs_tol=1e-30)
    return want == have and math.copysign(1, want) == math.copysign(1, have)


def signature(difference: str) -> str:
    """The same for the same kind of finding: the way, and what is no number."""
    return re.sub(r"-?[0-9.]+(?:e[+-]?[0-9]+)?|inf|nan|\[.*?\]", "_", difference)[:80]
