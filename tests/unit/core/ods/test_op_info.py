# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Facts that are registered count at once, also where something was derived from older ones."""

from collections.abc import Iterator
from typing import Any

import pytest
from xdsl.ir import Operation

from xgpu.core.ir import op_info
from xgpu.core.ir.effects import is_pure
from xgpu.core.ir.errors import DiagnosticError, op_error
from xgpu.core.ods import create
from xgpu.core.ods.registry import register
from xgpu.core.ods.spec import OpSpec
from xgpu.core.passes.pipeline_text import parse_pipeline
from xgpu.core.rewriting.folding import fold
from xgpu.core.syntax import context, parse_module, print_module
from xgpu.core.syntax.verify import verify_module

NAME = "facts.op"


@pytest.fixture(autouse=True)
def operation() -> Iterator[None]:
    register(OpSpec(NAME))
    yield
    unregister()


def unregister() -> None:
    """The facts of the definition again."""
    plain = op_info.OpInfo(NAME)
    slots = [slot for slot in op_info.OpInfo.__slots__ if slot != "name"]
    op_info.register(NAME, {slot: getattr(plain, slot) for slot in slots})


def test_a_fold_after_none_was_found() -> None:
    op = create(NAME)
    assert fold(op) is False
    op_info.register(NAME, {"fold": lambda op, constants: True})
    assert fold(op) is True


def test_effects_after_none_were_known() -> None:
    op = create(NAME)
    assert not is_pure(op)
    op_info.register(NAME, {"stated_effects": (), "traits": frozenset({"Pure"})})
    assert is_pure(op)


def test_a_verifier_after_checks_were_compiled() -> None:
    create(NAME).verify()

    def refuse(op: Any) -> None:
        raise op_error(op, "is not wanted")

    op_info.register(NAME, {"verify": refuse})
    with pytest.raises(DiagnosticError, match=r"'facts\.op' op is not wanted"):
        create(NAME).verify()
    module = parse_module(f'"{NAME}"() : () -> ()', allow_unregistered=True)
    with pytest.raises(DiagnosticError, match=r"'facts\.op' op is not wanted"):
        verify_module(module)


def test_canonicalizations() -> None:
    def erase(op: Any, rewriter: Any) -> bool:
        rewriter.erase(op)
        return True

    op_info.register(NAME, {"canonicalizations": (erase,)})
    module = parse_module(f'"{NAME}"() : () -> ()')
    parse_pipeline("builtin.module(canonicalize)").run(module, context())
    assert print_module(module) == "module {\n}\n"


def test_no_such_fact() -> None:
    with pytest.raises(AttributeError, match="an operation has no fact 'fold_me'"):
        op_info.register(NAME, {"fold_me": None})


def test_a_class_that_is_met_after_its_name_was() -> None:
    """What a module's classes state counts from then on; what was registered counts first."""
    from xdsl.irdl import IRDLOperation, irdl_op_definition, traits_def
    from xdsl.traits import Pure

    from xgpu.core.ods.foreign import meet

    @irdl_op_definition
    class Met(IRDLOperation):
        name = "met_later.op"
        traits = traits_def(Pure())

    info = op_info.op_info(Met.name)
    assert not info.is_known
    assert not info.traits

    def effects(op: Operation) -> list[Any]:
        return []

    op_info.register(Met.name, {"effects": effects})
    meet(Met)
    assert op_info.op_info(Met.name) is info
    assert info.is_known
    assert "Pure" in info.traits
    assert info.stated_effects == ()
    assert info.effects is effects


def test_constants_tell_xdsls_folders_their_value() -> None:
    from xdsl.dialects.builtin import IntegerAttr, i32
    from xdsl.traits import ConstantLike

    from xgpu.dialects import arith, ub

    value = IntegerAttr(3, i32)
    assert ConstantLike.get_constant_value(arith.ConstantOp(value=value).result) == value
    poison = ConstantLike.get_constant_value(ub.PoisonOp(result=i32).result)
    assert poison is not None
    assert poison.name == "ub.poison"
