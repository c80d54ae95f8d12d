# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What each NVVM intrinsic needs, asked of LLVM: xgpu/backend/nvptx/needs.txt.

    python tools/generate_nvptx_needs.py FILE...

LLVM ends the process where it cannot select an intrinsic, and states its conditions nowhere else.
So each one that FILEs declare (LLVM IR, or MLIR in the llvm and nvvm dialects; by default the
tests of the translation) is compiled for every chip in a child process, with the newest PTX version
and then with older ones. Immediate operands are tried with several values. Intrinsics that none of
them declares keep what the table has.
"""

from __future__ import annotations

import os
import re
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

from xgpu.backend.nvptx import compiler as nvptx
from xgpu.backend.nvptx.needs import selected
from xgpu.host_device.machine.text import split_commas, type_end

ROOT = Path(__file__).resolve().parents[1]
TABLE = ROOT / "xgpu" / "backend" / "nvptx" / "needs.txt"
VERSIONS = sorted(nvptx.PTX_VERSIONS)
IMMEDIATES = ("0", "1", "2", "8", "96", "128")

_DECLARATION = re.compile(r"^declare (.*?)@llvm\.nvvm\.([\w.]+)\((.*)\)", re.MULTILINE)
_ATTRIBUTES = re.compile(r"^(?:(?:noundef|zeroext|signext|nonnull|range\([^)]*\)) +)+")


def declarations(paths: list[Path]) -> dict[str, str]:
    """Declarations by the intrinsic's name without `llvm.nvvm.`."""
    from xgpu.backend import llvm_ir
    from xgpu.core.ir.errors import DiagnosticError
    from xgpu.core.syntax import parse_module
    from xgpu.core.syntax.verify import verify_module

    found: dict[str, str] = {}
    for path in paths:
        texts = [path.read_text(errors="replace")]
        if path.suffix == ".mlir":
            chunks, texts = re.split(r"^// -----.*$", texts[0], flags=re.MULTILINE), []
            for chunk in chunks:
                try:
                    parsed = parse_module(chunk, str(path))
                    verify_module(parsed)
                    texts.append(llvm_ir.canonical(llvm_ir.translate(parsed), parsed))
                except DiagnosticError:
                    continue  # a test of an error
        for text in texts:
            for match in _DECLARATION.finditer(text):
                found.setdefault(match[2], match[0].split(" #")[0])
    return found


def module(name: str, declaration: str, immediate: str) -> str:
    """A function that calls an intrinsic with its own parameters."""
    match = _DECLARATION.match(declaration)
    assert match is not None
    result = _ATTRIBUTES.sub("", match[1]).strip()
    parameters: list[str] = []
    arguments: list[str] = []
    for i, text in enumerate(split_commas(match[3])):
        ty = text[: type_end(text)]
        if "immarg" in text:
            value = ("true" if immediate != "0" else "false") if ty == "i1" else immediate
            arguments.append(f"{ty} {value}")
        else:
            parameters.append(f"{ty} %a{i}")
            arguments.append(f"{ty} %a{i}")
    call = f"call {result} @llvm.nvvm.{name}({', '.join(arguments)})"
    # What nothing uses is not selected.
    body = f"%r = {call}\n  ret {result} %r" if result != "void" else f"{call}\n  ret void"
    return f"{declaration}\ndefine {result} @f({', '.join(parameters)}) {{\n  {body}\n}}\n"


Probe = tuple[str, str, int]  # the module, the chip, the PTX version


def selects(probes: list[Probe]) -> list[bool]:
    """Whether LLVM selects each; in children, each of which goes on until LLVM ends it."""
    results: list[bool] = []
    while len(results) < len(probes):
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            for probe in probes[len(results) :]:
                os.write(writer, b"1" if _compile(*probe) else b"0")
            os._exit(0)
        os.close(writer)
        answers = b""
        while chunk := os.read(reader, 1 << 16):
            answers += chunk
        os.close(reader)
        status = os.waitpid(child, 0)[1]
        results += [a == ord("1") for a in answers]
        if status:
            results.append(False)
    return results


def _compile(text: str, chip: str, version: int) -> bool:
    import llvmlite.binding as llvm

    parsed = llvm.parse_assembly(text)
    try:
        parsed.verify()
    except RuntimeError:
        return False  # an immediate operand that the instruction does not take
    machine = nvptx._machine(chip, f"+ptx{version}", 0)
    parsed.triple = nvptx.TRIPLE
    parsed.data_layout = str(machine.target_data)
    machine.emit_assembly(parsed)
    return True


GENERIC = sorted((c for c in nvptx.CHIPS if c[-1].isdigit()), key=lambda c: int(c[3:]))
SPECIFIC = [c for c in nvptx.CHIPS if not c[-1].isdigit()]


def needs(texts: list[str]) -> dict[str, int]:
    """The least PTX version of any of `texts` for each chip that selects it.

    A newer chip has what an older one has, but for the features of single architectures.
    """
    for text in texts:
        if (
            selects([(text, c, VERSIONS[-1]) for c in ("sm_90a", "sm_100a", "sm_120a")])
            == [False] * 3
        ):
            continue
        first = _first(len(GENERIC), lambda i, t=text: _selects(t, GENERIC[i], VERSIONS[-1]))
        chips = GENERIC[first:]
        newest = selects([(text, c, VERSIONS[-1]) for c in SPECIFIC])
        chips += [c for c, good in zip(SPECIFIC, newest, strict=True) if good]
        return _versions(text, chips)
    return {}


def _versions(text: str, chips: list[str]) -> dict[str, int]:
    """One bisection; then what the chip itself needs is no less."""
    least = VERSIONS[_first(len(VERSIONS) - 1, lambda i: _selects(text, chips[0], VERSIONS[i]))]
    found: dict[str, int] = {}
    for chip in chips:
        guess = max(least, nvptx.CHIPS[chip])
        if not _selects(text, chip, guess):
            later = [v for v in VERSIONS if v > guess]
            guess = later[
                _first(len(later) - 1, lambda i, c=chip, v=later: _selects(text, c, v[i]))
            ]
        found[chip] = guess
    return found


def _selects(text: str, chip: str, version: int) -> bool:
    return selects([(text, chip, version)])[0]


def _first(count: int, holds: Callable[[int], bool]) -> int:
    """The first of `count` numbers for which `holds`, which then holds for all; `count` if none."""
    low, high = 0, count
    while low < high:
        middle = (low + high) // 2
        if holds(middle):
            high = middle
        else:
            low = middle + 1
    return low


HEADER = """\
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Generated by tools/generate_nvptx_needs.py from what LLVM 22.1 selects; do not edit.
# Chips that have an instruction, with the PTX version (times ten) if that is newer than what the
# chip needs by itself; in the lines below them, the names of its intrinsics without `llvm.nvvm.`.
"""


def blocks(table: dict[str, dict[str, int]]) -> Iterator[str]:
    """The text of the file, a block for intrinsics that need the same."""
    yield HEADER
    spelled = {name: _spelled(needed) for name, needed in table.items()}
    for row in sorted(set(spelled.values())):
        names = " ".join(sorted(name for name, text in spelled.items() if text == row))
        lines = textwrap.wrap(names, 100, break_long_words=False, break_on_hyphens=False)
        yield "\n".join(["", row, *lines, ""])


def _spelled(needed: dict[str, int]) -> str:
    """`70 75/63 90a` for the chips and versions that an intrinsic needs."""
    return " ".join(
        chip[3:] + (f"/{version}" if version > nvptx.CHIPS[chip] else "")
        for chip, version in needed.items()
    )


def main() -> None:
    given = [Path(a) for a in sys.argv[1:]]
    given = given or sorted((ROOT / "tests" / "filecheck" / "backend").rglob("*.mlir"))
    nvptx._initialize()
    # What is not asked about stays as it is.
    before = selected()
    table = {
        name: {f"sm_{chip}": version for chip, version in chips.items()}
        for name, chips in before.items()
    }
    missing: list[str] = []
    for name, declaration in sorted(declarations(given).items()):
        texts = [module(name, declaration, i) for i in IMMEDIATES]
        needed = needs(texts if "immarg" in declaration else texts[:1])
        if not needed:
            missing.append(name)
            continue
        known = _spelled(table[name]) if name in table else "nothing"
        table[name] = needed
        change = f" instead of {known}" if known != _spelled(needed) else ""
        print(f"{name} {_spelled(needed)}{change}", flush=True)
    TABLE.write_text("".join(blocks(table)))
    if missing:
        sys.exit(f"no chip has {', '.join(missing)}: is each called as it should be?")


if __name__ == "__main__":
    main()
