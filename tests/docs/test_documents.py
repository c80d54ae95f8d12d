# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What documents name exists: files, names, links, options, variables; and they are short."""

from __future__ import annotations

import importlib
import re
import sys
from functools import cache
from pathlib import Path

import llvmlite.binding
import pytest
from documents import (
    DOCUMENTS,
    GENERATED,
    LANGUAGES,
    ROOT,
    UNUSUAL_IN_DOCUMENTS,
    anchors,
    blocks,
    code_spans,
    name_of,
    sentences,
    unusual_words,
    without_blocks,
    words,
    words_of_sources,
)

from tests.support import processes
from xgpu.core.ods import op_spec
from xgpu.host_device.compiler.rules.lowering import intrinsic_rule

WRITTEN = [path for path in DOCUMENTS if path not in GENERATED]

every_document = pytest.mark.parametrize("path", DOCUMENTS, ids=name_of)
every_written = pytest.mark.parametrize("path", WRITTEN, ids=name_of)

#: Folders at the root: a path in backticks begins with one of them.
_FOLDERS = ("xgpu", "tests", "tools", "docs", "examples", "benchmarks", "typings", ".ci", ".github")
_PATH = re.compile(r"(?:{})/[\w./*<>-]*".format("|".join(map(re.escape, _FOLDERS))))
#: Files of users and of other projects.
_ABROAD = {"myplugin.py"}
#: Files that a run makes.
_MADE = re.compile(r"benchmarks/results/")


def is_there(path: str) -> bool:
    """Whether a file or folder exists; `<d>`, NAME and `*` stand for any name."""
    pattern = re.sub(r"<\w+>|\bNAME\b", "*", path.rstrip("/."))
    return bool(_MADE.search(path)) or any(True for _ in ROOT.glob(pattern))


@every_document
def test_paths_exist(path: Path) -> None:
    text = path.read_text()
    commands = [body for language, body in blocks(text) if language in ("console", "sh")]
    named = [
        found
        for span in [*code_spans(text), *commands]
        for found in re.findall(rf"(?:(?<=^)|(?<=[\s'\"=(])){_PATH.pattern}", span)
    ]
    assert [name for name in named if not is_there(name)] == []


@cache
def names_of_files() -> frozenset[str]:
    return frozenset(
        found.name
        for folder in _FOLDERS
        for found in (ROOT / folder).rglob("*.*")
        if found.suffix in (".py", ".toml")
    ) | {found.name for found in ROOT.glob("*.*")}


@every_document
def test_names_of_files_exist(path: Path) -> None:
    """A file without its folder, as `instructions.py`, is one of the project."""
    names = {
        span for span in code_spans(path.read_text()) if re.fullmatch(r"\w+\.(?:py|toml)", span)
    }
    assert sorted(names - names_of_files() - _ABROAD) == []


#: Attributes of IR that begin like the package.
_ATTRIBUTES = {"xgpu.own", "xgpu.circular_buffer"}


def resolve(name: str) -> object:
    """The object of a dotted name. Raises AttributeError where there is none."""
    parts = name.split(".")
    found: object = importlib.import_module(parts[0])
    for index, part in enumerate(parts[1:], 2):
        if isinstance(found, type) and part in getattr(found, "__slots__", ()):
            return None
        if not hasattr(found, part):
            try:
                importlib.import_module(".".join(parts[:index]))
            except ImportError:
                raise AttributeError(name) from None
        found = getattr(found, part)
    return found


@every_document
def test_names_of_the_package_exist(path: Path) -> None:
    names = {
        found[0]
        for span in code_spans(path.read_text())
        if (found := re.match(r"xgpu(?:\.\w+)+", span)) is not None
        and not span.endswith((".py", ".md", ".txt"))
    }
    missing = []
    for name in sorted(names - _ATTRIBUTES):
        if op_spec(name) is not None:  # of a dialect that has the package's name
            continue
        try:
            resolve(name)
        except AttributeError:
            missing.append(name)
    assert missing == []


_IN_FILE = re.compile(r"`(xgpu/[\w/]+)\.py`,? `([\w.]+)`")


@every_document
def test_names_behind_a_file_are_in_it(path: Path) -> None:
    """`xgpu/x.py` `Name.method`: a class, a function, a method, or a slot."""
    missing = []
    for file, name in _IN_FILE.findall(path.read_text()):
        try:
            resolve(f"{file.replace('/', '.')}.{name}")
        except AttributeError:
            missing.append(f"{file}.py {name}")
    assert missing == []


#: Names of other libraries, and of MLIR's tests.
_FOREIGN = {"gemm_pred", "get_ranked_memref_descriptor", "ompi_mpi_sum", "timing_begin"}


@cache
def words_of_tests() -> set[str]:
    return {
        word
        for suffix in ("py", "mlir")
        for path in (ROOT / "tests").rglob(f"*.{suffix}")
        if path != Path(__file__)
        for word in re.findall(r"\w+", path.read_text())
    }


@every_document
def test_names_exist(path: Path) -> None:
    """What has the form of a function's or a module's name is one, or one of the page's blocks."""
    text = path.read_text()
    shown = {word for _, body in blocks(text) for word in re.findall(r"\w+", body)}
    named = {
        word
        for span in code_spans(text)
        for word in re.findall(r"(?<![\w./-])[a-z]\w*_\w+(?![\w./-])", span)
    }
    assert sorted(named - shown - _FOREIGN - words_of_sources() - words_of_tests()) == []


@pytest.mark.parametrize("path", [*DOCUMENTS, ROOT / "CHANGELOG.md"], ids=name_of)
def test_links_resolve(path: Path) -> None:
    missing = []
    text = re.sub(r"`[^`]*`", "", without_blocks(path.read_text()))
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        file, _, anchor = target.partition("#")
        if file.startswith(("http:", "https:")):
            continue
        there = (path.parent / file).resolve() if file else path
        if not there.exists() or (anchor and anchor not in anchors(there.read_text())):
            missing.append(target)
    assert missing == []


def test_every_document_is_linked() -> None:
    """From README on, page by page."""
    seen: set[Path] = set()
    open_ = [ROOT / "README.md"]
    while open_:
        path = open_.pop()
        seen.add(path)
        for target in re.findall(r"\]\(([^)\s#]+\.md)[^)]*\)", path.read_text()):
            there = (path.parent / target).resolve()
            if there.exists() and there not in seen:
                open_.append(there)
    assert sorted(name_of(path) for path in set(DOCUMENTS) - seen) == []


@cache
def known_options() -> set[str]:
    """Options of the tools, by their help texts, and of scripts, by their sources."""
    text = (ROOT / "docs/reference/command-lines.md").read_text()
    text += (ROOT / "docs/reference/passes.md").read_text()
    for folder in ("tools", "benchmarks", "tests", "xgpu"):
        for path in (ROOT / folder).rglob("*.py"):
            if path != Path(__file__):
                text += path.read_text()
    return set(re.findall(r"--[a-z][\w-]*", text)) | {
        "--dist",  # pytest-xdist
        "--match-full-lines", "--check-prefix",  # filecheck
        "--seeds",  # tests/fuzz
        "--lower-mine",  # in an example
    }  # fmt: skip


@every_document
def test_options_exist(path: Path) -> None:
    text = path.read_text()
    commands = [body for language, body in blocks(text) if language in ("console", "sh")]
    lines = [line for body in commands for line in body.splitlines()]
    spans = [*code_spans(text), *(line for line in lines if not line.startswith("xgpu-"))]
    named = {
        found for span in spans for found in re.findall(r"(?<![\w-])--[a-z][\w-]*", span)
    } - known_options()
    passes = (ROOT / "docs/reference/passes.md").read_text()
    assert sorted(name for name in named if f"`{name[2:]}`" not in passes) == []


@every_document
def test_environment_variables_exist(path: Path) -> None:
    """Macros of CUDA's runtime have names of this kind, too."""
    named = set(re.findall(r"\bXGPU_[A-Z_]+\b", path.read_text()))
    missing = [
        name
        for name in sorted(named)
        if processes.run(
            ["grep", "-rqF", "--include=*.py", "--include=*.h", name, "xgpu", "tests"],
            cwd=ROOT,
            check=False,
        ).returncode
    ]
    assert missing == []


def lacking_intrinsics() -> list[str]:
    """What the reference says that the host device lacks, without `llvm.nvvm.`; a name stands for
    all that begin with it."""
    page = (ROOT / "docs/reference/host-device.md").read_text()
    (line,) = re.findall(
        r"^\* Of LLVM's intrinsics: (.*?)\. As PTX", page, re.MULTILINE | re.DOTALL
    )
    names = re.findall(r"`([\w.]+)`", line)
    assert len(names) > 5
    return names


def has_rule(name: str) -> bool:
    """Whether kernels may call an intrinsic, which LLVM may give the type of its operands."""
    atomic = name.startswith("atomic.")  # `raise_atomics` makes operations of them
    return atomic or any(intrinsic_rule(name + type_) is not None for type_ in ("", ".i32"))


def test_intrinsics_that_the_host_device_lacks_have_no_rule() -> None:
    assert [name for name in lacking_intrinsics() if has_rule(name)] == []


def test_intrinsics_without_a_rule_are_lacking() -> None:
    """LLVM's library has the names of all intrinsics."""
    (library,) = Path(llvmlite.binding.__file__).parent.glob("*llvmlite.*")
    found = re.findall(rb"llvm\.nvvm\.([\w.]+\w)\0", library.read_bytes())
    names = {name.decode() for name in found}
    assert len(names) > 2000
    listed = tuple(f"{name}." for name in lacking_intrinsics())
    assert [n for n in sorted(names) if not has_rule(n) and not f"{n}.".startswith(listed)] == []


@every_document
def test_blocks_have_a_language(path: Path) -> None:
    assert {language for language, _ in blocks(path.read_text())} <= LANGUAGES


def limit_of(path: Path) -> tuple[int, bool] | None:
    """How many words a document may have, and whether its tables count."""
    if path == ROOT / "README.md":
        return 400, True
    kind = path.parent.name
    if kind == "tutorial":
        return 600, True
    if kind == "concepts":
        return 1200, True
    return (300, False) if kind == "howto" else None


@pytest.mark.parametrize("path", [p for p in DOCUMENTS if limit_of(p)], ids=name_of)
def test_documents_are_short(path: Path) -> None:
    limit, tables = limit_of(path) or (0, True)
    assert words(path.read_text(), tables=tables) <= limit


@every_written
def test_sentences_are_short(path: Path) -> None:
    """20 words on average, and at most 30 up to a full stop, a colon or a semicolon; the
    benchmarks' page has rows of figures."""
    found = sentences(path.read_text())
    assert sum(len(sentence.split()) for sentence in found) <= 20 * len(found)
    if path.is_relative_to(ROOT / "benchmarks"):
        return
    parts = [part for sentence in found for part in re.split(r"(?<=[:;])\s", sentence)]
    assert [part for part in parts if len(part.split()) > 30] == []


@every_written
def test_words_are_plain(path: Path) -> None:
    assert unusual_words(without_blocks(path.read_text()), UNUSUAL_IN_DOCUMENTS) == []


def test_every_package_is_documented() -> None:
    """In the table of packages, each folder of `xgpu/`."""
    text = (ROOT / "docs/internals/packages.md").read_text()
    listed = set(re.findall(r"`xgpu/(\w+)", text))
    packages = {path.parent.name for path in (ROOT / "xgpu").glob("*/__init__.py")}
    assert packages <= listed


def test_rows_of_the_comparison_name_tests() -> None:
    """The second column of each row: a test that exists."""
    text = (ROOT / "docs/reference/comparison.md").read_text()
    sources = "".join(path.read_text() for path in (ROOT / "tests").rglob("test_*.py"))
    rows = [line.split("|") for line in text.splitlines() if line.startswith("| ")]
    assert len(rows) >= 15
    for row in rows[1:]:
        names = re.findall(r"`(tests/[\w/]+\.py|test_\w+)`", row[2])
        assert names, row[1]
        for name in names:
            assert (ROOT / name).exists() if "/" in name else f"def {name}(" in sources, name


def test_facts_of_embedding() -> None:
    """The table of facts lists what can be registered of an operation, and nothing else."""
    from xgpu.core.ir.op_info import OpInfo

    text = (ROOT / "docs/reference/embedding.md").read_text()
    table = set(re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE))
    assert table == set(OpInfo.__slots__) - {"name", "is_known"}


def test_generated_documents_are_up_to_date() -> None:
    done = processes.run(
        [sys.executable, "tools/generate_docs.py", "--check"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
