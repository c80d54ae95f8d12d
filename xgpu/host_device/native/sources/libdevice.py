# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""libdevice's functions that neither LLVM nor the C library has.

Compiled when a kernel first needs one of them.
"""

from __future__ import annotations

from xgpu.host_device.native.prelude import (
    Ptr,
    bits_f32,
    bits_f64,
    bits_i32,
    bits_i64,
    f32,
    f64,
    i32,
    i64,
    lshr,
    popcount,
    ptr,
    trailing_zeros,
    ult,
    zext32,
    zext64,
)
from xgpu.host_device.native.sources.directed_rounding import (
    cbrt,
    cos,
    erf,
    erfc,
    exp,
    fabs,
    fmod,
    hypot,
    infinity,
    log,
    pow,
    scalbn,
    sin,
    sqrt,
    sqrtf,
)


def xgpu_nv_frcp_rn(a: f32) -> f32:
    return f32(1.0) / a


def xgpu_nv_drcp_rn(a: f64) -> f64:
    return 1.0 / a


def xgpu_nv_rcp64h(a: f64) -> f64:
    return 1.0 / a


def xgpu_nv_rsqrt(a: f64) -> f64:
    return 1.0 / sqrt(a)


def xgpu_nv_rsqrtf(a: f32) -> f32:
    return f32(1.0) / sqrtf(a)


def xgpu_nv_frsqrt_rn(a: f32) -> f32:
    return f32(1.0 / sqrt(f64(a)))


def xgpu_nv_clz(x: i32) -> i32:
    n: i32 = 32
    while x != 0:
        x = lshr(x, 1)
        n -= 1
    return n


def xgpu_nv_clzll(x: i64) -> i32:
    n: i32 = 64
    while x != 0:
        x = lshr(x, 1)
        n -= 1
    return n


def xgpu_nv_popc(x: i32) -> i32:
    return popcount(x)


def xgpu_nv_popcll(x: i64) -> i32:
    return popcount(i32(x)) + popcount(i32(lshr(x, 32)))


def xgpu_nv_ffs(x: i32) -> i32:
    return 0 if x == 0 else trailing_zeros(x) + 1


def xgpu_nv_ffsll(x: i64) -> i32:
    if i32(x) != 0:
        return trailing_zeros(i32(x)) + 1
    high = i32(lshr(x, 32))
    return 0 if high == 0 else trailing_zeros(high) + 33


def xgpu_nv_abs(x: i32) -> i32:
    return -x if x < 0 else x


def xgpu_nv_llabs(x: i64) -> i64:
    return -x if x < 0 else x


def xgpu_nv_sad(x: i32, y: i32, z: i32) -> i32:
    return z + (x - y if x > y else y - x)


def xgpu_nv_usad(x: i32, y: i32, z: i32) -> i32:
    return z + (y - x if ult(x, y) else x - y)


def xgpu_nv_hadd(x: i32, y: i32) -> i32:
    return i32((i64(x) + i64(y)) >> 1)


def xgpu_nv_rhadd(x: i32, y: i32) -> i32:
    return i32((i64(x) + i64(y) + 1) >> 1)


def xgpu_nv_uhadd(x: i32, y: i32) -> i32:
    return i32((zext64(x) + zext64(y)) >> 1)


def xgpu_nv_urhadd(x: i32, y: i32) -> i32:
    return i32((zext64(x) + zext64(y) + 1) >> 1)


def xgpu_nv_hiloint2double(high: i32, low: i32) -> f64:
    return bits_f64((zext64(high) << 32) | zext64(low))


def xgpu_nv_double2loint(x: f64) -> i32:
    return i32(bits_i64(x))


def xgpu_nv_double2hiint(x: f64) -> i32:
    return i32(lshr(bits_i64(x), 32))


def xgpu_nv_nan(text: ptr) -> f64:
    return bits_f64(9221120237041090560)


def xgpu_nv_nanf(text: ptr) -> f32:
    return bits_f32(2143289344)


def xgpu_nv_isnanf(x: f32) -> i32:
    return zext32(x != x)


def xgpu_nv_isnand(x: f64) -> i32:
    return zext32(x != x)


def xgpu_nv_isinff(x: f32) -> i32:
    return zext32(fabs(f64(x)) == infinity())


def xgpu_nv_isinfd(x: f64) -> i32:
    return zext32(fabs(f64(x)) == infinity())


def xgpu_nv_finitef(x: f32) -> i32:
    return zext32(fabs(f64(x)) < infinity())


def xgpu_nv_isfinited(x: f64) -> i32:
    return zext32(fabs(f64(x)) < infinity())


def xgpu_nv_signbitf(x: f32) -> i32:
    return lshr(bits_i32(x), 31)


def xgpu_nv_signbitd(x: f64) -> i32:
    return i32(lshr(bits_i64(x), 63))


def xgpu_nv_sinpi(x: f64) -> f64:
    y = fmod(x, 2.0)
    if y == 0.0 or fabs(y) == 1.0:
        return 0.0 * x
    return sin(y * 3.141592653589793)


def xgpu_nv_sinpif(x: f32) -> f32:
    return f32(xgpu_nv_sinpi(f64(x)))


def xgpu_nv_cospi(x: f64) -> f64:
    y = fabs(fmod(x, 2.0))
    if y == 0.5 or y == 1.5:
        return 0.0
    return cos(y * 3.141592653589793)


def xgpu_nv_cospif(x: f32) -> f32:
    return f32(xgpu_nv_cospi(f64(x)))


def xgpu_nv_sincos(x: f64, s: Ptr[f64], c: Ptr[f64]) -> None:
    s[0] = f64(sin(f64(x)))
    c[0] = f64(cos(f64(x)))


def xgpu_nv_sincosf(x: f32, s: Ptr[f32], c: Ptr[f32]) -> None:
    s[0] = f32(sin(f64(x)))
    c[0] = f32(cos(f64(x)))


def xgpu_nv_fast_sincosf(x: f32, s: Ptr[f32], c: Ptr[f32]) -> None:
    s[0] = f32(sin(f64(x)))
    c[0] = f32(cos(f64(x)))


def xgpu_nv_sincospi(x: f64, s: Ptr[f64], c: Ptr[f64]) -> None:
    s[0] = f64(xgpu_nv_sinpi(f64(x)))
    c[0] = f64(xgpu_nv_cospi(f64(x)))


def xgpu_nv_sincospif(x: f32, s: Ptr[f32], c: Ptr[f32]) -> None:
    s[0] = f32(xgpu_nv_sinpi(f64(x)))
    c[0] = f32(xgpu_nv_cospi(f64(x)))


def xgpu_nv_rhypot(x: f64, y: f64) -> f64:
    return 1.0 / hypot(x, y)


def xgpu_nv_rhypotf(x: f32, y: f32) -> f32:
    return f32(xgpu_nv_rhypot(f64(x), f64(y)))


def xgpu_nv_norm3d(x: f64, y: f64, z: f64) -> f64:
    return hypot(hypot(x, y), z)


def xgpu_nv_norm3df(x: f32, y: f32, z: f32) -> f32:
    return f32(xgpu_nv_norm3d(f64(x), f64(y), f64(z)))


def xgpu_nv_rnorm3d(x: f64, y: f64, z: f64) -> f64:
    return 1.0 / hypot(hypot(x, y), z)


def xgpu_nv_rnorm3df(x: f32, y: f32, z: f32) -> f32:
    return f32(xgpu_nv_rnorm3d(f64(x), f64(y), f64(z)))


def xgpu_nv_norm4d(x: f64, y: f64, z: f64, w: f64) -> f64:
    return hypot(hypot(x, y), hypot(z, w))


def xgpu_nv_norm4df(x: f32, y: f32, z: f32, w: f32) -> f32:
    return f32(xgpu_nv_norm4d(f64(x), f64(y), f64(z), f64(w)))


def xgpu_nv_rnorm4d(x: f64, y: f64, z: f64, w: f64) -> f64:
    return 1.0 / hypot(hypot(x, y), hypot(z, w))


def xgpu_nv_rnorm4df(x: f32, y: f32, z: f32, w: f32) -> f32:
    return f32(xgpu_nv_rnorm4d(f64(x), f64(y), f64(z), f64(w)))


def xgpu_nv_norm(n: i32, p: Ptr[f64]) -> f64:
    total = 0.0
    for i in range(n):
        total = hypot(total, f64(p[i]))
    return f64(total)


def xgpu_nv_rnorm(n: i32, p: Ptr[f64]) -> f64:
    return f64(1.0 / f64(xgpu_nv_norm(n, p)))


def xgpu_nv_scalbn(x: f64, n: i32) -> f64:
    return f64(scalbn(f64(x), n))


def xgpu_nv_powi(x: f64, n: i32) -> f64:
    return f64(pow(f64(x), f64(n)))


def xgpu_nv_normf(n: i32, p: Ptr[f32]) -> f32:
    total = 0.0
    for i in range(n):
        total = hypot(total, f64(p[i]))
    return f32(total)


def xgpu_nv_rnormf(n: i32, p: Ptr[f32]) -> f32:
    return f32(1.0 / f64(xgpu_nv_normf(n, p)))


def xgpu_nv_scalbnf(x: f32, n: i32) -> f32:
    return f32(scalbn(f64(x), n))


def xgpu_nv_powif(x: f32, n: i32) -> f32:
    return f32(pow(f64(x), f64(n)))


def xgpu_nv_rcbrt(x: f64) -> f64:
    return 1.0 / cbrt(x)


def xgpu_nv_rcbrtf(x: f32) -> f32:
    return f32(xgpu_nv_rcbrt(f64(x)))


def xgpu_nv_normcdf(x: f64) -> f64:
    return 0.5 * erfc(x * -0.7071067811865476)


def xgpu_nv_normcdff(x: f32) -> f32:
    return f32(xgpu_nv_normcdf(f64(x)))


def xgpu_nv_normcdfinv(x: f64) -> f64:
    return xgpu_nv_erfcinv(2.0 * x) * -1.4142135623730951


def xgpu_nv_normcdfinvf(x: f32) -> f32:
    return f32(xgpu_nv_normcdfinv(f64(x)))


def xgpu_nv_erfcx(x: f64) -> f64:
    if x < 10.0:
        return exp(x * x) * erfc(x)
    t = 1.0 / (x * x)
    series = 1.0 - t * (0.5 - t * (0.75 - t * (1.875 - t * (6.5625 - t * 29.53125))))
    return series / (x * 1.772453850905516)


def xgpu_nv_erfcxf(x: f32) -> f32:
    return f32(xgpu_nv_erfcx(f64(x)))


def xgpu_nv_erfcinv(x: f64) -> f64:
    if x != x or x < 0.0 or x > 2.0:
        return bits_f64(9221120237041090560)
    if x == 0.0:
        return infinity()
    if x == 2.0:
        return -infinity()
    if x > 1.0:
        return -positive_erfcinv(2.0 - x)
    return positive_erfcinv(x)


def xgpu_nv_erfcinvf(x: f32) -> f32:
    return f32(xgpu_nv_erfcinv(f64(x)))


def xgpu_nv_erfinv(x: f64) -> f64:
    if fabs(x) < 0.5:
        return small_erfinv(x)
    if x < 0.0:
        return -xgpu_nv_erfcinv(1.0 + x)
    return xgpu_nv_erfcinv(1.0 - x)


def xgpu_nv_erfinvf(x: f32) -> f32:
    return f32(xgpu_nv_erfinv(f64(x)))


def positive_erfcinv(x: f64) -> f64:
    """For 0 < x <= 1: Newton's method on log(erfc), which is nearly a parabola."""
    y = sqrt(-log(x) * 0.9)
    for _ in range(60):
        value = erfc(y)
        change = log(value / x) * value / (1.1283791670955126 * exp(-(y * y)))
        y = y + change
        if fabs(change) < 1.0e-17 * fabs(y):
            return y
    return y


def small_erfinv(x: f64) -> f64:
    """For |x| < 0.5: Newton's method on erf, from its linear term."""
    y = x * 0.886226925452758
    for _ in range(12):
        y = y - (erf(y) - x) / (1.1283791670955126 * exp(-(y * y)))
    return y


def bessel_series(x: f64, order: i32) -> f64:
    """The power series of the modified Bessel function: all terms are positive."""
    q = x * x * 0.25
    term = 1.0 if order == 0 else fabs(x) * 0.5
    total = term
    k = 1.0
    while term > total * 1.0e-18 and k < 2000.0:
        term = term * q / (k * (k + f64(order)))
        total = total + term
        k = k + 1.0
    return total


def xgpu_nv_cyl_bessel_i0(x: f64) -> f64:
    return bessel_series(x, 0)


def xgpu_nv_cyl_bessel_i0f(x: f32) -> f32:
    return f32(xgpu_nv_cyl_bessel_i0(f64(x)))


def xgpu_nv_cyl_bessel_i1(x: f64) -> f64:
    r = bessel_series(x, 1)
    return -r if x < 0.0 else r


def xgpu_nv_cyl_bessel_i1f(x: f32) -> f32:
    return f32(xgpu_nv_cyl_bessel_i1(f64(x)))
