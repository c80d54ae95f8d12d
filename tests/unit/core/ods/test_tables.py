# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The engine takes every definition of the tables."""

import pytest

from xgpu.core import ods
from xgpu.core.ods import table_files
from xgpu.core.ods.operation import default_properties
from xgpu.core.ods.table_parser import constraint, dialect_attrs, dialect_ops
from xgpu.core.ods.verifier import compile_checks, region_checks
from xgpu.core.syntax.formats.directives import MissingDirectiveError
from xgpu.core.syntax.formats.format_parser import parse_format
from xgpu.core.syntax.formats.parser import compile_parser
from xgpu.core.syntax.formats.writer import compile_writer

DIALECTS = (
    "func", "arith", "math", "cf", "scf", "affine", "memref", "vector", "index", "ub", "complex",
    "gpu", "nvgpu", "nvvm", "async", "llvm",
)  # fmt: skip


@pytest.mark.parametrize("dialect", DIALECTS)
def test_operations(dialect):
    for name in dialect_ops(dialect):
        cls = ods.op_class(name)
        assert cls.name == name
        default_properties(cls)
        compile_checks(cls)
        region_checks(cls)
        assert cls.traits.traits is not None


@pytest.mark.parametrize("dialect", DIALECTS)
def test_formats(dialect):
    for name in dialect_ops(dialect):
        cls = ods.op_class(name)
        if cls.spec.format is None:
            continue
        elements = parse_format(cls.spec.format)
        try:
            compile_parser(cls, elements)
            compile_writer(cls, elements)
        except MissingDirectiveError:
            continue  # a dialect's own to write


@pytest.mark.parametrize("dialect", DIALECTS)
def test_attributes(dialect):
    for name in dialect_attrs(dialect):
        assert ods.attr_class(name).name == name.removeprefix("!")


def test_intrinsics_written_by_hand(monkeypatch):
    """Those of `intrinsics.own.txt` come beside the generated ones, and are imported."""
    read = table_files.data_text

    def given(module, name):
        if name == "tables/intrinsics.own.txt":
            return "# By hand.\n\nnvvm.barrier0\tllvm.nvvm.by.hand\t\t\n"
        return read(module, name)

    generated = table_files.read_intrinsics()
    monkeypatch.setattr(table_files, "data_text", given)
    own = ["nvvm.barrier0", "llvm.nvvm.by.hand", "", ""]
    assert table_files.read_intrinsics() == [*generated, own]


def test_comments_in_front_of_rows():
    table = table_files.Table()
    rows = "# of the row\n# more\nd.a\nformat attr-dict\n\nd.b\n"
    table.add(f"# of the file\n\n[operations]\n\n{rows}")
    assert table.operations == {"d.a": "format attr-dict", "d.b": ""}


def test_a_constraint_that_no_table_has():
    message = "the table of 'gpu' names 'GPU_Missing', which has no line in \\[types\\] there"
    with pytest.raises(ValueError, match=message):
        constraint("gpu", "types", "GPU_Missing")
