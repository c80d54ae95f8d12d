# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bytecode against mlir-opt 22: the same bytes, and each reads what the other writes.

mlir-opt's reader of text gives some operations inside of others no locations where ours does, and
verifying a linalg operation adds an attribute to it. Such modules are compared without locations,
and their bytes are not. MLIR's `test` dialect, which writes a version of itself, stands aside.
"""

from __future__ import annotations

import contextlib
import os
import pathlib
import random
import re
import subprocess
from collections.abc import Iterator

import pytest
from some_cases import each

from tests.support import processes
from tests.unit.core.bytecode.test_bytecode import MODULE
from xgpu.core.bytecode import read_bytecode, write_bytecode
from xgpu.core.bytecode.encoding import NATIVE_PROPERTIES
from xgpu.core.bytecode.properties import is_known_to_mlir, layout_of
from xgpu.core.ir.errors import DiagnosticError
from xgpu.core.ods.registry import dialect_names, operation_names
from xgpu.core.ods.table_files import mlir_dialects
from xgpu.core.syntax import parse_module, print_module

pytestmark = pytest.mark.parity

TESTS = pathlib.Path(__file__).parents[1]
FILES = sorted((TESTS / "filecheck" / "dialects").rglob("*.mlir"))[::9]
_FOREIGN = [folder for folder in (os.environ.get("XGPU_MLIR_TESTS"),) if folder]
TABLES = TESTS.parent / "xgpu" / "core" / "ods" / "tables"
GENERIC = ("--mlir-print-op-generic", "--mlir-print-debuginfo")


def run(tool: str, data: bytes, *options: str) -> subprocess.CompletedProcess[bytes]:
    return processes.run(
        [tool, "--allow-unregistered-dialect", *options], input=data, capture_output=True
    )


@pytest.mark.parametrize("version", each(range(6, -1, -1), 3))
def test_every_version_is_the_same(version: int, mlir_opt: str) -> None:
    options = ("--emit-bytecode", f"--emit-bytecode-version={version}")
    theirs = run(mlir_opt, MODULE.encode(), *options).stdout
    module = parse_module(MODULE, "<stdin>", allow_unregistered=True)
    producer = theirs[5 : theirs.index(b"\0")].decode()
    assert write_bytecode(module, version=version, producer=producer) == theirs
    found = read_bytecode(theirs, "<stdin>", allow_unregistered=True)
    generic = print_module(found, generic=True, debuginfo=True)
    assert run(mlir_opt, theirs, *GENERIC).stdout.decode().rstrip() == generic.rstrip()
    if version >= NATIVE_PROPERTIES:  # in others flags that are no attributes are lost
        assert generic == print_module(module, generic=True, debuginfo=True)


@pytest.mark.parametrize("file", each(FILES, len(FILES)), ids=lambda path: path.stem)
def test_files_are_the_same(file: pathlib.Path, mlir_opt: str) -> None:
    for text in file.read_text().split("// -----"):
        if re.search(r"[\"!#]test[._]", text):
            continue
        try:
            module = parse_module(text, "<stdin>", allow_unregistered=True)
        except DiagnosticError:
            continue
        theirs = run(mlir_opt, text.encode(), "--emit-bytecode")
        if theirs.returncode:
            continue
        producer = theirs.stdout[5 : theirs.stdout.index(b"\0")].decode()
        ours = write_bytecode(module, producer=producer)
        found = read_bytecode(theirs.stdout, "<stdin>", allow_unregistered=True)
        assert write_bytecode(found, producer=producer) == theirs.stdout
        printed = print_module(module, generic=True, debuginfo=True)
        if run(mlir_opt, text.encode(), *GENERIC).stdout.decode().rstrip() == printed.rstrip():
            assert ours == theirs.stdout
            assert print_module(found, generic=True, debuginfo=True) == printed
        else:
            assert print_module(found) == print_module(module)
            assert run(mlir_opt, ours).stdout == run(mlir_opt, theirs.stdout).stdout


@pytest.mark.exhaustive
def test_all_files_are_read_by_the_other(mlir_opt: str) -> None:
    """Each program of the project's, and of the folder XGPU_MLIR_TESTS, that both read from text;
    damaged files end with a diagnostic."""
    roots = [TESTS, TESTS.parent / "examples", *map(pathlib.Path, _FOREIGN)]
    files = [file for root in roots for file in sorted(root.rglob("*.mlir"))]
    chunks = [text for file in files for text in file.read_text().split("// -----")]
    count = 0
    for text in chunks:
        theirs = run(mlir_opt, text.encode(), "--emit-bytecode").stdout
        if not theirs or re.search(r"[\"!#]test[._]", text):
            continue
        try:
            module = parse_module(text, "<stdin>", allow_unregistered=True)
        except DiagnosticError:
            continue
        producer = theirs[5 : theirs.index(b"\0")].decode()
        ours = write_bytecode(module, producer=producer)
        generic = run(mlir_opt, theirs, GENERIC[0]).stdout
        if ours != theirs and (read := run(mlir_opt, ours, GENERIC[0]).stdout) != generic:
            # Infinite parts of a `#complex.number` are lost in MLIR's own file.
            assert read == run(mlir_opt, text.encode(), GENERIC[0]).stdout, text
        found = read_bytecode(theirs, "<stdin>", allow_unregistered=True)
        # MLIR's text of a wide number loses bits (docs/reference/deviations.md), its bytecode none.
        if write_bytecode(found, producer=producer) != theirs:
            expected = parse_module(generic.decode(), "<stdin>", allow_unregistered=True)
            assert print_module(found, generic=True) == print_module(expected, generic=True), text
        for damaged in _damaged(ours, random.Random(count)):
            with contextlib.suppress(DiagnosticError):
                read_bytecode(damaged, "<stdin>", allow_unregistered=True)
        count += 1
    assert count > 900


def _damaged(data: bytes, chance: random.Random) -> Iterator[bytes]:
    """The file cut off twice, and twice with a bit that is another."""
    for _ in range(2):
        yield data[: chance.randrange(len(data))]
        changed = bytearray(data)
        changed[chance.randrange(4, len(data))] ^= 1 << chance.randrange(8)
        yield bytes(changed)


@pytest.mark.long
def test_properties_are_those_of_mlirs_generated_code(mlir_opt: str) -> None:
    """What `writeProperties` of each operation does, in MLIR's installed headers."""
    include = pathlib.Path(mlir_opt).parents[1] / "include" / "mlir"
    theirs: dict[str, str] = {}
    for file in include.rglob("*.cpp.inc"):
        header = file.with_suffix("").with_suffix(".h.inc")
        text = file.read_text(errors="replace")
        if "::writeProperties" not in text or not header.exists():
            continue
        names = dict(_NAME.findall(header.read_text(errors="replace")))
        for cls, body in _WRITER.findall(text):
            if cls in names:
                theirs[names[cls]] = body
    if not theirs:
        pytest.skip("MLIR's headers are not installed")
    for name in (name for dialect in dialect_names() for name in operation_names(dialect)):
        if is_known_to_mlir(name):
            assert _layout(name) == _parts(theirs.get(name, "")), name


def test_marked_operations_are_those_that_mlir_has_not(mlir_opt: str) -> None:
    """`NotInMLIR22` in the tables by hand of MLIR's dialects. Without operands and results mlir-opt
    takes no operation that it has: it says what is wrong, or crashes."""
    names = [
        name
        for dialect in sorted(mlir_dialects())
        if (own := TABLES / f"{dialect}.own.txt").exists()
        for name in re.findall(rf"^{dialect}\.[\w.]+$", own.read_text(), re.MULTILINE)
    ]
    unknown = [
        name
        for name in names
        if b"unregistered operation" in run(mlir_opt, f'"{name}"() : () -> ()'.encode()).stderr
    ]
    assert unknown == [name for name in names if not is_known_to_mlir(name)]
    assert unknown


_NAME = re.compile(
    r"class (\w+) : public ::mlir::Op<.*?"
    r"getOperationName\(\) \{\s*return ::llvm::StringLiteral\(\"([^\"]+)\"\)",
    re.DOTALL,
)
_WRITER = re.compile(r"\nvoid (\w+)::writeProperties\(.*?\) \{\n(.*?)\n\}\n\n(?=\S)", re.DOTALL)
_PART = re.compile(
    r"write(Optional)?Attribute\(prop\.(\w+)\)|auto &propStorage = prop\.(\w+);"
    r"(?=\s*writer\.write(OwnedBool|VarInt)|\s*if \(writer\.getBytecodeVersion\(\) >=)"
)


def _parts(body: str) -> list[tuple[str, str]]:
    """Kind and name of each property, as MLIR's code writes them in version 6."""
    body = re.sub(r"if \([^)]*\(\) < [^{]*\{[^}]*\}", "", body)
    found: list[tuple[str, str]] = []
    for optional, attribute, native, kind in _PART.findall(body):
        if attribute:
            found.append(("optional" if optional else "required", attribute))
        else:
            found.append((kind or "segments", native))
    return found


def _layout(name: str) -> list[tuple[str, str]]:
    layout = layout_of(name)
    if layout is None:
        return []
    return [
        *(("required" if needed else "optional", field) for field, needed in layout.attributes),
        *(("OwnedBool" if flag else "VarInt", field) for field, flag in layout.natives),
        *(("segments", field) for field in layout.segments),
    ]
