# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of the C library's libm."""

from __future__ import annotations

from xgpu.host_device.native.prelude import extern, f32, f64, i32


@extern
def fma(x: f64, y: f64, z: f64) -> f64: ...


@extern
def fmaf(x: f32, y: f32, z: f32) -> f32: ...


@extern
def sqrt(x: f64) -> f64: ...


@extern
def sqrtf(x: f32) -> f32: ...


@extern
def exp(x: f64) -> f64: ...


@extern
def log(x: f64) -> f64: ...


@extern
def sin(x: f64) -> f64: ...


@extern
def cos(x: f64) -> f64: ...


@extern
def fmod(x: f64, y: f64) -> f64: ...


@extern
def cbrt(x: f64) -> f64: ...


@extern
def pow(x: f64, y: f64) -> f64: ...


@extern
def erf(x: f64) -> f64: ...


@extern
def erfc(x: f64) -> f64: ...


@extern
def fabs(x: f64) -> f64: ...


@extern
def scalbn(x: f64, n: i32) -> f64: ...


@extern
def hypot(x: f64, y: f64) -> f64: ...


@extern
def nextafter(x: f64, y: f64) -> f64: ...


@extern
def nextafterf(x: f32, y: f32) -> f32: ...
