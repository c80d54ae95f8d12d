# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A service loads its implementation once, when it is first asked for; all have one."""

from __future__ import annotations

import pytest

import xgpu.core.ir.services
import xgpu.core.ods.services
from xgpu.core.ir.services import Service

SERVICES = [
    found
    for module in (xgpu.core.ir.services, xgpu.core.ods.services)
    for found in vars(module).values()
    if isinstance(found, Service)
]


def test_an_implementation_is_loaded_once_and_late() -> None:
    loads: list[str] = []

    def load() -> str:
        loads.append("load")
        return "found"

    service: Service[str] = Service("a name")
    service.provide(load)
    assert not loads
    assert [service(), service()] == ["found"] * 2
    assert loads == ["load"]
    service.provide(lambda: "another")
    assert service() == "another"


def test_a_service_without_implementation_says_so() -> None:
    service: Service[str] = Service("a name")
    with pytest.raises(RuntimeError, match="no implementation was provided for service 'a name'"):
        service()


def test_there_are_services() -> None:
    assert len(SERVICES) >= 11


@pytest.mark.parametrize("service", SERVICES, ids=lambda service: service._name)
def test_every_service_has_an_implementation(service: Service[object]) -> None:
    assert service() is not None
