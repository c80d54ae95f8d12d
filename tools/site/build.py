# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds the documentation site: `python tools/site/build.py build/site`, with the extra `dev`.

The pages are the repository's documents as they are. Added are: what a pass makes of its example
(`tests/filecheck/examples`), the operations of each dialect with their syntax, and a gallery of the
programs in `examples/` with what they print, their token graphs and an explorer page. A broken link
is an error.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tools.site.operation_examples import examples  # noqa: E402

EXAMPLES = ROOT / "tests/filecheck/examples"
TABLES = ROOT / "xgpu/core/ods/tables"
PAGES = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "benchmarks/README.md")
#: The folders of `docs/`, in the order of need.
PARTS = {
    "Tutorials": "tutorial",
    "How to": "howto",
    "Concepts": "concepts",
    "Reference": "reference",
    "Internals": "internals",
}
#: Programs of the gallery, with how each is run.
PROGRAMS = {
    "two_matmuls.mlir": ["--report"],
    "vector_add.mlir": [],
    "reduce.mlir": [],
    "pipelines.mlir": ["--report"],
    "circular_buffer.mlir": [],
    "attention/softmax.mlir": [],
}
#: Of these there is a page that shows the IR after each pass.
EXPLORED = ("two_matmuls.mlir", "circular_buffer.mlir")
_RUN = re.compile(r"^// RUN: (?P<command>.*?) \| filecheck .*$", re.MULTILINE)
_REMARK = re.compile(r"(?<=: )remark: .*")
_TITLES = {"attrs": "attributes"}
_LINK = re.compile(r", \[example\]\([^)]*\)")
_CHECK = re.compile(r"^\s*//\s*CHECK.*\n", re.MULTILINE)


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("out", type=Path, help="folder of the site")
    parser.add_argument("--sources", type=Path, help="keep what Sphinx reads in this folder")
    arguments = parser.parse_args()
    return build(arguments.out, examples(), arguments.sources)


def build(out: Path, operations: Mapping[str, str], kept: Path | None = None) -> int:
    """Builds the site with a program for each of some operations; the exit code of Sphinx, which
    says what is wrong. What it reads is `kept` where a folder is given."""
    with tempfile.TemporaryDirectory(prefix="xgpu-site-") as scratch:
        sources = kept or Path(scratch) / "sources"
        write_sources(sources, operations)
        command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html"]
        settings = ["-c", str(Path(__file__).parent), "-D", f"html_extra_path={sources / 'extra'}"]
        return subprocess.run([*command, *settings, str(sources), str(out)]).returncode


def write_sources(folder: Path, operations: Mapping[str, str]) -> None:
    """All that Sphinx reads, in `folder`."""
    shutil.copytree(ROOT / "docs", folder / "docs", dirs_exist_ok=True)
    shutil.copytree(ROOT / "examples", folder / "examples", dirs_exist_ok=True)
    for page in (*PAGES, "LICENSE"):
        (folder / page).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / page, folder / page)
    (folder / "docs/gallery.md").write_text(gallery(folder), encoding="utf-8")
    passes = folder / "docs/reference/passes.md"
    passes.write_text(with_examples(passes.read_text(encoding="utf-8")), encoding="utf-8")
    dialects = folder / "docs/reference/dialects"
    dialects.mkdir(exist_ok=True)
    for name, text in dialect_pages(operations):
        (dialects / f"{name}.md").write_text(text, encoding="utf-8")
    for path in folder.rglob("*.md"):
        path.write_text(with_links(path, folder), encoding="utf-8")
    index = (folder / "README.md").rename(folder / "index.md")
    index.write_text(index.read_text(encoding="utf-8") + contents(folder), encoding="utf-8")
    listed = folder / "docs/reference/dialects.md"
    names = "\n".join(f"dialects/{path.stem}" for path in sorted(dialects.glob("*.md")))
    listed.write_text(listed.read_text(encoding="utf-8") + toctree("", names), encoding="utf-8")


# -- what is added


def example(name: str) -> tuple[str, str, str, str, str] | None:
    """Of a pass's example: what it shows, its command, the text before and after, its remarks."""
    path = EXAMPLES / f"{name.replace('-', '_')}.mlir"
    if not path.exists():
        return None
    text = path.read_text(encoding="utf-8")
    shows = text.partition("\n")[0].removeprefix("// ")
    found = _RUN.search(text)
    if found is None:
        raise SystemExit(f"{path}: no RUN line")
    command = found["command"].replace("%s", "before.mlir")
    before = _CHECK.sub("", text[found.end() :]).strip()
    after, remarks = output_of(found["command"].replace("%s", str(path)))
    # Without the places: lines of the test, which the page shows without its checks.
    return shows, command, before, after, "\n".join(_REMARK.findall(remarks))


def output_of(command: str) -> tuple[str, str]:
    """What a command of xgpu-opt prints: its output, and its diagnostics."""
    import shlex

    from xgpu.tools.xgpu_opt import main as opt

    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    said = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(said):
        code = opt(shlex.split(command)[1:])
    if code:
        raise SystemExit(f"{command}: exit code {code}\n{said.getvalue()}")
    out.flush()
    return out.buffer.getvalue().decode().strip(), said.getvalue().strip()


def with_examples(page: str) -> str:
    """The page of passes, with what each makes of its example."""
    from xgpu.core.passes.registry import PASSES

    parts: list[str] = []
    for part in re.split(r"(?m)^(?=###? )", page):
        name = part.partition("\n")[0].removeprefix("### ")
        found = example(name) if part.startswith("### ") and name in PASSES else None
        parts.append(_LINK.sub("", part))
        if found is not None:
            shows, command, before, after, remarks = found
            parts.append(
                f"{shows}\n\n```console\n$ {command}\n```\n\n```mlir\n{before}\n```\n\n"
                f"becomes\n\n```mlir\n{shortened(after)}\n```\n\n"
            )
            if remarks:
                parts.append(f"with\n\n```text\n{shortened(remarks)}\n```\n\n")
    return "".join(parts)


def shortened(text: str, lines: int = 60) -> str:
    """At most so many lines of a text, and columns."""
    shown = [line if len(line) <= 160 else line[:160] + " ..." for line in text.splitlines()]
    more = len(shown) - lines
    return "\n".join(shown[:lines] + ([f"// ... {more} more lines"] if more > 0 else []))


def dialect_pages(operations: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """A page for each dialect: its operations with syntax, operands, results and an example."""
    from xgpu.core.ods.table_files import file_dialects

    for name in sorted(file_dialects()):
        files = [TABLES / f"{name}.txt", TABLES / f"{name}.own.txt"]
        texts = [path.read_text(encoding="utf-8") for path in files if path.exists()]
        yield name, dialect_page(name, "\n\n".join(texts), operations)


def dialect_page(name: str, table: str, used: Mapping[str, str]) -> str:
    """The page of a dialect; `used` has a program with each operation."""
    lines = [f"# The dialect {name}", ""]
    for part in table.split("\n\n"):
        head, *rows = part.strip().splitlines()
        if not head.startswith(f"{name}.") or " " in head:
            continue
        lines += [f"## {head}", ""]
        fields = dict(row.partition(" ")[::2] for row in rows)
        shown = [key for key in ("operands", "attrs", "results") if key in fields]
        lines += [f"* {_TITLES.get(key, key)}: `{fields[key]}`" for key in shown]
        if "format" in fields:
            lines += ["", f"```text\n{head} {fields['format']}\n```"]
        if head in used:
            lines += ["", f"```mlir\n{used[head]}\n```"]
        lines.append("")
    return "\n".join(lines)


def gallery(folder: Path) -> str:
    """The page of programs; pictures and explorer pages go beside it."""
    says = "Programs of `examples/`: their tokens, what ran when, what they print."
    lines = ["# Gallery", "", says, ""]
    extra = folder / "extra"
    extra.mkdir(parents=True, exist_ok=True)
    for name, options in PROGRAMS.items():
        path = ROOT / "examples" / name
        stem = path.stem
        text = path.read_text(encoding="utf-8")
        lines += [f"## {stem}", ""]
        if name in EXPLORED:
            page = extra / f"{stem}.html"
            run_tool("runner", f"examples/{name}", f"--explore={page}")
            what = "The IR after each pass, and what ran when"
            lines += [f'<a href="../{page.name}">{what}</a>.', ""]
        picture = token_graph(text)
        if picture:
            (folder / f"docs/images/tokens_{stem}.svg").write_text(picture, encoding="utf-8")
            lines += [f"![the tokens of {stem}](images/tokens_{stem}.svg)", ""]
        shown = " ".join(["xgpu-runner", f"examples/{name}", *options])
        timeline = folder / f"docs/images/timeline_{stem}.svg"
        arguments = [f"examples/{name}", *options, f"--timeline={timeline}"]
        printed = run_tool("runner", *arguments).rstrip()
        lines += [f"![what ran when in {stem}](images/{timeline.name})", ""]
        lines += [f"```console\n$ {shown}\n{printed}\n```", ""]
        lines += [f"```mlir\n{text.strip()}\n```", ""]
    return "\n".join(lines)


def token_graph(text: str) -> str:
    """The token graphs of a program as SVG; empty without any."""
    from xgpu.conversion.async_tokens.graph import build
    from xgpu.conversion.async_tokens.text import to_svg
    from xgpu.driver.program import Program

    return to_svg(build(Program(text, "example.mlir").parse()))


def run_tool(name: str, *arguments: str) -> str:
    """What a tool prints, as a terminal shows it. Ends the build where it fails."""
    command = [sys.executable, "-m", f"xgpu.tools.xgpu_{name}", *arguments]
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=ROOT
    )
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}: {done.stdout}")
    return done.stdout


# -- how pages are found


def contents(folder: Path) -> str:
    """The tables of contents of all pages, below the first one."""
    found = toctree("", "docs/README\ndocs/faq\ndocs/gallery")
    for title, part in PARTS.items():
        names = sorted(page.stem for page in (folder / "docs" / part).glob("*.md"))
        names.sort(key=lambda name: name != "README")
        found += toctree(title, "\n".join(f"docs/{part}/{name}" for name in names))
    return found + toctree("Project", "\n".join(page.removesuffix(".md") for page in PAGES[1:]))


def toctree(title: str, pages: str) -> str:
    """Pages for the navigation."""
    caption = f":caption: {title}\n" if title else ""
    return f"\n\n```{{toctree}}\n:hidden:\n{caption}\n{pages}\n```\n"


def with_links(path: Path, folder: Path) -> str:
    """A page whose links fit the site: the first page is its index, and folders are shown in the
    gallery."""
    up = "/".join([".."] * (len(path.relative_to(folder).parts) - 1)) or "."

    def changed(found: re.Match[str]) -> str:
        target, mark, anchor = found[1].partition("#")
        there = (path.parent / target).resolve()
        if there.is_dir():
            return f"]({up}/docs/gallery.md)"
        if there == (folder / "README.md").resolve():
            return f"]({up}/index.md{mark}{anchor})"
        return found[0]

    return re.sub(r"\]\(([^):\s]+)\)", changed, path.read_text(encoding="utf-8"))


if __name__ == "__main__":
    sys.exit(main())
