#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws who imports whom: a box for each package, the ground at the bottom, and an arc for each
pair.

    python tools/draw_packages.py docs/images/packages.svg
    python tools/draw_packages.py --tree ../before --packages ods,text,dialects,analysis before.svg

Arcs on the right go down, to packages below; those on the left, in red, go up. The number of a box
is that of its files, the width of an arc that of the imports. What is counted is printed too:
imports within xgpu, those inside of functions, those that go up, and files in circles.
"""

from __future__ import annotations

import argparse
import ast
import pathlib
import sys
from collections import Counter
from collections.abc import Iterator

ROOT = pathlib.Path(__file__).resolve().parent.parent
#: From the ground up, as in tests/unit/test_architecture.py.
PACKAGES = (
    "version", "core", "dialects", "analysis", "transforms", "conversion", "kernels",
    "transform_dialect", "frontend", "backend", "runtime", "host_device", "driver", "tools", "api",
    "universe", "implementations",
)  # fmt: skip
HEIGHT, WIDTH, LEFT, TOP = 34, 170, 250, 20


class Imports:
    """The files of a package, and which imports which: `edges` with repetitions."""

    def __init__(self, package: pathlib.Path) -> None:
        paths = sorted(package.rglob("*.py"))
        self.files = {self._module(path, package): path for path in paths}
        self.edges: list[tuple[str, str]] = []
        self.deferred = 0
        for module, path in self.files.items():
            tree = ast.parse(path.read_text(encoding="utf-8"))
            outer = set(map(id, tree.body))
            for node in ast.walk(tree):
                for name in self._named(node):
                    self.edges.append((module, name))
                    self.deferred += id(node) not in outer and _is_in_function(node, tree)

    @staticmethod
    def _module(path: pathlib.Path, package: pathlib.Path) -> str:
        parts = path.relative_to(package.parent).with_suffix("").parts
        return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)

    def _named(self, node: ast.AST) -> Iterator[str]:
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            names = [
                name if (name := f"{node.module}.{alias.name}") in self.files else node.module
                for alias in node.names
            ]
        else:
            return
        yield from dict.fromkeys(name for name in names if name in self.files)

    def circles(self) -> int:
        """How many files are in a circle of imports, directly or through others."""
        after: dict[str, set[str]] = {module: set() for module in self.files}
        for a, b in self.edges:
            after[a].add(b)
        reached = {module: self._from(module, after) for module in after}
        return sum(module in found for module, found in reached.items())

    @staticmethod
    def _from(module: str, after: dict[str, set[str]]) -> set[str]:
        found: set[str] = set()
        pending = list(after[module])
        while pending:
            here = pending.pop()
            if here not in found:
                found.add(here)
                pending.extend(after[here])
        return found


def _is_in_function(node: ast.AST, tree: ast.Module) -> bool:
    return any(
        node in ast.walk(function)
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        and function.lineno <= getattr(node, "lineno", 0) <= (function.end_lineno or 0)
    )


def package_of(module: str) -> str:
    return module.split(".")[1] if "." in module else "xgpu"


def draw(imports: Imports, packages: tuple[str, ...]) -> str:
    """The picture, as SVG."""
    height = 2 * TOP + HEIGHT * len(packages)
    y = {name: height - TOP - HEIGHT * (i + 0.5) for i, name in enumerate(packages)}
    arcs = Counter((package_of(a), package_of(b)) for a, b in imports.edges)
    sizes = Counter(map(package_of, imports.files))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {2 * LEFT + WIDTH} {height}" '
        'font-family="sans-serif" font-size="13">'
    ]
    for (a, b), count in sorted(arcs.items()):
        if a == b or a not in y or b not in y:
            continue
        up = y[b] < y[a]
        x = LEFT if up else LEFT + WIDTH
        bend = abs(y[a] - y[b]) * 0.35 + 14
        out = x - bend if up else x + bend
        color = "#c22" if up else "#789"
        parts.append(
            f'<path d="M{x} {y[a]:.0f} C{out:.0f} {y[a]:.0f} {out:.0f} {y[b]:.0f} {x} {y[b]:.0f}" '
            f'fill="none" stroke="{color}" stroke-width="{min(1 + count / 60, 6):.1f}" '
            f'opacity="0.7"><title>{a} imports {b}: {count}</title></path>'
        )
    for name in packages:
        top = y[name] - HEIGHT / 2 + 4
        parts.append(
            f'<rect x="{LEFT}" y="{top:.0f}" width="{WIDTH}" height="{HEIGHT - 8}" rx="4" '
            'fill="#eef2f6" stroke="#567"/>'
            f'<text x="{LEFT + 8}" y="{y[name] + 4:.0f}">{name}</text>'
            f'<text x="{LEFT + WIDTH - 8}" y="{y[name] + 4:.0f}" text-anchor="end" '
            f'fill="#678">{sizes[name]}</text>'
        )
    return "\n".join((*parts, "</svg>\n"))


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--tree", type=pathlib.Path, default=ROOT)
    parser.add_argument("--packages", default=",".join(PACKAGES), help="from the ground up")
    parser.add_argument("picture", type=pathlib.Path)
    given = parser.parse_args()
    imports, packages = Imports(given.tree / "xgpu"), tuple(given.packages.split(","))
    given.picture.write_text(draw(imports, packages), encoding="utf-8")
    level = {name: i for i, name in enumerate(packages)}
    up = [
        edge for edge in imports.edges
        if level.get(package_of(edge[1]), -1) > level.get(package_of(edge[0]), len(packages))
    ]  # fmt: skip
    print(
        f"{len(imports.files)} files, {len(imports.edges)} imports, "
        f"{imports.deferred} in functions, {len(up)} up, {imports.circles()} files in circles"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
