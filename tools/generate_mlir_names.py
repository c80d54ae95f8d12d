# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What MLIR has: names in xgpu/core/ir/mlir_names.txt, passes in tools/mlir_passes.json.

    python tools/generate_mlir_names.py           write both
    python tools/generate_mlir_names.py --check   exit code 1 where they are out of date

The source is `--help` of MLIR's tools in $LLVM_PREFIX/bin (/usr/lib/llvm-22 by default). Exit code
2 where they are not there. `tools/generate_docs.py` compares the passes with xgpu's.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
NAMES = ROOT / "xgpu" / "core" / "ir" / "mlir_names.txt"
PASSES = ROOT / "tools" / "mlir_passes.json"
TOOLS = ("mlir-opt", "mlir-translate", "mlir-runner", "mlir-reduce")

_OPTION = re.compile(r"^ {2,6}--?([\w-]+)")
#: One behind the passes, whose options are further to the right.
_TOP = re.compile(r"^  --?([\w-]+)")
_PASS = re.compile(r"^      --([\w-]+)(?:=<[^>]*>)?\s+-\s+(.*)$")
#: How MLIR's own options begin; the others are LLVM's, of its code generators.
_OWN_OPTIONS = (
    "elide-resource", "emit-bytecode", "irdl", "log-", "mlir-", "profile-actions", "run-reproducer",
)  # fmt: skip
_PASS_OPTION = re.compile(r"^        --?([\w-]+)")


class Help:
    """What a tool's `--help` says: general options, passes and pipelines with their options."""

    def __init__(self, text: str) -> None:
        self.options: set[str] = {
            "debug-only", "help-hidden", "help-list-hidden", "mlir-print-assume-verified",
            "mlir-print-op-generic", "print-options",
        }  # fmt: skip
        self.passes: dict[str, str] = {}
        self.pipelines: dict[str, str] = {}
        self.pass_options: dict[str, list[str]] = {}
        table: dict[str, str] | None = None
        last = ""
        for line in text.splitlines():
            if line.strip() in ("Passes:", "Pass Pipelines:"):
                table = self.passes if line.strip() == "Passes:" else self.pipelines
            elif (found := _PASS.match(line)) is not None and table is not None:
                last = found[1]
                table[last] = found[2].strip()
                self.pass_options[last] = []
            elif (found := _PASS_OPTION.match(line)) is not None and table is not None:
                self.pass_options[last].append(found[1])
            elif (found := (_TOP if table else _OPTION).match(line)) is not None:
                self.options.add(found[1])


def said(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def wrapped(names: list[str]) -> str:
    names = [name for name in names if not name.startswith("test")]
    return textwrap.fill(" ".join(names), 98, break_long_words=False, break_on_hyphens=False)


def names_text(helps: dict[str, Help], dialects: list[str], version: str) -> str:
    """The file of names: a heading for each kind, and names between spaces."""
    opt = helps["mlir-opt"]
    sections = {
        "passes": sorted(opt.passes),
        "pipelines": sorted(opt.pipelines),
        "dialects": sorted(dialects),
    }
    for tool, found in helps.items():
        own = found.options - (opt.options if tool != "mlir-opt" else set())
        sections[f"options of {tool}"] = sorted(own)
    parts = [
        f"# What MLIR {version} has, by name; written by tools/generate_mlir_names.py.",
        "# Passes of mlir-opt but those that serve MLIR's own tests; options that are no passes,",
        "# of the other tools those that mlir-opt lacks.",
    ]
    for title, names in sections.items():
        parts += ["", f"[{title}]", wrapped(names)]
    return "\n".join([*parts, ""])


def passes_text(helps: dict[str, Help], version: str) -> str:
    """Passes and pipelines of mlir-opt with their options and summaries, as JSON."""
    opt = helps["mlir-opt"]

    def listed(table: dict[str, str]) -> dict[str, dict[str, object]]:
        return {
            name: {"summary": summary, "options": opt.pass_options[name]}
            for name, summary in sorted(table.items())
            if not name.startswith("test-")
        }

    facts = {
        "version": version,
        "passes": listed(opt.passes),
        "pipelines": listed(opt.pipelines),
        "reductions": sorted(helps["mlir-reduce"].passes.keys() - opt.passes.keys()),
        "options": [o for o in sorted(opt.options) if o.startswith(_OWN_OPTIONS)],
    }
    return json.dumps(facts, indent=1) + "\n"


def main() -> int:
    prefix = Path(os.environ.get("LLVM_PREFIX", "/usr/lib/llvm-22"))
    lacks = [tool for tool in TOOLS if not (prefix / "bin" / tool).exists()]
    if lacks:
        print(f"generate_mlir_names: {prefix}/bin lacks {', '.join(lacks)}", file=sys.stderr)
        return 2
    helps = {tool: Help(said(str(prefix / "bin" / tool), "--help")) for tool in TOOLS}
    opt = str(prefix / "bin" / "mlir-opt")
    dialects = said(opt, "--show-dialects").partition(":")[2].strip().split(",")
    found = re.search(r"version (\d+\.\d+)", said(opt, "--version"))
    version = found[1] if found else "?"
    texts = {
        NAMES: names_text(helps, dialects, version),
        PASSES: passes_text(helps, version),
    }
    changed = [p for p, text in texts.items() if not p.exists() or p.read_text() != text]
    if "--check" in sys.argv:
        for path in changed:
            print(f"{path.relative_to(ROOT)} is out of date", file=sys.stderr)
        return 1 if changed else 0
    for path in changed:
        path.write_text(texts[path])
    return 0


if __name__ == "__main__":
    sys.exit(main())
