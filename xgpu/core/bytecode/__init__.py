# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""MLIR's bytecode, version 6 of MLIR 22.1: `read_bytecode`, `write_bytecode`.

A file is a header and sections: strings, dialects and operation names, attributes and types with
their sizes, operations, resources, properties. `encoding` has integers and sections, `builtin`,
`builtin_types` and `llvm` the attributes and types that have an encoding of their own, `properties`
the inherent attributes of operations, `numbering` the numbers by which operations refer to all of
these. What reads and writes is imported when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xgpu.core.ir.errors import public_part
from xgpu.version import __version__

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp
    from xdsl.ir import Operation

    from xgpu.core.bytecode.encoding import Resources
    from xgpu.core.syntax.table_context import TableContext


#: What files say that they were made by, if nothing else is asked for.
PRODUCER = f"xgpu{__version__}"


@public_part
def read_bytecode(
    data: bytes,
    filename: str = "-",
    *,
    allow_unregistered: bool = False,
    ctx: TableContext | None = None,
) -> ModuleOp:
    """The module in `data`, MLIR's bytecode of version 0 to 6. It is not verified. What is no
    module is put into one.

    `filename` is what diagnostics call the bytes. Resources are kept as `module.xgpu_resources`.
    Raises `DiagnosticError` where the bytes are wrong, with their offset in bytes.
    """
    from xgpu.core.bytecode.reader import read
    from xgpu.core.syntax.table_context import TableContext

    return read(data, filename, TableContext(allow_unregistered) if ctx is None else ctx)


@public_part
def write_bytecode(
    op: Operation,
    *,
    version: int | None = None,
    producer: str = PRODUCER,
    elide_resources: bool = False,
    resources: Resources | None = None,
) -> bytes:
    """`op` with all that is in it as MLIR's bytecode of `version`, 0 to 6, or the newest.

    `resources` are those of a module that was read, `op.xgpu_resources`, if they are not given;
    with `elide_resources` their values are left out. Raises `UsageError` for another version, and
    `DiagnosticError` for an operation that lacks a property.
    """
    from xgpu.core.bytecode.encoding import VERSION
    from xgpu.core.bytecode.writer import write

    wanted = VERSION if version is None else version
    kept: Resources = getattr(op, "xgpu_resources", {}) if resources is None else resources
    return write(op, wanted, producer, kept, elide_resources=elide_resources)
