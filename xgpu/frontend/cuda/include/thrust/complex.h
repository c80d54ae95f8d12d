// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Thrust's complex numbers, on the host and in kernels. Branch cuts are those of C99's functions.
#pragma once
#include <cuda_runtime.h>

#ifdef XGPU_WHOLE_PROGRAM
#include <cmath>
#include <complex>
#include <sstream>
#include <type_traits>

#define XGPU_COMPLEX __host__ __device__

namespace thrust {

template <typename T> struct complex {
  typedef T value_type;

  XGPU_COMPLEX constexpr complex() : re(), im() {}
  XGPU_COMPLEX constexpr complex(const T &re) : re(re), im() {}
  XGPU_COMPLEX constexpr complex(const T &re, const T &im) : re(re), im(im) {}
  template <typename U>
  XGPU_COMPLEX constexpr complex(const complex<U> &z) : re(T(z.real())), im(T(z.imag())) {}
  template <typename U> complex(const std::complex<U> &z) : re(T(z.real())), im(T(z.imag())) {}
  operator std::complex<T>() const { return std::complex<T>(re, im); }

  XGPU_COMPLEX constexpr T real() const { return re; }
  XGPU_COMPLEX constexpr T imag() const { return im; }
  XGPU_COMPLEX constexpr void real(T value) { re = value; }
  XGPU_COMPLEX constexpr void imag(T value) { im = value; }

  XGPU_COMPLEX constexpr complex &operator=(const T &value) {
    re = value;
    im = T();
    return *this;
  }
#define XGPU_COMPLEX_UPDATE(SIGN)                                                              \
  template <typename U> XGPU_COMPLEX constexpr complex &operator SIGN##=(const U &by) {        \
    return *this = complex(*this SIGN by);                                                     \
  }
  XGPU_COMPLEX_UPDATE(+)
  XGPU_COMPLEX_UPDATE(-)
  XGPU_COMPLEX_UPDATE(*)
  XGPU_COMPLEX_UPDATE(/)
#undef XGPU_COMPLEX_UPDATE

 private:
  T re, im;
};

// -- arithmetic: of two types it is that of their common type

template <typename T> XGPU_COMPLEX constexpr complex<T> operator+(const complex<T> &z) { return z; }
template <typename T> XGPU_COMPLEX constexpr complex<T> operator-(const complex<T> &z) {
  return {-z.real(), -z.imag()};
}

template <typename T> struct xgpu_complex_parts {
  static XGPU_COMPLEX constexpr complex<T> sum(const complex<T> &a, const complex<T> &b) {
    return {a.real() + b.real(), a.imag() + b.imag()};
  }
  static XGPU_COMPLEX constexpr complex<T> difference(const complex<T> &a, const complex<T> &b) {
    return {a.real() - b.real(), a.imag() - b.imag()};
  }
  static XGPU_COMPLEX constexpr complex<T> product(const complex<T> &a, const complex<T> &b) {
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
  }
  // The divisor is scaled, so that its square is neither too large nor too small.
  static XGPU_COMPLEX constexpr complex<T> quotient(const complex<T> &a, const complex<T> &b) {
    T x = b.real() < 0 ? -b.real() : b.real(), y = b.imag() < 0 ? -b.imag() : b.imag();
    T scale = T(1) / (x + y), ar = a.real() * scale, ai = a.imag() * scale;
    T br = b.real() * scale, bi = b.imag() * scale, square = br * br + bi * bi;
    return {(ar * br + ai * bi) / square, (ai * br - ar * bi) / square};
  }
};
#define XGPU_COMPLEX_OPERATOR(SIGN, NAME)                                                      \
  template <typename T, typename U>                                                            \
  XGPU_COMPLEX constexpr auto operator SIGN(const complex<T> &a, const complex<U> &b) {        \
    return xgpu_complex_parts<std::common_type_t<T, U>>::NAME(a, b);                           \
  }                                                                                            \
  template <typename T, typename U, typename = std::enable_if_t<std::is_arithmetic<U>::value>> \
  XGPU_COMPLEX constexpr auto operator SIGN(const complex<T> &a, const U &b) {                 \
    typedef std::common_type_t<T, U> C;                                                        \
    return xgpu_complex_parts<C>::NAME(a, complex<C>(C(b)));                                   \
  }                                                                                            \
  template <typename T, typename U, typename = std::enable_if_t<std::is_arithmetic<T>::value>> \
  XGPU_COMPLEX constexpr auto operator SIGN(const T &a, const complex<U> &b) {                 \
    typedef std::common_type_t<T, U> C;                                                        \
    return xgpu_complex_parts<C>::NAME(complex<C>(C(a)), b);                                   \
  }
XGPU_COMPLEX_OPERATOR(+, sum)
XGPU_COMPLEX_OPERATOR(-, difference)
XGPU_COMPLEX_OPERATOR(*, product)
XGPU_COMPLEX_OPERATOR(/, quotient)
#undef XGPU_COMPLEX_OPERATOR

template <typename T, typename U>
XGPU_COMPLEX constexpr bool operator==(const complex<T> &a, const complex<U> &b) {
  return a.real() == b.real() && a.imag() == b.imag();
}
template <typename T, typename U>
XGPU_COMPLEX constexpr bool operator!=(const complex<T> &a, const complex<U> &b) {
  return !(a == b);
}
template <typename T, typename U, typename = std::enable_if_t<std::is_arithmetic<U>::value>>
XGPU_COMPLEX constexpr bool operator==(const complex<T> &a, const U &b) {
  return a.real() == b && a.imag() == T();
}
template <typename T, typename U, typename = std::enable_if_t<std::is_arithmetic<U>::value>>
XGPU_COMPLEX constexpr bool operator!=(const complex<T> &a, const U &b) {
  return !(a == b);
}

template <typename T, typename C, typename Traits>
std::basic_ostream<C, Traits> &operator<<(std::basic_ostream<C, Traits> &out, const complex<T> &z) {
  return out << std::complex<T>(z);
}
template <typename T, typename C, typename Traits>
std::basic_istream<C, Traits> &operator>>(std::basic_istream<C, Traits> &in, complex<T> &z) {
  std::complex<T> read;
  in >> read;
  z = complex<T>(read);
  return in;
}

// -- functions

template <typename T> XGPU_COMPLEX T abs(const complex<T> &z) {
  return ::hypot(z.real(), z.imag());
}
template <typename T> XGPU_COMPLEX T arg(const complex<T> &z) {
  return ::atan2(z.imag(), z.real());
}
template <typename T> XGPU_COMPLEX constexpr T norm(const complex<T> &z) {
  return z.real() * z.real() + z.imag() * z.imag();
}
template <typename T> XGPU_COMPLEX constexpr complex<T> conj(const complex<T> &z) {
  return {z.real(), -z.imag()};
}
template <typename T> XGPU_COMPLEX complex<T> polar(const T &length, const T &angle = T()) {
  return {length * ::cos(angle), length * ::sin(angle)};
}
template <typename T> XGPU_COMPLEX complex<T> proj(const complex<T> &z) {
  if (::isinf(z.real()) || ::isinf(z.imag())) return {T(INFINITY), ::copysign(T(0), z.imag())};
  return z;
}
template <typename T> XGPU_COMPLEX complex<T> exp(const complex<T> &z) {
  T length = ::exp(z.real());
  if (z.imag() == T()) return {length, z.imag()};
  return {length * ::cos(z.imag()), length * ::sin(z.imag())};
}
template <typename T> XGPU_COMPLEX complex<T> log(const complex<T> &z) {
  return {::log(abs(z)), arg(z)};
}
template <typename T> XGPU_COMPLEX complex<T> log10(const complex<T> &z) {
  return log(z) / T(2.302585092994045684017991454684364208);
}
// The larger part is a root of a sum of numbers of one sign, and the other a quotient.
template <typename T> XGPU_COMPLEX complex<T> sqrt(const complex<T> &z) {
  T x = z.real(), y = z.imag();
  if (x == T() && y == T()) return {T(), y};
  if (::isinf(y)) return {T(INFINITY), y};
  T scale = ::fabs(x) > ::fabs(y) ? ::fabs(x) : ::fabs(y);
  T root = ::sqrt(scale) * ::sqrt((::fabs(x / scale) + ::hypot(x / scale, y / scale)) / T(2));
  if (x >= T()) return {root, y / root / T(2)};
  return {::fabs(y) / root / T(2), ::copysign(root, y)};
}
template <typename T> XGPU_COMPLEX complex<T> pow(const complex<T> &z, const complex<T> &e) {
  if (z == T()) return e == T() ? complex<T>(T(1)) : complex<T>();
  return exp(e * log(z));
}
template <typename T, typename U, typename = std::enable_if_t<std::is_arithmetic<U>::value>>
XGPU_COMPLEX complex<T> pow(const complex<T> &z, const U &e) {
  return pow(z, complex<T>(T(e)));
}
template <typename T, typename U, typename = std::enable_if_t<std::is_arithmetic<T>::value>>
XGPU_COMPLEX complex<U> pow(const T &x, const complex<U> &e) {
  return pow(complex<U>(U(x)), e);
}

template <typename T> XGPU_COMPLEX complex<T> sinh(const complex<T> &z) {
  return {::sinh(z.real()) * ::cos(z.imag()), ::cosh(z.real()) * ::sin(z.imag())};
}
template <typename T> XGPU_COMPLEX complex<T> cosh(const complex<T> &z) {
  return {::cosh(z.real()) * ::cos(z.imag()), ::sinh(z.real()) * ::sin(z.imag())};
}
// With t the hyperbolic tangent of x, and s the sine of y: large x divides no infinite numbers.
template <typename T> XGPU_COMPLEX complex<T> tanh(const complex<T> &z) {
  T x = z.real(), y = z.imag(), s = ::sin(y), c = ::cos(y);
  if (::fabs(x) > T(20)) return {::copysign(T(1), x), T(4) * s * c * ::exp(T(-2) * ::fabs(x))};
  T sh = ::sinh(x), below = sh * sh + c * c;
  return {sh * ::cosh(x) / below, s * c / below};
}
// sin z = -i sinh(iz), and so on.
template <typename T> XGPU_COMPLEX complex<T> sin(const complex<T> &z) {
  complex<T> w = sinh(complex<T>(-z.imag(), z.real()));
  return {w.imag(), -w.real()};
}
template <typename T> XGPU_COMPLEX complex<T> cos(const complex<T> &z) {
  return cosh(complex<T>(-z.imag(), z.real()));
}
template <typename T> XGPU_COMPLEX complex<T> tan(const complex<T> &z) {
  complex<T> w = tanh(complex<T>(-z.imag(), z.real()));
  return {w.imag(), -w.real()};
}
// Kahan's formulas, "Branch cuts for complex elementary functions" (1987).
template <typename T> XGPU_COMPLEX complex<T> asinh(const complex<T> &z) {
  complex<T> iz(-z.imag(), z.real());
  complex<T> a = sqrt(complex<T>(T(1) - iz.real(), -iz.imag()));
  complex<T> b = sqrt(complex<T>(T(1) + iz.real(), iz.imag()));
  T x = ::asinh((conj(a) * b).imag()), y = ::atan2(iz.real(), (a * b).real());
  // asin(iz) = y + ix, and asinh(z) = -i asin(iz).
  return {x, -y};
}
template <typename T> XGPU_COMPLEX complex<T> asin(const complex<T> &z) {
  complex<T> w = asinh(complex<T>(-z.imag(), z.real()));
  return {w.imag(), -w.real()};
}
template <typename T> XGPU_COMPLEX complex<T> acos(const complex<T> &z) {
  complex<T> a = sqrt(complex<T>(T(1) - z.real(), -z.imag()));
  complex<T> b = sqrt(complex<T>(T(1) + z.real(), z.imag()));
  return {T(2) * ::atan2(a.real(), b.real()), ::asinh((conj(b) * a).imag())};
}
template <typename T> XGPU_COMPLEX complex<T> acosh(const complex<T> &z) {
  complex<T> a = sqrt(complex<T>(z.real() - T(1), z.imag()));
  complex<T> b = sqrt(complex<T>(z.real() + T(1), z.imag()));
  return {::asinh((conj(a) * b).real()), T(2) * ::atan2(a.imag(), b.real())};
}
template <typename T> XGPU_COMPLEX complex<T> atanh(const complex<T> &z) {
  T x = z.real(), y = z.imag(), square = y * y;
  T re = ::log1p(T(4) * x / ((T(1) - x) * (T(1) - x) + square)) / T(4);
  T im = ::atan2(T(2) * y, (T(1) - x) * (T(1) + x) - square) / T(2);
  return {re, im};
}
template <typename T> XGPU_COMPLEX complex<T> atan(const complex<T> &z) {
  complex<T> w = atanh(complex<T>(-z.imag(), z.real()));
  return {w.imag(), -w.real()};
}

}  // namespace thrust

#endif
