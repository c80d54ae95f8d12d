# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a lower room asks of a higher one.

Imports go one way, from higher rooms to lower ones, and yet a lower room has questions that only a
higher one can answer: how is this attribute written, which facts does a dialect state? It names a
*port* for such a question; `xgpu/__init__.py`, which stands above all rooms, says what answers it,
and nothing is imported before the question is asked.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # importing `typing` for it takes longer than all the rest
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

_PATHS: dict[str, str] = {}
_ANSWERS: dict[str, object] = {}


def install(paths: Mapping[str, str]) -> None:
    """Says what answers each port: "package.module:name", or a module."""
    _PATHS.update(paths)
    for name in paths:
        _ANSWERS.pop(name, None)


def port(name: str) -> Any:
    """What was installed for `name`, loaded when it is first asked for."""
    answer = _ANSWERS.get(name)
    if answer is None:
        module, _, attribute = _PATHS[name].partition(":")
        found = import_module(module)
        answer = _ANSWERS[name] = getattr(found, attribute) if attribute else found
    return answer
