# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How kernels of a program run on the host device: their strategies, for a hover.

A strategy is known when a kernel is lowered and compiled, which takes longer than an editor waits.
So a process of its own does it: `python -m xgpu.tools.lsp.kernels FILE` reads a program from its
standard input and writes what it finds as JSON.
"""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, NamedTuple, cast

from xdsl.dialects.builtin import SymbolRefAttr
from xdsl.ir import Operation

from xgpu.core.ir.errors import DiagnosticError, UsageError
from xgpu.core.ir.locations import source_location
from xgpu.core.ir.symbols import symbol_name
from xgpu.runtime.device import format_dims

if TYPE_CHECKING:
    from xgpu.host_device.compiler.objects import Dims
    from xgpu.tools.lsp.document import Chunk

#: The size of blocks where the program says none.
_BLOCK = (128, 1, 1)


class Strategy(NamedTuple):
    """The strategy of a kernel for blocks of a size, and for each faster one the reason against it
    and its place. Places are `file:line:column`; `is_assumed` says that the size is not the
    program's."""

    module: str
    kernel: str
    place: str
    block: Dims
    is_assumed: bool
    strategy: str
    reasons: list[tuple[str, str, str]]


class Kernel(NamedTuple):
    """A kernel by its module and name, or by the place of its `gpu.launch`."""

    module: str
    name: str
    place: str


def kernel_of(op: Operation) -> Kernel | None:
    """The kernel that an operation launches or is a part of."""
    if op.name == "gpu.launch_func":
        path = cast("SymbolRefAttr", op.properties["kernel"])
        names = [path.root_reference.data, *(n.data for n in path.nested_references.data)]
        return Kernel(names[0], names[1], "") if len(names) == 2 else None
    around: Operation | None = op
    while around is not None:
        if around.name == "gpu.launch":
            found = source_location(around.location)
            return None if found is None else Kernel("", "", _place(*found))
        if is_kernel_function(around):
            parent = around.parent_op()
            module = "" if parent is None else symbol_name(parent) or ""
            return Kernel(module, symbol_name(around) or "", "")
        around = around.parent_op()
    return None


def is_kernel_function(op: Operation) -> bool:
    """Whether an operation defines a kernel."""
    if op.name == "gpu.func":
        return "kernel" in op.properties or "gpu.kernel" in op.attributes
    return op.name == "llvm.func" and not op.attributes.keys().isdisjoint(
        ("gpu.kernel", "nvvm.kernel")
    )


def has_kernels(chunk: Chunk) -> bool:
    """Whether a program is right as far as it is read, and has kernels."""
    return chunk.module is not None and any(
        record.op.name == "gpu.launch" or is_kernel_function(record.op) for record in chunk.records
    )


def _place(file: str, line: int, column: int) -> str:
    return f"{file}:{line}:{column}"


# -- In a hover


def markdown(kernel: Kernel, known: list[Strategy], file: str, line: int) -> str | None:
    """What is known of a kernel. Places in `file` are shown as lines: of the document, of which
    `line` lines stand before the program."""
    mine = [s for s in known if _is_of(s, kernel)]
    return "\n\n".join(_text(strategy, file, line) for strategy in mine) or None


def _is_of(strategy: Strategy, kernel: Kernel) -> bool:
    if kernel.place:
        return strategy.place == kernel.place
    return (strategy.module, strategy.kernel) == (kernel.module, kernel.name)


def _text(found: Strategy, file: str, line: int) -> str:
    assumed = " (no launch here has a constant size)" if found.is_assumed else ""
    blocks = f"blocks of {format_dims(*found.block)}{assumed}"
    lines = [f"On the host device, {blocks}: strategy `{found.strategy}`"]
    for strategy, reason, place in found.reasons:
        shown = place
        if place.startswith(f"{file}:"):
            shown = f"line {int(place.split(':')[-2]) + line}"
        lines.append(f"* not `{strategy}`: {reason}" + (f" ({shown})" if shown else ""))
    return "\n".join(lines)


# -- In the process that compiles


def strategies(text: str, file: str) -> list[Strategy]:
    """The strategies of the kernels of a program. Raises `DiagnosticError` or `UsageError` where it
    cannot be lowered."""
    from xgpu.driver.compiler import compile

    compiled = compile(text, filename=file, format="host")
    return [found for code in compiled.kernels.values() for found in _of_object(code)]


def _of_object(data: bytes) -> list[Strategy]:
    from xgpu.host_device.compiler.kernel_cache import KernelCode
    from xgpu.host_device.compiler.objects import read_object

    kernels, manifest, text = read_object(data)
    code = KernelCode(text)
    found: list[Strategy] = []
    for name, info in kernels.items():
        said = [(*info.block[1], 1, 1)[:3]] if info.block is not None else []
        given = manifest["sizes"].get(name) or said
        for block in given or [_BLOCK]:
            sizes = cast("Dims", tuple(block))
            got = code.specialized(name, sizes, manifest["opt_level"])
            whys = [(why.strategy, why.reason, why.location or "") for why in got.reasons]
            found.append(
                Strategy(info.module, name, info.location, sizes, not given, got.strategy, whys)
            )
    return found


def read_answer(text: str) -> list[Strategy] | str:
    """What the process has written: the strategies, or why there are none."""
    answer = json.loads(text)
    if isinstance(answer, str):
        return answer
    return [
        Strategy(module, kernel, place, (x, y, z), is_assumed, strategy, whys)
        for module, kernel, place, (x, y, z), is_assumed, strategy, whys in answer
    ]


def main() -> None:
    """The process."""
    try:
        answer: object = strategies(sys.stdin.read(), sys.argv[1])
    except (DiagnosticError, UsageError) as problem:
        answer = str(problem).partition("\n")[0]
    print(json.dumps(answer))


if __name__ == "__main__":
    main()
