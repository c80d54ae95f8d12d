# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A manifest of behaviour: what the project prints, accepts and offers, to compare two versions.

    python tools/manifest.py make before.json.gz            # everything; minutes
    python tools/manifest.py make --only runs,ptx part.json.gz
    python tools/manifest.py compare before.json.gz after.json.gz

A move or a renaming changes nothing in it; each difference that `compare` prints is a change of
behaviour, to be listed with its reason. It has these sections, each a text by name:

    runs       what the tools print for each RUN line of `tests/filecheck`, ahead of `filecheck`
    help       help texts (all passes with their options) and versions of the command lines
    operations operations, attributes and types with the constructors that stubs give them
    names      public names of `xgpu` with their signatures
    messages   the texts of errors, warnings and notes in the sources
    ptx        the PTX of the kernels of `tests/parity`
    sanitizer  what the sanitizer says of each planted mistake, and of its twin
"""

from __future__ import annotations

import argparse
import ast
import concurrent.futures
import difflib
import gzip
import importlib.util
import inspect
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from types import ModuleType

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / part) for part in (".", "tests/support", "tests/sanitizer")]

FILECHECK = re.compile(r"\|\s*(?:not\s+)?filecheck\b.*", re.S)
TOOLS = ("xgpu-opt", "xgpu-translate", "xgpu-runner", "xgpu-reduce")
#: What no two runs have in common: durations, addresses of memory, scratch folders.
VARYING = (
    (re.compile(r"\b\d+\.\d+ (?=\(|ms\b|us\b|s\b|seconds\b)"), "<time> "),
    (re.compile(r"\(\s*\d+\.\d+%\)"), "(<share>)"),
    (re.compile(r"0x[0-9a-f]{9,12}\b"), "<address>"),
    (re.compile(r"/tmp/[\w.-]+"), "<scratch>"),
    (re.compile(re.escape(str(ROOT))), "<root>"),
)
#: Calls whose texts are messages.
SPEAKING = re.compile(r"(error|fail|warn|remark|note|refuse|emit|Error|Diagnostic)\w*$")
SHOWN = 40  # lines of a difference

Section = dict[str, str]


def plain(text: str) -> str:
    """A text without what differs from run to run."""
    for pattern, word in VARYING:
        text = pattern.sub(word, text)
    return text


def imported(name: str, path: pathlib.Path) -> ModuleType:
    """A module of the tests, by its path."""
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def in_shell(line: str) -> str:
    """The exit code, output and errors of a line of bash."""
    paths = [os.path.dirname(sys.executable), str(ROOT / "tests/filecheck/bin")]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "XGPU_TEST_PYTHON": sys.executable}
    environment["PATH"] = os.pathsep.join([*paths, environment.get("PATH", "")])
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", line], capture_output=True, text=True, errors="replace",
        env=environment, timeout=600, cwd=ROOT,
    )  # fmt: skip
    return plain(f"exit {done.returncode}\n{done.stdout}\n{done.stderr}")


# -- sections


def runs_of(path: pathlib.Path) -> Section:
    """What the tools print for the RUN lines of a file."""
    lit = imported("filecheck_conftest", ROOT / "tests/filecheck/conftest.py")
    text = path.read_text(encoding="utf-8", errors="surrogateescape")
    if lit.directive(text, "XFAIL") or {"gpu", "ptxas"} & set(lit.directive(text, "REQUIRES")):
        return {}
    found: Section = {}
    with tempfile.TemporaryDirectory(prefix="xgpu-manifest-") as folder:
        for number, line in enumerate(lit.run_lines(text), 1):
            command = lit.substitute(FILECHECK.sub("", line), path, pathlib.Path(folder) / "t")
            found[f"{path.relative_to(ROOT)}:{number}"] = plain(printed(lit, command))
    return found


def printed(lit: ModuleType, command: str) -> str:
    """What a command prints, run in this process where that does."""
    stages = lit.plain_stages(command)
    if stages is None:
        return in_shell(command)
    data, said = b"", ""
    for argv, merge in stages:
        data, errors, code = lit.run_stage(argv, data, merge)
        said += f"exit {code}\n{errors}"
    return said + data.decode(errors="replace")


def runs() -> Section:
    """What the tools print for each RUN line."""
    files = sorted(
        path for suffix in ("*.mlir", "*.ll")
        for path in (ROOT / "tests/filecheck").rglob(suffix) if "Inputs" not in path.parts
    )  # fmt: skip
    found: Section = {}
    with concurrent.futures.ProcessPoolExecutor() as pool:
        for section in pool.map(runs_of, files, chunksize=4):
            found.update(section)
    return found


def helps() -> Section:
    """Help texts and versions."""
    return {
        f"{tool} {option}": in_shell(f"{tool} {option}")
        for tool in TOOLS for option in ("--help", "--version")
    }  # fmt: skip


def operations() -> Section:
    """Classes of the dialects with their constructors, as their stubs have them."""
    from tools.generate_stubs import dialects
    from tools.stubs.dialect import stub_text

    found: Section = {}
    for dialect in dialects():
        for part in re.split(r"(?m)^(?=class )", stub_text(dialect)):
            first = part.partition("\n")[0]
            found[f"{dialect}: {first}"] = part
    return found


def names() -> Section:
    """Public names of `xgpu`, and what they have."""
    import xgpu

    found: Section = {}
    for name in xgpu.__all__:
        found[name] = "\n".join(described(name, getattr(xgpu, name)))
    return found


def described(name: str, value: object) -> Iterator[str]:
    """A public object's signature and those of its members."""
    if isinstance(value, str):
        yield value
    if callable(value):
        try:
            yield f"{name}{inspect.signature(value)}"
        except (TypeError, ValueError):
            yield name
    if not isinstance(value, type | ModuleType):
        return
    for member in sorted(vars(value)):
        if member.startswith("_") or (isinstance(value, ModuleType) and imports(value, member)):
            continue
        found = inspect.getattr_static(value, member)
        function = getattr(found, "__func__", found)
        shown = f"{inspect.signature(function)}" if inspect.isfunction(function) else ""
        yield f"{name}.{member}{shown}: {type(found).__name__}"


def imports(module: ModuleType, member: str) -> bool:
    """Whether a module has a name only because it imports it."""
    return getattr(getattr(module, member), "__module__", module.__name__) != module.__name__


def messages() -> Section:
    """Texts of errors, by themselves: a message that moves to another file is the same one."""
    found: dict[str, int] = {}
    for path in sorted((ROOT / "xgpu").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            for text in spoken(node):
                found[text] = found.get(text, 0) + 1
    return {text: str(count) for text, count in found.items()}


def spoken(node: ast.AST) -> Iterator[str]:
    """Texts that a statement or call gives to a user."""
    parts: list[ast.expr] = []
    if isinstance(node, ast.Call):
        called = node.func
        name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
        if SPEAKING.search(name):
            parts = [*node.args, *(k.value for k in node.keywords)]
    for part in parts:
        if isinstance(part, ast.Constant) and isinstance(part.value, str) and " " in part.value:
            yield part.value
        elif isinstance(part, ast.JoinedStr):
            pieces = (p.value if isinstance(p, ast.Constant) else "{}" for p in part.values)
            yield "".join(map(str, pieces))


def ptx() -> Section:
    """PTX of the kernels that are compared with mlir-opt's, at each level of optimization."""
    from xdsl.dialects.builtin import ModuleOp

    from xgpu.core.passes.pipeline_text import parse_pipeline
    from xgpu.core.syntax import context, parse_module

    cases = imported("parity_ptx", ROOT / "tests/parity/test_ptx.py")
    found: Section = {}
    for case in cases.CASES:
        name, level = getattr(case, "values", case)  # a `pytest.param` has marks beside them
        text = cases.KERNELS[name]
        named = re.search(r"// chip: (\S+) (\S+)", text)
        chip, features = (named[1], named[2]) if named else ("sm_80", "+ptx70")
        options = f"cubin-chip={chip} cubin-features={features} cubin-format=isa opt-level={level}"
        module = parse_module(text)
        assert isinstance(module, ModuleOp)
        line = f"builtin.module(gpu-lower-to-nvvm-pipeline{{{options}}})"
        parse_pipeline(line).run(module, context(), [])
        found[f"{name} -O{level}"] = str(module)
    return found


def sanitizer() -> Section:
    """What the sanitizer says of planted mistakes and of their twins."""
    from planted import Planted

    import xgpu

    found: Section = {}
    for path in sorted((ROOT / "tests/sanitizer").glob("*_cases.py")):
        module = imported(f"sanitizer_{path.stem}", path)
        planted = [c for value in vars(module).values() if isinstance(value, list | tuple)
                   for c in value if isinstance(c, Planted)]  # fmt: skip
        for case in dict.fromkeys(planted):
            for bad in (True, False):
                program = case.text(bad)
                said = xgpu.sanitize(program, filename=f"{case.name}.mlir", kinds=case.kinds)
                found[f"{case.name} {'bad' if bad else 'good'}"] = plain(said.text())
    return found


SECTIONS: dict[str, Callable[[], Section]] = {
    "runs": runs, "help": helps, "operations": operations, "names": names,
    "messages": messages, "ptx": ptx, "sanitizer": sanitizer,
}  # fmt: skip


# -- the command line


def make(path: pathlib.Path, only: list[str]) -> None:
    """Write a manifest."""
    found = {name: SECTIONS[name]() for name in only}
    with gzip.open(path, "wt", encoding="utf-8", errors="surrogateescape") as file:
        json.dump(found, file, indent=0, sort_keys=True)
    for name, section in found.items():
        print(f"{name}: {len(section)}")


def read(path: pathlib.Path) -> dict[str, Section]:
    with gzip.open(path, "rt", encoding="utf-8", errors="surrogateescape") as file:
        return json.load(file)


def compare(before: dict[str, Section], after: dict[str, Section]) -> int:
    """Print what differs; how much that is."""
    count = 0
    for section in sorted(before.keys() & after.keys()):
        old, new = before[section], after[section]
        for key in sorted(old.keys() | new.keys()):
            if old.get(key) == new.get(key):
                continue
            count += 1
            lines = difflib.unified_diff(
                old.get(key, "").splitlines(), new.get(key, "").splitlines(), lineterm="", n=1
            )
            print(f"## {section}: {key}")
            print("\n".join([*lines][2 : 2 + SHOWN]))
    for section in sorted(before.keys() ^ after.keys()):
        print(f"## {section}: only one of the two has it")
    print(f"{count} differences")
    return count


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    making = commands.add_parser("make", help="write a manifest")
    making.add_argument("--only", default=",".join(SECTIONS), help="sections, with commas between")
    making.add_argument("file", type=pathlib.Path)
    comparing = commands.add_parser("compare", help="print what differs between two")
    comparing.add_argument("before", type=pathlib.Path)
    comparing.add_argument("after", type=pathlib.Path)
    arguments = parser.parse_args()
    if arguments.command == "compare":
        return int(compare(read(arguments.before), read(arguments.after)) > 0)
    only = arguments.only.split(",")
    for name in only:
        if name not in SECTIONS:
            parser.error(f"no section {name!r}: there are {', '.join(SECTIONS)}")
    make(arguments.file, only)
    return 0


if __name__ == "__main__":
    sys.exit(main())
