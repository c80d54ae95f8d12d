# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The packages as docs/internals/packages.md lists them: imports go down, and there are no circles,
neither between files nor between children of a folder.

All imports are read, those inside functions and those for types alone too: an arrow that runs only
sometimes is an arrow.
"""

from __future__ import annotations

import ast
import json
import pathlib
import re
from collections.abc import Iterator
from functools import cache

from documents import statements

ROOT = pathlib.Path(__file__).parents[2]

#: From the ground up.
PACKAGES = (
    "version",
    "core",
    "dialects",
    "analysis",
    "transforms",
    "conversion",
    "kernels",
    "transform_dialect",
    "frontend",
    "backend",
    "runtime",
    "host_device",
    "driver",
    "tools",
    "api",
    "cuda_driver",
    "numba",
    "universe",
    "plugins",
    "implementations",
)
#: The package's front, which stands above all packages.
FRONT = "xgpu"


def module_of(path: pathlib.Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


FILES = {module_of(path): path for path in sorted((ROOT / "xgpu").rglob("*.py"))}


def imported(path: pathlib.Path) -> Iterator[tuple[str, int]]:
    """The modules of xgpu that a file imports, and where."""
    return imports_in(ast.parse(path.read_text()), path)


def imports_in(tree: ast.Module, path: pathlib.Path) -> Iterator[tuple[str, int]]:
    for node in statements(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: imports are absolute"
            names = [
                name if (name := f"{node.module}.{alias.name}") in FILES else str(node.module)
                for alias in node.names
            ]
        else:
            continue
        yield from ((name, node.lineno) for name in names if name.partition(".")[0] == "xgpu")


#: What may be an import of xgpu, or one that is not absolute: a line of its own.
_IMPORT = re.compile(
    r"^[ \t]*(?:from[ \t]+(?:xgpu|\.)[\w.]*[ \t]+import[ \t]+(?:\([^)]*\)|[^(\n]+)"
    r"|import[ \t]+xgpu[^\n]*)",
    re.MULTILINE,
)


def shown(path: pathlib.Path) -> Iterator[tuple[str, int]]:
    """What `imported` gives, and imports that docstrings and other texts show, in a twentieth of
    the time."""
    source = path.read_text()
    for found in _IMPORT.finditer(source):
        lines = source.count("\n", 0, found.start())
        for name, line in imports_in(ast.parse(found[0].strip()), path):
            yield name, lines + line


#: Files that hold more than a package's docstring and what it offers.
MODULES = [
    path for path in FILES.values() if path.name != "__init__.py" or "/dialects/" in str(path)
]


@cache
def all_arrows() -> dict[str, list[tuple[str, int]]]:
    """What each module imports, and where. Only files that show an arrow which goes up are parsed:
    all of them take seconds."""
    arrows = {module: list(shown(path)) for module, path in FILES.items()}
    for module, targets in arrows.items():
        if any(height(target) > height(module) for target, _ in targets):
            arrows[module] = list(imported(FILES[module]))
    return arrows


def package(module: str) -> str:
    return module.split(".")[1] if "." in module else FRONT


def height(module: str) -> int:
    name = package(module)
    return len(PACKAGES) if name == FRONT else PACKAGES.index(name)


def test_every_file_is_in_a_package() -> None:
    assert {package(module) for module in FILES} - {FRONT} <= set(PACKAGES)


def test_no_arrow_goes_up() -> None:
    up = [
        f"{FILES[module].relative_to(ROOT)}:{line}: {module} -> {target}"
        for module, arrows in all_arrows().items()
        for target, line in arrows
        if height(target) > height(module)
    ]
    assert not up, "\n".join(up)


def circles(graph: dict[str, list[str]]) -> list[list[str]]:
    """The strongly connected components of more than one module (Tarjan's algorithm)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    open_: list[str] = []
    found: list[list[str]] = []

    def visit(module: str) -> None:
        index[module] = low[module] = len(index)
        open_.append(module)
        for target in graph[module]:
            if target not in index:
                visit(target)
                low[module] = min(low[module], low[target])
            elif target in open_:
                low[module] = min(low[module], index[target])
        if low[module] == index[module]:
            at = open_.index(module)
            if len(open_) - at > 1:
                found.append(sorted(open_[at:]))
            del open_[at:]

    for module in graph:
        if module not in index:
            visit(module)
    return found


def test_circles_are_seen() -> None:
    graph = {"a": ["b"], "b": ["c"], "c": ["b", "d"], "d": []}
    assert circles(graph) == [["b", "c"]]


def test_no_circle_between_files() -> None:
    graph = {
        module: [target for target, _ in arrows if target != module and target in FILES]
        for module, arrows in all_arrows().items()
    }
    found = circles(graph)
    for module in (module for circle in found for module in circle):
        graph[module] = [t for t, _ in imported(FILES[module]) if t != module and t in FILES]
    assert not found or not circles(graph)


def circles_of_children(arrows: dict[str, list[str]]) -> list[tuple[str, list[str]]]:
    """Folders, each with children in a circle: its files, and its folders with all in them.

    An arrow is one between children of the innermost folder that both of its ends are in.
    """
    graphs: dict[str, dict[str, list[str]]] = {}
    for module, targets in arrows.items():
        begin = module.split(".")
        for end in (target.split(".") for target in targets):
            for depth, (one, other) in enumerate(zip(begin, end, strict=False)):
                if one != other:
                    graph = graphs.setdefault(".".join(begin[:depth]), {})
                    graph.setdefault(one, []).append(other)
                    graph.setdefault(other, [])
                    break
    return [(folder, found) for folder, graph in graphs.items() for found in circles(graph)]


def test_circles_of_children_are_seen() -> None:
    arrows = {
        "x.a.one": ["x.b", "x.a.two", "x"],
        "x.a.two": [],
        "x.b": ["x.c.one"],
        "x.c.one": ["x.c.two"],
        "x.c.two": ["x.a.two"],
    }
    assert circles_of_children(arrows) == [("x", ["a", "b", "c"])]
    assert not circles_of_children({**arrows, "x.c.two": []})


def test_no_circle_between_children_of_a_folder() -> None:
    arrows = {
        module: [target for target, _ in found if target in FILES]
        for module, found in all_arrows().items()
    }
    # What is in a circle is parsed: docstrings show imports too.
    for folder, names in circles_of_children(arrows):
        for module in arrows:
            if module.startswith(tuple(f"{folder}.{name}" for name in names)):
                arrows[module] = [t for t, _ in imported(FILES[module]) if t in FILES]
    found = [f"{folder}: {names}" for folder, names in circles_of_children(arrows)]
    assert not found, "\n".join(found)


def test_there_are_few_packages() -> None:
    """A new package takes the place of another."""
    assert len(list((ROOT / "xgpu").glob("*/__init__.py"))) <= 14


#: An option of MLIR's canonicalize, for users, and an instruction of PTX.
NO_TEST = {
    *("test-convergence", "test.wait"),
    *("test", "test-arg"),  # mlir-reduce's
    "test-analysis-only",  # one-shot-bufferize's
}


def test_nothing_serves_only_tests() -> None:
    """MLIR's test dialect and test passes are a plugin, `tests/mlir_test_lib`."""
    words = re.compile(r"(?<![\w.-])test(?:[.-]\w[\w.-]*|(?=$))")
    in_text = re.compile(r"(?<![\w.-])test(?:[.-]\w|[\"'])")
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno}: {node.value[:60]!r}"
        for path in FILES.values()
        if in_text.search(text := path.read_text())
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        if any(word not in NO_TEST for word in words.findall(node.value))
    ]
    assert not found, "\n".join(found)


#: Limits of launches as numbers, which `xgpu/core/support/gpu_limits.py` has for all.
_LIMIT = re.compile(
    r"\b1024, 1024, 64\b|\b65535, 65535\b|\bmost=1024\b"
    r"|(?i:threads|warp)\w*(?:\(.*\))? (?:<=|>) 1024\b|(?:STATIC|THREADS)\w* = (?:48 \* |1024\b)"
)


def test_limits_of_launches_are_in_one_place() -> None:
    found = [name for name, path in FILES.items() if _LIMIT.search(path.read_text())]
    assert found == [
        "xgpu.core.support.gpu_limits",
        "xgpu.host_device.native.sources.sanitizer_states",
    ]


def test_tests_mirror_the_packages() -> None:
    """Folders of tests are folders of xgpu that hold modules."""
    # `async` is no name of a package.
    folders = {
        pathlib.Path(path.parent.relative_to(ROOT / "xgpu").as_posix().rstrip("_"))
        for path in MODULES
    }
    # `examples` has one of each pass, which the documentation site shows.
    names = (".", "examples", "mlir_test_lib", "tools/Inputs")
    beside = {pathlib.Path(name) for name in names}
    tests = {
        path.parent.relative_to(ROOT / "tests" / kind)
        for kind, patterns in (("filecheck", ("*.mlir", "*.ll")), ("unit", ("test_*.py",)))
        for pattern in patterns
        for path in (ROOT / "tests" / kind).rglob(pattern)
    }
    assert not sorted(map(str, tests - folders - beside)), "tests without a package of that name"


#: Passes of MLIR's that `mlir-opt` does not have under these names, with MLIR's classes.
_MLIR_CLASSES = {"linalg-decompose-aggregates", "reduction-tree"}


def test_classes_of_passes_are_named_as_the_passes() -> None:
    """Those of xgpu's own passes, as `--mlir-print-ir-after-all` prints them."""
    from xgpu.core.passes.registry import PASSES

    of_mlir = json.loads((ROOT / "tools/mlir_passes.json").read_text())["passes"]
    classes = {name: place.partition(":")[2] for name, place in PASSES.items()}
    own = classes.keys() - set(of_mlir) - _MLIR_CLASSES
    assert not [name for name in own if classes[name].lower() != name.replace("-", "")]


def test_tests_of_passes_lie_where_the_passes_do() -> None:
    """Those outside of `dialects` whose name begins with a pass's, or with its module's."""
    from xgpu.core.passes.registry import PASSES

    passes = {}
    for name, place in PASSES.items():
        *folders, module = place.partition(":")[0].split(".")[1:]
        passes[module] = passes[name.replace("-", "_")] = "/".join(folders)
    wrong: list[str] = []
    for path in (ROOT / "tests/filecheck").rglob("*.mlir"):
        folder = path.parent.relative_to(ROOT / "tests/filecheck").as_posix()
        tested = [name for name in passes if re.match(rf"{name}(_|$)", path.stem)]
        if folder.startswith(("dialects", "examples", "mlir_test_lib")) or not tested:
            continue
        if passes[max(tested, key=len)] != folder:
            wrong.append(f"{path.relative_to(ROOT)}: in {passes[max(tested, key=len)]}")
    assert not wrong, "\n".join(wrong)
