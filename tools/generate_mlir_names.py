# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The names of what MLIR has: xgpu/core/ir/mlir_names.txt, and docs/passes.md, which says what
xgpu has.

    python tools/generate_mlir_names.py           write both
    python tools/generate_mlir_names.py --check   exit code 1 where they are out of date

The source is `--help` of MLIR's tools in $LLVM_PREFIX/bin (/usr/lib/llvm-22 by default). Exit code
2 where they are not there. What xgpu has is asked of its registry.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
NAMES = ROOT / "xgpu" / "ir" / "mlir_names.txt"
PAGE = ROOT / "docs" / "passes.md"
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
        self.options: set[str] = {"debug-only", "help-hidden", "help-list-hidden", "print-options"}
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


def page_text(helps: dict[str, Help], version: str) -> str:
    """The page of passes."""
    opt = helps["mlir-opt"]
    from xgpu.core.passes.registry import PASSES, PIPELINES, pass_class, pipeline_class

    theirs = {n: s for n, s in opt.passes.items() if not n.startswith("test-")}
    both = [name for name in theirs if name in PASSES]
    lines = [
        "# Passes: MLIR's and xgpu's",
        "",
        "<!-- Made by tools/generate_mlir_names.py; a test compares it with the registry. -->",
        "",
        f"MLIR {version} has {len(theirs)} passes that are not tests of its own, and xgpu has",
        f"{len(both)} of them, with MLIR's names and options. `xgpu-opt` names one that xgpu lacks",
        "as such, in a pipeline and as an option. `xgpu-opt --help` shows the options of each.",
        "",
        "## MLIR's passes",
        "",
        "| pass | xgpu | what it does |",
        "|---|---|---|",
    ]
    for name, summary in sorted(theirs.items()):
        has = "yes" if name in PASSES else "no"
        if name in PASSES:
            known = {o.name for o in pass_class(name).options}
            lacks = [o for o in opt.pass_options[name] if o not in known]
            has += f", without {', '.join(f'`{o}`' for o in lacks)}" if lacks else ""
        lines.append(f"| `{name}` | {has} | {cell(summary)} |")
    lines += ["", "## MLIR's pipelines", "", "| pipeline | xgpu | what it does |", "|---|---|---|"]
    for name, summary in sorted(opt.pipelines.items()):
        if not name.startswith("test-"):
            has = "yes" if name in PIPELINES else "no"
            lines.append(f"| `{name}` | {has} | {cell(summary)} |")
    lines += [
        "",
        "## Passes and pipelines that only xgpu has",
        "",
        "| name | what it does |",
        "|---|---|",
    ]
    reductions = helps["mlir-reduce"].passes
    own = {n: pass_class(n).summary for n in PASSES if n not in {*opt.passes, *reductions}}
    own |= {n: pipeline_class(n).summary for n in PIPELINES if n not in opt.pipelines}
    lines += [f"| `{name}` | {cell(summary)} |" for name, summary in sorted(own.items())]
    lacked = [o for o in sorted(opt.options) if o.startswith(_OWN_OPTIONS)]
    from xgpu.tools.command_line import FLAGS

    lines += [
        "",
        "## Options of mlir-opt that xgpu-opt does not have",
        "",
        "Of those that are MLIR's own, not LLVM's code generators':",
        "",
        ", ".join(f"`--{name}`" for name in lacked if name not in FLAGS) + ".",
    ]
    return "\n".join(lines) + "\n"


def cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")


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
        PAGE: page_text(helps, version),
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
