# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the CHECK lines of FileCheck tests anew, from what a tool prints now.

    python tools/write_checks.py tests/filecheck/dialects/nvvm/sync.mlir
    python tools/write_checks.py --reference /usr/lib/llvm-22/bin tests/filecheck/...

The first RUN line of each prefix (`--check-prefix`) says what to run. Every line of its output
becomes a CHECK line: before the operation of the input that it comes from where both have the same
top-level operations, else at the end of the section (`// -----`), as always in files of LLVM IR
(`.ll`, with comments behind `;`). What LLVM IR has behind its functions (declarations, attributes,
metadata) is at the end of the section. With `--reference`, the
output of that folder's mlir-opt or mlir-translate is written, and each file whose RUN lines give
anything else with our tools is named with a diff. RUN lines without `filecheck` (diagnostics) are
only run through the reference.

Tests whose CHECK lines are written by hand, with patterns, are not for this script.
"""

from __future__ import annotations

import argparse
import difflib
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
RUN = re.compile(r"^\s*(?://|;)\s*RUN:\s*(.*)$")
PREFIX = re.compile(r"--check-prefix[= ](\S+)")
TEST_LIBRARY = ROOT / "tests" / "mlir_test_lib"  # MLIR's tools have it built in
SEPARATOR = "// -----"
OPENING, CLOSING = "([{", ")]}"


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--reference", type=pathlib.Path, help="folder with mlir-opt 22")
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    arguments = parser.parse_args()
    failures = 0
    for path in arguments.files:
        if not path.is_file():
            sys.exit(f"{path} is no file; name the tests to write: {path}/*.mlir")
        failures += not rewrite(path, arguments.reference)
    return 1 if failures else 0


def rewrite(path: pathlib.Path, reference: pathlib.Path | None) -> bool:
    """Writes the CHECK lines of `path`; whether the reference, if any, agrees."""
    text = path.read_text(encoding="utf-8")
    lines = [match.group(1) for match in map(RUN.match, text.splitlines()) if match]
    if not lines:
        sys.exit(f"{path}: no RUN line")
    checked = [line for line in lines if "filecheck" in line]
    if reference is not None:
        for line in lines:
            if "filecheck" not in line and not agrees(path, line, reference):
                return False
    if not checked:
        return True
    holds = True
    prefixes = {line: prefix_of(line) for line in checked}
    for prefix in dict.fromkeys(prefixes.values()):
        of_prefix = [line for line in checked if prefixes[line] == prefix]
        output = run(path, of_prefix[0], reference)
        if output is None:
            return False
        text = path.read_text(encoding="utf-8")
        comment = ";" if path.suffix == ".ll" else "//"
        path.write_text(with_checks(text, output, prefix, comment), encoding="utf-8")
        if reference is not None:
            differing = [line for line in of_prefix if not same(path, line, output)]
            holds = holds and not differing
    return holds


def prefix_of(line: str) -> str:
    """What the check lines of a RUN line begin with."""
    match = PREFIX.search(line)
    return match.group(1) if match else "CHECK"


def agrees(path: pathlib.Path, line: str, reference: pathlib.Path) -> bool:
    """Whether a RUN line without filecheck holds with the reference."""
    return run(path, line, reference) is not None


def same(path: pathlib.Path, line: str, expected: str) -> bool:
    """Whether our tools print `expected` for a RUN line; says what differs."""
    output = run(path, line, None)
    if output is None or comparable(output) == comparable(expected):
        return output is not None
    print(f"{path}: {line}")
    for row in difflib.unified_diff(
        expected.splitlines(), output.splitlines(), "reference", "xgpu", "", "", 0, ""
    ):
        print("   ", row)
    return False


def comparable(output: str) -> list[list[str]]:
    """The words of each line, without what LLVM says about predecessors: its order there is that of
    a list of uses, which no tool promises."""
    return [line.split("; preds")[0].split() for line in output.splitlines() if line.strip()]


def run(path: pathlib.Path, line: str, reference: pathlib.Path | None) -> str | None:
    """What the pipeline before filecheck prints, by our tools or the reference's."""
    command = line.partition("| filecheck")[0].replace("%s", shlex.quote(str(path)))
    command = command.replace("%S", str(path.parent))
    library = "" if reference is not None else f"--load-dialect-plugin={TEST_LIBRARY}"
    command = command.replace("--load-dialect-plugin=%mlir_test_lib", library)
    for tool in ("opt", "translate", "reduce"):
        ours = f"{shlex.quote(sys.executable)} -m xgpu.tools.xgpu_{tool}"
        theirs = str(reference / f"mlir-{tool}") if reference is not None else ours
        command = command.replace(f"xgpu-{tool}", theirs)
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command.removeprefix("not ")],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"},
        check=False,
    )
    if (done.returncode == 0) == line.startswith("not "):
        print(f"{path}: {line}\n    exit code {done.returncode}")
        print("\n".join("    " + row for row in done.stderr.splitlines()[:40]))
        return None
    return done.stdout if "2>&1" not in line else done.stdout + done.stderr


def with_checks(text: str, output: str, prefix: str, comment: str = "//") -> str:
    """`text` with the lines of `output` as its CHECK lines."""
    old = re.compile(rf"^\s*{comment}\s*{prefix}(-NEXT|-LABEL|-NOT|-DAG|-SAME|-EMPTY)?:")
    kept = [line for line in text.splitlines() if not old.match(line)]
    sections = split(kept)
    outputs = split(output.splitlines())
    if len(sections) != len(outputs):
        sys.exit(f"{len(sections)} sections, {len(outputs)} outputs")
    written: list[str] = []
    for section, printed in zip(sections, outputs, strict=True):
        if written:
            written.append(SEPARATOR if comment == "//" else f"; {SEPARATOR}")
        written += section_checks(section, printed, prefix, comment)
    return "\n".join(written).rstrip() + "\n"


def split(lines: list[str]) -> list[list[str]]:
    """The sections between `// -----` lines."""
    sections: list[list[str]] = [[]]
    for line in lines:
        if line.removeprefix("; ").startswith(SEPARATOR):
            sections.append([])
        else:
            sections[-1].append(line)
    return sections


def section_checks(
    section: list[str], printed: list[str], prefix: str, comment: str = "//"
) -> list[str]:
    """A section with its CHECK lines."""
    if comment != "//":
        printed = [line for line in printed if line.strip()]
        made = [comment + line[2:] for line in checks(printed, prefix, True)]
        return [*without_end(section), "", *made, ""]
    starts = top_level(section)
    tail: list[str] = []
    if is_llvm_ir(printed):
        groups, tail = grouped_llvm_ir(printed)
    else:
        printed = [line for line in printed if line.strip()]
        groups = grouped(printed)
    if groups is None or len(groups) != len(starts) + 1:
        return [*without_end(section), "", *checks(printed, prefix, True), ""]
    head, *rest = groups
    result: list[str] = []
    before = head
    first = True
    for number, line in enumerate(section):
        if number in starts:
            result += checks(before + rest[starts.index(number)], prefix, first)
            before, first = [], False
        result.append(line)
    if tail:
        result = [*without_end(result), "", *checks(tail, prefix, False), ""]
    return result


def without_end(lines: list[str]) -> list[str]:
    """`lines` without empty ones at the end."""
    end = len(lines)
    while end and not lines[end - 1].strip():
        end -= 1
    return lines[:end]


def is_llvm_ir(printed: list[str]) -> bool:
    """Whether a tool printed a module of LLVM IR."""
    return any(line.startswith("; ModuleID") for line in printed)


def grouped_llvm_ir(printed: list[str]) -> tuple[list[list[str]], list[str]]:
    """What is before the globals and functions, each of those, and what is behind them: what the
    translation declares, attributes and metadata."""
    groups: list[list[str]] = [[]]
    for number, line in enumerate(printed):
        if line.startswith(("attributes #", "!")) or re.match(r"declare .*@llvm\.", line):
            tail = printed[number:]
            # The empty line before it, and what a comment says about its attributes.
            while groups[-1] and (groups[-1][-1] or " ").startswith(("; Function Attrs", " ")):
                tail.insert(0, groups[-1].pop())
            return groups, tail
        if line.startswith(("define ", "declare ", "@")):
            groups.append([])
        groups[-1].append(line)
    return groups, []


def top_level(section: list[str]) -> list[int]:
    """The numbers of the lines on which operations outside of all brackets begin."""
    starts: list[int] = []
    depth = 0
    for number, line in enumerate(section):
        code = re.sub(r'"(\\.|[^"\\])*"', '""', line).partition("//")[0].replace("->", "")
        begins = code[:1].strip() and code[0] not in "}#!" + CLOSING
        if depth == 0 and begins:
            starts.append(number)
        depth += sum(code.count(c) for c in OPENING) - sum(code.count(c) for c in CLOSING)
    return starts


def grouped(printed: list[str]) -> list[list[str]] | None:
    """The lines before and with `module`, then those of each operation in it."""
    groups: list[list[str]] = [[]]
    for number, line in enumerate(printed):
        if line.startswith(("module", "builtin.module")) and number + 1 < len(printed):
            groups[0].append(line)
        elif line.startswith(("#", "!")) or (line == "}" and number == len(printed) - 1):
            groups[-1].append(line)
        elif line.startswith("  ") and line[2] not in " }":
            groups.append([line])
        elif line.startswith("  "):
            groups[-1].append(line)
        else:
            return None
    return groups


def checks(lines: list[str], prefix: str, first: bool) -> list[str]:
    """`lines` as CHECK lines."""
    made: list[str] = []
    for line in lines:
        text = line.rstrip()
        if not text:
            made.append(f"// {prefix}-EMPTY:")
            continue
        plain = text.replace("[[", r"{{\[\[}}") if "{{" not in text else escaped(text)
        made.append(f"// {prefix}{'' if first and not made else '-NEXT'}: {plain}")
    return made


def escaped(line: str) -> str:
    """A line with two braces in a row, as one pattern."""
    return "{{" + re.sub(r"\}(?=\})", "[}]", re.escape(line)) + "}}"


if __name__ == "__main__":
    sys.exit(main())
