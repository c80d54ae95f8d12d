# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kinds of handles: what a type of the transform dialect stands for."""

from __future__ import annotations

from xdsl.ir import Attribute

_KINDS = {
    "transform.any_op": "op",
    "transform.op": "op",
    "transform.any_value": "value",
    "transform.any_param": "param",
    "transform.param": "param",
    "transform.affine_map": "param",
    "transform.type": "param",
}


def kind_of(ty: Attribute) -> str:
    """ "op", "value" or "param"; "" for a type that is no handle."""
    return _KINDS.get(ty.name, "")
