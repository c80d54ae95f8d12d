# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ODS predicate trees as one C++ expression, the way mlir-tblgen composes them."""

from __future__ import annotations

from tools.tables.records import Record, Records


def expand(records: Records, pred: Record) -> str:
    """The C++ expression of a predicate record, `$_self` standing for what it is asked about."""
    if "predExpr" in pred:
        return pred["predExpr"]
    kind = pred["kind"]["def"]
    children = [expand(records, records.get(child)) for child in pred["children"]]
    match kind:
        case "PredCombinerAnd":
            return "(" + " && ".join(children) + ")" if children else "true"
        case "PredCombinerOr":
            return "(" + " || ".join(children) + ")" if children else "false"
        case "PredCombinerNot":
            return f"(!{children[0]})"
        case "PredCombinerSubstLeaves":
            return children[0].replace(pred["pattern"], pred["replacement"])
        case "PredCombinerConcat":
            return pred["prefix"] + children[0] + pred["suffix"]
        case _:
            raise ValueError(f"unknown predicate combiner {kind}")
