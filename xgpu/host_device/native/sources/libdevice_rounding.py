# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""libdevice's functions with directed rounding."""

from __future__ import annotations

from xgpu.host_device.native.prelude import f32, f64, i32, i64, lshr, zext64
from xgpu.host_device.native.sources.directed_rounding import (
    RD,
    RU,
    RZ,
    add,
    addf,
    divide,
    dividef,
    fused,
    fusedf,
    integer_error,
    multiply,
    multiplyf,
    root,
    rootf,
    step,
    stepf,
)


def xgpu_nv_dadd_rz(a: f64, b: f64) -> f64:
    return add(a, b, RZ)


def xgpu_nv_dsub_rz(a: f64, b: f64) -> f64:
    return add(a, -b, RZ)


def xgpu_nv_dmul_rz(a: f64, b: f64) -> f64:
    return multiply(a, b, RZ)


def xgpu_nv_ddiv_rz(a: f64, b: f64) -> f64:
    return divide(a, b, RZ)


def xgpu_nv_drcp_rz(a: f64) -> f64:
    return divide(1.0, a, RZ)


def xgpu_nv_dsqrt_rz(a: f64) -> f64:
    return root(a, RZ)


def xgpu_nv_fadd_rz(a: f32, b: f32) -> f32:
    return addf(a, b, RZ)


def xgpu_nv_fsub_rz(a: f32, b: f32) -> f32:
    return addf(a, -b, RZ)


def xgpu_nv_fmul_rz(a: f32, b: f32) -> f32:
    return multiplyf(a, b, RZ)


def xgpu_nv_fdiv_rz(a: f32, b: f32) -> f32:
    return dividef(a, b, RZ)


def xgpu_nv_frcp_rz(a: f32) -> f32:
    return dividef(f32(1.0), a, RZ)


def xgpu_nv_fsqrt_rz(a: f32) -> f32:
    return rootf(a, RZ)


def xgpu_nv_fma_rz(a: f64, b: f64, c: f64) -> f64:
    return fused(a, b, c, RZ)


def xgpu_nv_fmaf_rz(a: f32, b: f32, c: f32) -> f32:
    return fusedf(a, b, c, RZ)


def xgpu_nv_fmaf_ieee_rz(a: f32, b: f32, c: f32) -> f32:
    return fusedf(a, b, c, RZ)


def xgpu_nv_double2float_rz(x: f64) -> f32:
    r = f32(x)
    return stepf(r, x - f64(r), RZ)


def xgpu_nv_int2float_rz(x: i32) -> f32:
    return xgpu_nv_double2float_rz(f64(x))


def xgpu_nv_uint2float_rz(x: i32) -> f32:
    return xgpu_nv_double2float_rz(f64(zext64(x)))


def xgpu_nv_ll2float_rz(x: i64) -> f32:
    r = f32(x)
    return stepf(r, integer_error(x, f64(r)), RZ)


def xgpu_nv_ull2float_rz(x: i64) -> f32:
    half = lshr(x, 1) | (x & 1)
    signed = xgpu_nv_ll2float_rz(x)
    if x >= 0:
        return signed
    doubled = xgpu_nv_ll2float_rz(half)
    return doubled + doubled


def xgpu_nv_ll2double_rz(x: i64) -> f64:
    r = f64(x)
    return step(r, integer_error(x, f64(r)), RZ)


def xgpu_nv_ull2double_rz(x: i64) -> f64:
    half = lshr(x, 1) | (x & 1)
    signed = xgpu_nv_ll2double_rz(x)
    if x >= 0:
        return signed
    doubled = xgpu_nv_ll2double_rz(half)
    return doubled + doubled


def xgpu_nv_dadd_rd(a: f64, b: f64) -> f64:
    return add(a, b, RD)


def xgpu_nv_dsub_rd(a: f64, b: f64) -> f64:
    return add(a, -b, RD)


def xgpu_nv_dmul_rd(a: f64, b: f64) -> f64:
    return multiply(a, b, RD)


def xgpu_nv_ddiv_rd(a: f64, b: f64) -> f64:
    return divide(a, b, RD)


def xgpu_nv_drcp_rd(a: f64) -> f64:
    return divide(1.0, a, RD)


def xgpu_nv_dsqrt_rd(a: f64) -> f64:
    return root(a, RD)


def xgpu_nv_fadd_rd(a: f32, b: f32) -> f32:
    return addf(a, b, RD)


def xgpu_nv_fsub_rd(a: f32, b: f32) -> f32:
    return addf(a, -b, RD)


def xgpu_nv_fmul_rd(a: f32, b: f32) -> f32:
    return multiplyf(a, b, RD)


def xgpu_nv_fdiv_rd(a: f32, b: f32) -> f32:
    return dividef(a, b, RD)


def xgpu_nv_frcp_rd(a: f32) -> f32:
    return dividef(f32(1.0), a, RD)


def xgpu_nv_fsqrt_rd(a: f32) -> f32:
    return rootf(a, RD)


def xgpu_nv_fma_rd(a: f64, b: f64, c: f64) -> f64:
    return fused(a, b, c, RD)


def xgpu_nv_fmaf_rd(a: f32, b: f32, c: f32) -> f32:
    return fusedf(a, b, c, RD)


def xgpu_nv_fmaf_ieee_rd(a: f32, b: f32, c: f32) -> f32:
    return fusedf(a, b, c, RD)


def xgpu_nv_double2float_rd(x: f64) -> f32:
    r = f32(x)
    return stepf(r, x - f64(r), RD)


def xgpu_nv_int2float_rd(x: i32) -> f32:
    return xgpu_nv_double2float_rd(f64(x))


def xgpu_nv_uint2float_rd(x: i32) -> f32:
    return xgpu_nv_double2float_rd(f64(zext64(x)))


def xgpu_nv_ll2float_rd(x: i64) -> f32:
    r = f32(x)
    return stepf(r, integer_error(x, f64(r)), RD)


def xgpu_nv_ull2float_rd(x: i64) -> f32:
    half = lshr(x, 1) | (x & 1)
    signed = xgpu_nv_ll2float_rd(x)
    if x >= 0:
        return signed
    doubled = xgpu_nv_ll2float_rd(half)
    return doubled + doubled


def xgpu_nv_ll2double_rd(x: i64) -> f64:
    r = f64(x)
    return step(r, integer_error(x, f64(r)), RD)


def xgpu_nv_ull2double_rd(x: i64) -> f64:
    half = lshr(x, 1) | (x & 1)
    signed = xgpu_nv_ll2double_rd(x)
    if x >= 0:
        return signed
    doubled = xgpu_nv_ll2double_rd(half)
    return doubled + doubled


def xgpu_nv_dadd_ru(a: f64, b: f64) -> f64:
    return add(a, b, RU)


def xgpu_nv_dsub_ru(a: f64, b: f64) -> f64:
    return add(a, -b, RU)


def xgpu_nv_dmul_ru(a: f64, b: f64) -> f64:
    return multiply(a, b, RU)


def xgpu_nv_ddiv_ru(a: f64, b: f64) -> f64:
    return divide(a, b, RU)


def xgpu_nv_drcp_ru(a: f64) -> f64:
    return divide(1.0, a, RU)


def xgpu_nv_dsqrt_ru(a: f64) -> f64:
    return root(a, RU)


def xgpu_nv_fadd_ru(a: f32, b: f32) -> f32:
    return addf(a, b, RU)


def xgpu_nv_fsub_ru(a: f32, b: f32) -> f32:
    return addf(a, -b, RU)


def xgpu_nv_fmul_ru(a: f32, b: f32) -> f32:
    return multiplyf(a, b, RU)


def xgpu_nv_fdiv_ru(a: f32, b: f32) -> f32:
    return dividef(a, b, RU)


def xgpu_nv_frcp_ru(a: f32) -> f32:
    return dividef(f32(1.0), a, RU)


def xgpu_nv_fsqrt_ru(a: f32) -> f32:
    return rootf(a, RU)


def xgpu_nv_fma_ru(a: f64, b: f64, c: f64) -> f64:
    return fused(a, b, c, RU)


def xgpu_nv_fmaf_ru(a: f32, b: f32, c: f32) -> f32:
    return fusedf(a, b, c, RU)


def xgpu_nv_fmaf_ieee_ru(a: f32, b: f32, c: f32) -> f32:
    return fusedf(a, b, c, RU)


def xgpu_nv_double2float_ru(x: f64) -> f32:
    r = f32(x)
    return stepf(r, x - f64(r), RU)


def xgpu_nv_int2float_ru(x: i32) -> f32:
    return xgpu_nv_double2float_ru(f64(x))


def xgpu_nv_uint2float_ru(x: i32) -> f32:
    return xgpu_nv_double2float_ru(f64(zext64(x)))


def xgpu_nv_ll2float_ru(x: i64) -> f32:
    r = f32(x)
    return stepf(r, integer_error(x, f64(r)), RU)


def xgpu_nv_ull2float_ru(x: i64) -> f32:
    half = lshr(x, 1) | (x & 1)
    signed = xgpu_nv_ll2float_ru(x)
    if x >= 0:
        return signed
    doubled = xgpu_nv_ll2float_ru(half)
    return doubled + doubled


def xgpu_nv_ll2double_ru(x: i64) -> f64:
    r = f64(x)
    return step(r, integer_error(x, f64(r)), RU)


def xgpu_nv_ull2double_ru(x: i64) -> f64:
    half = lshr(x, 1) | (x & 1)
    signed = xgpu_nv_ll2double_ru(x)
    if x >= 0:
        return signed
    doubled = xgpu_nv_ll2double_ru(half)
    return doubled + doubled
