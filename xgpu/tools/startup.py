# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A faster start of the command line tools.

Most of what a tool does for a short text is importing xDSL, and much of that is compiling short
texts: `begin` has them come from the user's cache (`xgpu/tools/kept_sources.py`). `fast_imports`
changes nothing that a run could see:

* `dataclasses.inspect.signature`, whose text becomes the `__doc__` of classes without one, is left
  out.
* Modules and definitions that few runs use wait until they are used (`xgpu/tools/stand_ins.py`,
  `xgpu/tools/later_definitions.py`).
* xDSL's finder of dialects in IRDL files, the only one to need `importlib.resources`, `tempfile`,
  `shutil`, `random` and more, is left out: it would be asked for each module that is not there.
* The garbage collector rests, since an import makes no garbage.

Only the tools' `main` uses this, around their imports, in their own process; `import xgpu` never
does. Without a cache (see `xgpu.core.support.cache`) imports go on as Python's own.

Each import that a run does not need costs it, and so does each regular expression that a module
compiles: `tests/unit/tools/test_startup.py` says how many there may be. The files of the console
scripts import nothing at once, so that all that follows comes from kept byte code
(`xgpu/tools/bytecode.py`).
"""

from __future__ import annotations

import gc
import os
import sys
from contextlib import contextmanager, suppress

from xgpu.core.support import kept_code
from xgpu.core.support.ownership import own_process
from xgpu.tools.bytecode import mark_core

TYPE_CHECKING = False  # importing `typing` for it takes longer than reading this file
if TYPE_CHECKING:
    from collections.abc import Generator
    from typing import Any, NoReturn


class _Signatureless:
    """Stands for the `inspect` module in `dataclasses`, with an empty text for signatures."""

    def __init__(self, module: Any) -> None:
        self._module = module

    def signature(self, *_: Any, **__: Any) -> str:
        return ""

    def __getattr__(self, name: str) -> Any:
        return getattr(self._module, name)


@contextmanager
def fast_imports() -> Generator[None]:
    """Within it, what only few runs need waits, and nobody is told the signatures of classes."""
    gc.disable()
    if os.environ.get("XGPU_NO_CACHE"):
        yield
        return
    from xgpu.tools.stand_ins import stand_ins, without_irdl_files

    with stand_ins(), without_irdl_files():
        import dataclasses

        module: Any = dataclasses
        plain_inspect = module.inspect
        module.inspect = _Signatureless(plain_inspect)
        if kept_code.is_begun():
            import typing as typing

            from xgpu.tools.kept_sources import hook_libraries

            hook_libraries()
        try:
            yield
        finally:
            module.inspect = plain_inspect


def import_syntax() -> None:
    """What every run needs of xDSL, imported fast."""
    with fast_imports():
        if os.environ.get("XGPU_NO_CACHE"):
            _import_syntax()
            return
        from xgpu.tools.later_definitions import definitions_later

        with definitions_later():
            _import_syntax()
    mark_core()
    kept_code.mark_core()


def _import_syntax() -> None:
    from importlib import import_module

    for module in ("table_context", "parser", "printer", "verify"):
        import_module(f"xgpu.core.syntax.{module}")


def begin(tool: str | None = None) -> None:
    """A console script begins: the process is its own, and `tool` may say last words where LLVM
    ends it."""
    gc.disable()
    if tool is not None:
        own_process(tool)
    if not os.environ.get("XGPU_NO_CACHE"):
        from xgpu.tools.kept_sources import hook_libraries

        kept_code.begin()
        hook_libraries()


def relax_collector() -> None:
    """Switches the collector back on, for a process that holds one large, long-lived structure."""
    gc.freeze()
    gc.set_threshold(200_000, 20, 100)
    gc.enable()


def leave(code: int) -> NoReturn:
    """Ends the process with `code`, without taking the IR apart object by object: what is open is
    written, what registered for the end is called, the rest is the system's."""
    if sys.gettrace() is not None or sys.getprofile() is not None:
        sys.exit(code)  # somebody measures, and wants to have the last word
    import atexit

    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):  # None is a closed one
            stream.flush()
    os._exit(code)
