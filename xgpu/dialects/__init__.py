# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""MLIR's dialects: `from xgpu.dialects import gpu`, then `gpu.LaunchOp`, `gpu.AsyncTokenType`.

A dialect's package has a class for each operation, attribute and type of the dialect, and the
dialect itself as xDSL knows dialects (`gpu.GPU`). Each is made when it is first asked for, so that
importing a package costs what importing a file costs; `__init__.pyi` beside it, which
`tools/generate_stubs.py` writes, says to type checkers what is there.
"""

from __future__ import annotations

from collections.abc import Callable


def lazy_classes(
    dialect: str, namespace: dict[str, object]
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """`__getattr__` and `__dir__` of the package of `dialect`, whose globals are `namespace`."""

    def find(name: str) -> object:
        found = None
        if name[:1].isupper():  # a module's names are asked for all the time, classes are not
            from xgpu.core.ods.dialect import find_export

            found = find_export(dialect, name)
        if found is None:
            raise AttributeError(
                f"module {namespace['__name__']!r} has no attribute {name!r}{_hint(dialect, name)}"
            )
        namespace[name] = found
        return found

    def names() -> list[str]:
        from xgpu.core.ods.dialect import exports

        return sorted({*namespace, *exports(dialect)})

    return find, names


def _hint(dialect: str, name: str) -> str:
    """The nearest name of a class: MLIR's C++ classes differ in capital letters and prefixes."""
    if not name[:1].isupper():
        return ""
    from xgpu.core.ir.suggestions import nearest
    from xgpu.core.ods.dialect import exports

    known = {found.lower(): found for found in exports(dialect)}
    plain = name.lower()
    near = known.get(plain) or known.get(plain.removeprefix(dialect)) or nearest(plain, known)
    near = known.get(near or "", near)
    return f", did you mean {near!r}?" if near else ""
