# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Systems of linear inequalities over integers, and whether they have a solution.

A row is a linear form that is at least 0: coefficients by variable, and a constant under `None`.
Emptiness is decided by Fourier and Motzkin's elimination, with the constant of each row rounded
down as integers allow: what is found to be empty is; of what is not, nothing is known.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from math import gcd

Variable = Hashable
Form = dict["Variable | None", int]

#: More rows than this are not looked at: the answer is that nothing is known.
_MOST_ROWS = 2000


def of_variable(variable: Variable) -> Form:
    """A variable as a linear form."""
    return {variable: 1, None: 0}


def combine(
    a: Mapping[Variable | None, int], b: Mapping[Variable | None, int], *, times: int = 1
) -> Form:
    """`a + times * b`"""
    result = dict(a)
    for key, value in b.items():
        result[key] = result.get(key, 0) + times * value
    return {k: v for k, v in result.items() if v or k is None}


def scale(a: Mapping[Variable | None, int], factor: int) -> Form:
    """`factor * a`"""
    return {k: v * factor for k, v in a.items() if v * factor or k is None}


def constant_of(a: Mapping[Variable | None, int]) -> int | None:
    """The number that a form is, if it has no variables."""
    return a.get(None, 0) if all(k is None for k in a) else None


def is_empty(rows: Iterable[Form]) -> bool:
    """Whether no integers satisfy all rows, as far as can be seen."""
    system = _reduced(rows)
    while system is not None:
        variables = {k for row in system for k in row if k is not None}
        if not variables:
            return False
        variable = min(variables, key=lambda v: _cost(system, v))  # pyright: ignore
        if _cost(system, variable) > _MOST_ROWS:
            return False
        system = _reduced(_eliminate(system, variable))
    return True


def constant_bound(rows: Iterable[Form], variable: Variable, *, upper: bool) -> int | None:
    """The largest or smallest number that `variable` may be, if the rows have one that can be
    seen."""
    system = _reduced(rows)
    while system is not None:
        others = {k for row in system for k in row if k is not None and k != variable}
        if not others:
            break
        cheapest = min(others, key=lambda v: _cost(system, v))  # pyright: ignore
        if _cost(system, cheapest) > _MOST_ROWS:
            return None
        system = _reduced(_eliminate(system, cheapest))
    if system is None:
        return None
    # In lowest terms the coefficient of what is alone is 1 or -1.
    limits = [
        row.get(None, 0) if upper else -row.get(None, 0)
        for row in system
        if (row.get(variable, 0) < 0) is upper and variable in row
    ]
    if not limits:
        return None
    return min(limits) if upper else max(limits)


def _cost(system: list[Form], variable: Variable) -> int:
    low = sum(row.get(variable, 0) > 0 for row in system)
    high = sum(row.get(variable, 0) < 0 for row in system)
    return low * high


def _eliminate(system: list[Form], variable: Variable) -> list[Form]:
    """The rows without `variable`: each lower bound together with each upper bound."""
    rest = [row for row in system if variable not in row]
    low = [row for row in system if row.get(variable, 0) > 0]
    high = [row for row in system if row.get(variable, 0) < 0]
    for a in low:
        for b in high:
            rest.append(combine(scale(a, -b[variable]), b, times=a[variable]))
    return rest


def _reduced(rows: Iterable[Form]) -> list[Form] | None:
    """Each row in lowest terms, the strictest of parallel ones; None if one cannot hold."""
    strictest: dict[frozenset[tuple[Variable | None, int]], int] = {}
    for row in rows:
        divisor = gcd(*(v for k, v in row.items() if k is not None))
        constant = row.get(None, 0)
        if divisor == 0:
            if constant < 0:
                return None
            continue
        key = frozenset((k, v // divisor) for k, v in row.items() if k is not None and v)
        constant //= divisor
        known = strictest.get(key)
        strictest[key] = constant if known is None else min(known, constant)
    return [{**dict(key), None: constant} for key, constant in strictest.items()]
