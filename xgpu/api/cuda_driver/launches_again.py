# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Short launches that are made with other arguments again and again.

The first launch with some sizes in a stream is queued as any. Where it turns out to take less time
than another thread needs to begin, the next ones are made by who calls (`Again`): in Python, with
few steps, and from then on by machine code (`fast_launch_sources`), as long as nothing comes
between that may have given a stream something to do.
"""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from xgpu.api.cuda_driver.fast_calls import WITHIN
from xgpu.host_device.device.prototypes import copy_parameters, trespass
from xgpu.host_device.native.library import native_library

if TYPE_CHECKING:
    from xgpu.api.cuda_driver.fast_calls import Notes
    from xgpu.api.cuda_driver.state import Context, Driver, Stream
    from xgpu.host_device.device.launch import Launch
    from xgpu.host_device.device.modules import ParameterLayout
    from xgpu.host_device.device.repeated_launches import RepeatedLaunch

_SCALARS = {1: ctypes.c_uint8, 2: ctypes.c_uint16, 4: ctypes.c_uint32, 8: ctypes.c_uint64}


Scalar = ctypes.c_uint8 | ctypes.c_uint16 | ctypes.c_uint32 | ctypes.c_uint64
Structure = ctypes.Array[ctypes.c_char]


class Again:
    """A launch that takes little time, and that is made with other arguments again and again: by
    the thread that calls, with few steps (`RepeatedLaunch`)."""

    __slots__ = (
        "__weakref__", "_arguments", "_at_hand", "_context", "_function", "_host", "_notes",
        "_own_reference", "_pointers", "_repeated", "_scalars", "_stream", "_structures",
    )  # fmt: skip

    def __init__(
        self, context: Context, arguments: ctypes.Array[ctypes.c_uint64],
        layout: ParameterLayout, repeated: RepeatedLaunch,
    ) -> None:  # fmt: skip
        self._context, self._host, self._arguments = context, context.host, arguments
        #: Notes for machine code, and what they were made of.
        self._notes: Notes | None = None
        self._at_hand: tuple[int, int, int] | None = None
        self._function = self._stream = 0
        self._own_reference = weakref.ref(self)
        self._pointers, self._repeated = layout.pointers, repeated
        # By argument: its number, where it goes, what reads it at an address; whether it is a
        # pointer.
        self._scalars: list[tuple[int, Scalar, Callable[[int], Scalar], bool]] = []
        self._structures: list[tuple[int, Structure, Callable[[int], Structure]]] = []
        for number, (_, bytes, is_pointer) in enumerate(layout.fields):
            size, address = 8 if bytes is None else ctypes.sizeof(bytes), arguments[number]
            scalar, whole = _SCALARS.get(size), ctypes.c_char * size
            if scalar is None:
                read = whole.from_address
                self._structures.append((number, whole.from_address(address), read))
            else:
                target = scalar.from_address(address)
                self._scalars.append((number, target, scalar.from_address, is_pointer))

    def _fill(self, parameters: int) -> list[int]:
        """Copy arguments to where they go; the pointers among them, no two of which are equal and
        follow each other."""
        found: list[int] = []
        last = 0
        # No function of C is called: ctypes would let another thread run before and after it.
        given = self._pointers.from_address(parameters)
        for number, target, read, is_pointer in self._scalars:
            target.value = value = read(given[number]).value
            if is_pointer and value != last:
                found.append(value)
                last = value
        for number, whole, read_whole in self._structures:
            whole.raw = read_whole(given[number]).raw
        return found

    @staticmethod
    def of(context: Context, stream: Stream, made: Launch) -> Again | None:
        """For launches like `made`, which has been queued; None where something looks at them."""
        host, layout = context.host, made.kernel.layout
        if not layout or not layout.fields:
            return None
        # Its arguments are its own: `made` may not have run yet.
        own, _ = copy_parameters(made.kernel, ctypes.addressof(made.parameters), lambda _: None)
        first = made.again()
        first.parameters = own
        first.record.params = ctypes.addressof(own)
        repeated = host.repeated(stream.work, first)
        return None if repeated is None else Again(context, own, layout, repeated)

    def __call__(self, context: Context, stream: Stream, parameters: int) -> bool:
        """Launch it; False if nothing was done, and it has to be queued like any other."""
        host = self._host
        if host.counts is not None:
            return False
        stream.follow_legacy()
        pointers = self._fill(parameters)
        if not self._repeated(waits=False):
            return False
        host.session.create("launches")
        self._check(pointers)
        return True

    def _check(self, pointers: Sequence[int]) -> None:
        """Fail for what was stored beside allocations."""
        found = trespass(pointers) if pointers else None
        if found is not None:
            self._context.session.fail(found, "")

    def note(self, function: int, stream: int, sizes: Sequence[int]) -> None:
        """Let machine code make the launch the next time, if a call with these handles and sizes
        has made it in this one, and there is no other call (`Mirror.repeats`)."""
        mirror = self._context.driver.mirror
        series = mirror.repeats()
        if not series:
            return
        self._context.device.note_idle()
        at_hand, notes = self._repeated.at_hand, self._notes
        if at_hand is None:
            self._forget()
            return
        if at_hand is not self._at_hand and self._at_hand is not None:
            series = mirror.begin_series()
        if (
            notes is None or notes.owner is not self._own_reference
            or at_hand is not self._at_hand or function != self._function
            or stream != self._stream
        ):  # fmt: skip
            record, worker, thread = at_hand
            arguments, lead = self._places(), native_library().symbols["xgpu_lead_again"]
            words = (
                function, self._context.handle, stream, *sizes, thread, 0, lead, record, worker,
                self._repeated.most_quick, len(arguments) // 2, *arguments,
            )  # fmt: skip
            notes = self._notes = mirror.launch(words, self._own_reference)
            self._at_hand, self._function, self._stream = at_hand, function, stream
        notes.words[WITHIN] = series

    def _forget(self) -> None:
        """The launch that notes are of is gone. There may be several, by handles of one stream."""
        self._context.driver.mirror.end_series()
        self._at_hand = None

    def _places(self) -> list[int]:
        """For each argument where it goes and how many bytes it has, below zero for a pointer."""
        found = {
            number: (ctypes.addressof(target), -8 if is_pointer else ctypes.sizeof(target))
            for number, target, _, is_pointer in self._scalars
        }
        for number, whole, _ in self._structures:
            found[number] = ctypes.addressof(whole), ctypes.sizeof(whole)
        return [word for number in sorted(found) for word in found[number]]

    def settle(self, code: int) -> None:
        """End a launch by machine code whose result was `code`, and which has not gone well."""
        if code >= 0:
            self._repeated.settle(code)
            self._forget()
        self._check([target.value for _, target, _, is_pointer in self._scalars if is_pointer])


def settler(driver: Driver, result_of: Callable[[BaseException], int]) -> ctypes._CFunctionType:
    """What machine code calls for a launch that has not gone well, with the place of its notes and
    what its code has given; `result_of` gives the result for what is raised."""

    def settle(place: int, code: int) -> int:
        try:
            driver.settle_memory()  # what the kernel has used may be released
            owner = driver.mirror.owner_of(place)
            if isinstance(owner, Again):
                owner.settle(code)
        except BaseException as problem:
            return result_of(problem)
        return 0

    return ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)(settle)
