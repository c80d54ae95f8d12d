// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Thrust's errors, pointers to the device's memory, execution policies and iterators.
#pragma once
#include <thrust/xgpu/values.h>

#ifdef XGPU_WHOLE_PROGRAM
#include <cstddef>
#include <iostream>
#include <iterator>
#include <stdexcept>
#include <string>

namespace thrust {

// -- errors

class system_error : public std::runtime_error {
 public:
  explicit system_error(cudaError_t code, const std::string &where = "")
      : std::runtime_error(where + (where.empty() ? "" : ": ") + cudaGetErrorString(code)) {}
};
namespace system {
using thrust::system_error;
}

namespace xgpu {

inline void checked(cudaError_t code) {
  if (code != cudaSuccess) throw system_error(code);
}

// Whose memory an iterator reads and writes. Iterators that need no memory have no place.
enum class Place { NO_ITERATOR, ANY, HOST, DEVICE };

// Whether an iterator is one of this file, which says so.
template <typename I, typename = void> constexpr bool is_own = false;
template <typename I> constexpr bool is_own<I, std::void_t<decltype(I::xgpu_place)>> = true;

template <typename I, typename = void> struct PlaceOf {
  static constexpr Place value = Place::NO_ITERATOR;
};
template <typename T> struct PlaceOf<T *> {
  static constexpr Place value = Place::HOST;
};
template <typename I>
struct PlaceOf<I, std::void_t<typename I::iterator_category, typename I::difference_type>> {
  template <typename J> static constexpr Place of() {
    if constexpr (is_own<J>) return J::xgpu_place;
    else return Place::HOST;
  }
  static constexpr Place value = of<I>();
};
template <typename I> constexpr bool is_iterator = PlaceOf<I>::value != Place::NO_ITERATOR;
constexpr Place common(Place a, Place b) { return a < b ? b : a; }
template <typename... I> constexpr Place place_of() {
  Place found = Place::NO_ITERATOR;
  ((found = common(found, PlaceOf<I>::value)), ...);
  return found;
}

// Iterators as kernels take them: pointers where they are `device_ptr`s, however deep.
template <typename T> XGPU_THRUST_BOTH T *raw(T *pointer) { return pointer; }
template <typename I> XGPU_THRUST_BOTH auto raw(const I &iterator) {
  if constexpr (PlaceOf<I>::value == Place::DEVICE) return iterator.xgpu_raw();
  else return iterator;
}
template <typename I> using raw_of = decltype(raw(std::declval<I>()));
template <typename I> using value_of = typename std::iterator_traits<I>::value_type;
template <typename I> using reference_of = typename std::iterator_traits<I>::reference;

}  // namespace xgpu

// -- values and pointers

template <typename T, bool IS_UNIVERSAL> class xgpu_pointer;

// A value in the device's memory, which the host reads and writes by copies.
template <typename T> class device_reference {
 public:
  typedef std::remove_const_t<T> value_type;
  typedef xgpu_pointer<T, false> pointer;

  XGPU_THRUST_BOTH explicit device_reference(T *place) : place(place) {}
  device_reference(const device_reference &) = default;
  XGPU_THRUST_BOTH operator value_type() const {
#ifdef __CUDA_ARCH__
    return *place;
#else
    value_type value;
    xgpu::checked(cudaMemcpy((void *)&value, place, sizeof(T), cudaMemcpyDefault));
    return value;
#endif
  }
  XGPU_THRUST_BOTH const device_reference &operator=(const value_type &value) const {
#ifdef __CUDA_ARCH__
    *place = value;
#else
    xgpu::checked(cudaMemcpy((void *)place, &value, sizeof(T), cudaMemcpyDefault));
#endif
    return *this;
  }
  XGPU_THRUST_BOTH const device_reference &operator=(const device_reference &other) const {
    return *this = value_type(other);
  }
  XGPU_THRUST_BOTH pointer operator&() const { return pointer(place); }
#define XGPU_THRUST_UPDATE(SIGN)                                                               \
  template <typename U>                                                                        \
  XGPU_THRUST_BOTH const device_reference &operator SIGN##=(const U &by) const {               \
    return *this = value_type(value_type(*this) SIGN by);                                      \
  }
  XGPU_THRUST_UPDATE(+)
  XGPU_THRUST_UPDATE(-)
  XGPU_THRUST_UPDATE(*)
  XGPU_THRUST_UPDATE(/)
  XGPU_THRUST_UPDATE(|)
  XGPU_THRUST_UPDATE(&)
#undef XGPU_THRUST_UPDATE
  XGPU_THRUST_BOTH const device_reference &operator++() const { return *this += value_type(1); }
  XGPU_THRUST_BOTH const device_reference &operator--() const { return *this -= value_type(1); }

 private:
  T *place;
};
template <typename C, typename Traits, typename T>
std::basic_ostream<C, Traits> &operator<<(std::basic_ostream<C, Traits> &out,
                                          const device_reference<T> &reference) {
  return out << std::remove_const_t<T>(reference);
}
template <typename T> T &raw_reference_cast(device_reference<T> reference) {
  return *(&reference).get();
}
template <typename T> T &raw_reference_cast(T &reference) { return reference; }

// A pointer to the device's memory. The host reads universal memory (`cudaMallocManaged`) as it is.
template <typename T, bool IS_UNIVERSAL> class xgpu_pointer {
 public:
  typedef std::random_access_iterator_tag iterator_category;
  typedef std::remove_const_t<T> value_type;
  typedef std::ptrdiff_t difference_type;
  typedef xgpu_pointer pointer;
  typedef std::conditional_t<IS_UNIVERSAL || std::is_void<T>::value, std::add_lvalue_reference_t<T>,
                             device_reference<T>>
      reference;
  static constexpr xgpu::Place xgpu_place = xgpu::Place::DEVICE;

  XGPU_THRUST_BOTH xgpu_pointer() : place(nullptr) {}
  XGPU_THRUST_BOTH xgpu_pointer(std::nullptr_t) : place(nullptr) {}
  XGPU_THRUST_BOTH explicit xgpu_pointer(T *place) : place(place) {}
  template <typename U, bool WAS, typename = std::enable_if_t<std::is_convertible<U *, T *>::value>>
  XGPU_THRUST_BOTH xgpu_pointer(const xgpu_pointer<U, WAS> &other) : place(other.get()) {}

  XGPU_THRUST_BOTH T *get() const { return place; }
  XGPU_THRUST_BOTH T *xgpu_raw() const { return place; }
  XGPU_THRUST_BOTH explicit operator bool() const { return place; }
  XGPU_THRUST_BOTH reference operator*() const { return at(0); }
  XGPU_THRUST_BOTH reference operator[](difference_type i) const { return at(i); }
  XGPU_THRUST_BOTH T *operator->() const {
    static_assert(IS_UNIVERSAL, "the host reads values of the device by copies, as by `*`");
    return place;
  }
  XGPU_THRUST_BOTH xgpu_pointer operator+(difference_type by) const {
    return xgpu_pointer(place + by);
  }
  XGPU_THRUST_BOTH friend xgpu_pointer operator+(difference_type by, xgpu_pointer p) {
    return p + by;
  }
  XGPU_THRUST_BOTH xgpu_pointer operator-(difference_type by) const {
    return xgpu_pointer(place - by);
  }
  XGPU_THRUST_BOTH xgpu_pointer &operator+=(difference_type by) { return place += by, *this; }
  XGPU_THRUST_BOTH xgpu_pointer &operator-=(difference_type by) { return place -= by, *this; }
  XGPU_THRUST_BOTH xgpu_pointer &operator++() { return ++place, *this; }
  XGPU_THRUST_BOTH xgpu_pointer &operator--() { return --place, *this; }
  XGPU_THRUST_BOTH xgpu_pointer operator++(int) { return xgpu_pointer(place++); }
  XGPU_THRUST_BOTH xgpu_pointer operator--(int) { return xgpu_pointer(place--); }

 private:
  T *place;
  XGPU_THRUST_BOTH reference at(difference_type i) const {
    if constexpr (IS_UNIVERSAL) return place[i];
    else return reference(place + i);
  }
};
// Those of constant and of other values are compared too.
template <typename T, bool A, typename U, bool B>
XGPU_THRUST_BOTH std::ptrdiff_t operator-(xgpu_pointer<T, A> a, xgpu_pointer<U, B> b) {
  return a.get() - b.get();
}
#define XGPU_THRUST_COMPARED(SIGN)                                                             \
  template <typename T, bool A, typename U, bool B>                                            \
  XGPU_THRUST_BOTH bool operator SIGN(xgpu_pointer<T, A> a, xgpu_pointer<U, B> b) {            \
    return a.get() SIGN b.get();                                                               \
  }
XGPU_THRUST_COMPARED(==)
XGPU_THRUST_COMPARED(!=)
XGPU_THRUST_COMPARED(<)
XGPU_THRUST_COMPARED(>)
XGPU_THRUST_COMPARED(<=)
XGPU_THRUST_COMPARED(>=)
#undef XGPU_THRUST_COMPARED

template <typename T> using device_ptr = xgpu_pointer<T, false>;
template <typename T> using universal_ptr = xgpu_pointer<T, true>;

template <typename T> XGPU_THRUST_BOTH device_ptr<T> device_pointer_cast(T *place) {
  return device_ptr<T>(place);
}
template <typename T> XGPU_THRUST_BOTH device_ptr<T> device_pointer_cast(device_ptr<T> pointer) {
  return pointer;
}
template <typename T, bool IS_UNIVERSAL>
XGPU_THRUST_BOTH T *raw_pointer_cast(const xgpu_pointer<T, IS_UNIVERSAL> &pointer) {
  return pointer.get();
}
template <typename T> XGPU_THRUST_BOTH T *raw_pointer_cast(T *pointer) { return pointer; }

template <typename T> device_ptr<T> device_malloc(std::size_t count) {
  T *place;
  xgpu::checked(cudaMalloc(&place, count * sizeof(T)));
  return device_ptr<T>(place);
}
inline device_ptr<void> device_malloc(std::size_t bytes) {
  void *place;
  xgpu::checked(cudaMalloc(&place, bytes));
  return device_ptr<void>(place);
}
template <typename T> void device_free(device_ptr<T> pointer) {
  xgpu::checked(cudaFree((void *)pointer.get()));
}

// -- where algorithms run

struct host_policy {};
struct device_policy {
  cudaStream_t stream = 0;
  device_policy on(cudaStream_t other) const { return device_policy{other}; }
};
static const host_policy host, seq;
static const device_policy device;
namespace cuda {
static const device_policy par, par_nosync;
}

namespace xgpu {

template <typename P>
constexpr bool is_policy = std::is_same<std::decay_t<P>, host_policy>::value ||
                           std::is_same<std::decay_t<P>, device_policy>::value;
template <typename P> using for_policy = std::enable_if_t<is_policy<P>>;
template <typename I> using not_policy = std::enable_if_t<!is_policy<I>>;
// The policy of a call with these arguments, functions and values among them. Pointers are those of
// the host, or values.
template <typename... I>
using policy_of = std::conditional_t<
    place_of<std::decay_t<I>...>() == Place::HOST, host_policy, device_policy>;

}  // namespace xgpu

// -- iterators

template <typename I> struct iterator_traits : std::iterator_traits<I> {};
template <typename I> struct iterator_value { typedef xgpu::value_of<I> type; };
template <typename I> struct iterator_reference { typedef xgpu::reference_of<I> type; };
template <typename I> struct iterator_difference {
  typedef typename std::iterator_traits<I>::difference_type type;
};
template <typename I> struct iterator_pointer {
  typedef typename std::iterator_traits<I>::pointer type;
};
struct use_default {};

template <typename I> XGPU_THRUST_BOTH auto distance(I first, I last) { return last - first; }
template <typename I, typename N> XGPU_THRUST_BOTH void advance(I &iterator, N by) {
  iterator += by;
}
template <typename I> XGPU_THRUST_BOTH I next(I iterator, std::ptrdiff_t by = 1) {
  return iterator + by;
}
template <typename I> XGPU_THRUST_BOTH I prev(I iterator, std::ptrdiff_t by = 1) {
  return iterator - by;
}

namespace xgpu {

// What the iterators below have in common: an iterator at a distance from another. `Self` has
// `moved(by)`, `from(other)` and `operator*`.
template <typename Self, typename Value, typename Reference, Place PLACE> class Iterator {
 public:
  typedef std::random_access_iterator_tag iterator_category;
  typedef Value value_type;
  typedef Reference reference;
  typedef std::ptrdiff_t difference_type;
  typedef void pointer;
  static constexpr Place xgpu_place = PLACE;

  XGPU_THRUST_BOTH Reference operator[](difference_type i) const { return *self().moved(i); }
  XGPU_THRUST_BOTH Self operator+(difference_type by) const { return self().moved(by); }
  XGPU_THRUST_BOTH friend Self operator+(difference_type by, const Self &a) { return a.moved(by); }
  XGPU_THRUST_BOTH Self operator-(difference_type by) const { return self().moved(-by); }
  XGPU_THRUST_BOTH Self &operator+=(difference_type by) { return self() = self().moved(by); }
  XGPU_THRUST_BOTH Self &operator-=(difference_type by) { return self() = self().moved(-by); }
  XGPU_THRUST_BOTH Self &operator++() { return *this += 1; }
  XGPU_THRUST_BOTH Self &operator--() { return *this -= 1; }
  XGPU_THRUST_BOTH Self operator++(int) {
    Self old = self();
    ++*this;
    return old;
  }
  XGPU_THRUST_BOTH Self operator--(int) {
    Self old = self();
    --*this;
    return old;
  }
  XGPU_THRUST_BOTH friend difference_type operator-(const Self &a, const Self &b) {
    return a.from(b);
  }
#define XGPU_THRUST_COMPARED(SIGN)                                                             \
  XGPU_THRUST_BOTH friend bool operator SIGN(const Self &a, const Self &b) {                   \
    return a.from(b) SIGN 0;                                                                   \
  }
  XGPU_THRUST_COMPARED(==)
  XGPU_THRUST_COMPARED(!=)
  XGPU_THRUST_COMPARED(<)
  XGPU_THRUST_COMPARED(>)
  XGPU_THRUST_COMPARED(<=)
  XGPU_THRUST_COMPARED(>=)
#undef XGPU_THRUST_COMPARED

 private:
  XGPU_THRUST_BOTH Self &self() { return static_cast<Self &>(*this); }
  XGPU_THRUST_BOTH const Self &self() const { return static_cast<const Self &>(*this); }
};

}  // namespace xgpu

template <typename T>
class counting_iterator : public xgpu::Iterator<counting_iterator<T>, T, T, xgpu::Place::ANY> {
 public:
  XGPU_THRUST_BOTH counting_iterator() : value() {}
  XGPU_THRUST_BOTH explicit counting_iterator(T value) : value(value) {}
  XGPU_THRUST_BOTH T operator*() const { return value; }
  XGPU_THRUST_BOTH counting_iterator moved(std::ptrdiff_t by) const {
    return counting_iterator(T(value + by));
  }
  XGPU_THRUST_BOTH std::ptrdiff_t from(const counting_iterator &other) const {
    return std::ptrdiff_t(value) - std::ptrdiff_t(other.value);
  }

 private:
  T value;
};
template <typename T> XGPU_THRUST_BOTH counting_iterator<T> make_counting_iterator(T value) {
  return counting_iterator<T>(value);
}

template <typename T>
class constant_iterator : public xgpu::Iterator<constant_iterator<T>, T, T, xgpu::Place::ANY> {
 public:
  XGPU_THRUST_BOTH constant_iterator() : value(), position(0) {}
  XGPU_THRUST_BOTH explicit constant_iterator(const T &value, std::ptrdiff_t position = 0)
      : value(value), position(position) {}
  XGPU_THRUST_BOTH T operator*() const { return value; }
  XGPU_THRUST_BOTH constant_iterator moved(std::ptrdiff_t by) const {
    return constant_iterator(value, position + by);
  }
  XGPU_THRUST_BOTH std::ptrdiff_t from(const constant_iterator &other) const {
    return position - other.position;
  }

 private:
  T value;
  std::ptrdiff_t position;
};
template <typename T>
XGPU_THRUST_BOTH constant_iterator<T> make_constant_iterator(T value, std::ptrdiff_t position = 0) {
  return constant_iterator<T>(value, position);
}

// Takes any value, and keeps none.
class discard_iterator_value {
 public:
  template <typename T>
  XGPU_THRUST_BOTH const discard_iterator_value &operator=(const T &) const { return *this; }
};
template <typename = use_default>
class discard_iterator : public xgpu::Iterator<discard_iterator<>, discard_iterator_value,
                                               discard_iterator_value, xgpu::Place::ANY> {
 public:
  XGPU_THRUST_BOTH explicit discard_iterator(std::ptrdiff_t position = 0) : position(position) {}
  XGPU_THRUST_BOTH discard_iterator_value operator*() const { return {}; }
  XGPU_THRUST_BOTH discard_iterator moved(std::ptrdiff_t by) const {
    return discard_iterator(position + by);
  }
  XGPU_THRUST_BOTH std::ptrdiff_t from(const discard_iterator &other) const {
    return position - other.position;
  }

 private:
  std::ptrdiff_t position;
};
inline XGPU_THRUST_BOTH discard_iterator<> make_discard_iterator(std::ptrdiff_t position = 0) {
  return discard_iterator<>(position);
}

template <typename F, typename I, typename R = use_default, typename V = use_default>
class transform_iterator;
template <typename Iterators> class zip_iterator;
template <typename Elements, typename Indices> class permutation_iterator;
template <typename F, typename I> class transform_output_iterator;

namespace xgpu {

template <typename F, typename I>
using transformed = decltype(std::declval<F &>()(*std::declval<raw_of<I>>()));
template <typename Given, typename T>
using unless_default = std::conditional_t<std::is_same<Given, use_default>::value, T, Given>;
template <typename F, typename I, typename R, typename V>
using TransformBase = Iterator<
    transform_iterator<F, I, R, V>, unless_default<V, std::decay_t<transformed<F, I>>>,
    unless_default<R, transformed<F, I>>, PlaceOf<I>::value>;

template <typename Iterators> struct ZipBase;
template <typename... I> struct ZipBase<tuple<I...>> {
  typedef Iterator<zip_iterator<tuple<I...>>, tuple<value_of<I>...>, tuple<reference_of<I>...>,
                   place_of<I...>()>
      type;
};
template <typename E, typename I>
using PermutationBase = Iterator<permutation_iterator<E, I>, value_of<E>, reference_of<E>,
                                 place_of<E, I>()>;

// A place that takes what a function gives of a value.
template <typename F, typename I> class Output {
 public:
  XGPU_THRUST_BOTH Output(F f, I out) : f(f), out(out) {}
  template <typename T> XGPU_THRUST_BOTH const Output &operator=(const T &value) const {
    *out = f(value);
    return *this;
  }

 private:
  mutable F f;
  I out;
};
template <typename F, typename I>
using OutputBase = Iterator<transform_output_iterator<F, I>, value_of<I>, Output<F, I>,
                            PlaceOf<I>::value>;

}  // namespace xgpu

template <typename F, typename I, typename R, typename V>
class transform_iterator : public xgpu::TransformBase<F, I, R, V> {
 public:
  typedef xgpu::TransformBase<F, I, R, V> Base;
  XGPU_THRUST_BOTH transform_iterator() {}
  XGPU_THRUST_BOTH explicit transform_iterator(I in) : in(in), f() {}
  XGPU_THRUST_BOTH transform_iterator(I in, F f) : in(in), f(f) {}
  transform_iterator(const transform_iterator &) = default;
  // Functions, as those of lambdas, need not be assignable.
  XGPU_THRUST_BOTH transform_iterator &operator=(const transform_iterator &other) {
    in = other.in;
    return *this;
  }
  XGPU_THRUST_BOTH typename Base::reference operator*() const { return f(*in); }
  XGPU_THRUST_BOTH transform_iterator moved(std::ptrdiff_t by) const { return {in + by, f}; }
  XGPU_THRUST_BOTH std::ptrdiff_t from(const transform_iterator &other) const {
    return in - other.in;
  }
  XGPU_THRUST_BOTH I base() const { return in; }
  XGPU_THRUST_BOTH F functor() const { return f; }
  XGPU_THRUST_BOTH auto xgpu_raw() const {
    return transform_iterator<F, xgpu::raw_of<I>, R, V>(xgpu::raw(in), f);
  }

 private:
  I in;
  mutable F f;
};
template <typename F, typename I>
XGPU_THRUST_BOTH transform_iterator<F, I> make_transform_iterator(I in, F f) {
  return transform_iterator<F, I>(in, f);
}

template <typename... I>
class zip_iterator<tuple<I...>> : public xgpu::ZipBase<tuple<I...>>::type {
 public:
  typedef typename xgpu::ZipBase<tuple<I...>>::type Base;
  typedef std::index_sequence_for<I...> Numbers;
  XGPU_THRUST_BOTH zip_iterator() {}
  XGPU_THRUST_BOTH zip_iterator(tuple<I...> iterators) : iterators(iterators) {}
  template <typename... J> XGPU_THRUST_BOTH zip_iterator(const zip_iterator<tuple<J...>> &other)
      : iterators(other.get_iterator_tuple()) {}
  XGPU_THRUST_BOTH const tuple<I...> &get_iterator_tuple() const { return iterators; }
  XGPU_THRUST_BOTH typename Base::reference operator*() const { return values(Numbers()); }
  XGPU_THRUST_BOTH zip_iterator moved(std::ptrdiff_t by) const { return moved(by, Numbers()); }
  XGPU_THRUST_BOTH std::ptrdiff_t from(const zip_iterator &other) const {
    return iterators.head - other.iterators.head;
  }
  XGPU_THRUST_BOTH auto xgpu_raw() const { return raw(Numbers()); }

 private:
  tuple<I...> iterators;
  template <std::size_t... N>
  XGPU_THRUST_BOTH typename Base::reference values(std::index_sequence<N...>) const {
    return typename Base::reference(*thrust::get<N>(iterators)...);
  }
  template <std::size_t... N>
  XGPU_THRUST_BOTH zip_iterator moved(std::ptrdiff_t by, std::index_sequence<N...>) const {
    return tuple<I...>(I(thrust::get<N>(iterators) + by)...);
  }
  template <std::size_t... N> XGPU_THRUST_BOTH auto raw(std::index_sequence<N...>) const {
    typedef tuple<xgpu::raw_of<I>...> Raw;
    return zip_iterator<Raw>(Raw(xgpu::raw(thrust::get<N>(iterators))...));
  }
};
template <typename... I>
XGPU_THRUST_BOTH zip_iterator<tuple<I...>> make_zip_iterator(const tuple<I...> &iterators) {
  return zip_iterator<tuple<I...>>(iterators);
}
template <typename I, typename... J, typename = std::enable_if_t<!xgpu::is_tuple<I>>>
XGPU_THRUST_BOTH zip_iterator<tuple<I, J...>> make_zip_iterator(I first, J... others) {
  return zip_iterator<tuple<I, J...>>(tuple<I, J...>(first, others...));
}

template <typename E, typename I>
class permutation_iterator : public xgpu::PermutationBase<E, I> {
 public:
  XGPU_THRUST_BOTH permutation_iterator() {}
  XGPU_THRUST_BOTH permutation_iterator(E elements, I indices)
      : elements(elements), indices(indices) {}
  XGPU_THRUST_BOTH xgpu::reference_of<E> operator*() const {
    return elements[xgpu::value_of<I>(*indices)];
  }
  XGPU_THRUST_BOTH permutation_iterator moved(std::ptrdiff_t by) const {
    return {elements, indices + by};
  }
  XGPU_THRUST_BOTH std::ptrdiff_t from(const permutation_iterator &other) const {
    return indices - other.indices;
  }
  XGPU_THRUST_BOTH I base() const { return indices; }
  XGPU_THRUST_BOTH auto xgpu_raw() const {
    return permutation_iterator<xgpu::raw_of<E>, xgpu::raw_of<I>>(
        xgpu::raw(elements), xgpu::raw(indices));
  }

 private:
  E elements;
  I indices;
};
template <typename E, typename I>
XGPU_THRUST_BOTH permutation_iterator<E, I> make_permutation_iterator(E elements, I indices) {
  return {elements, indices};
}

template <typename I>
class reverse_iterator : public xgpu::Iterator<reverse_iterator<I>, xgpu::value_of<I>,
                                               xgpu::reference_of<I>, xgpu::PlaceOf<I>::value> {
 public:
  XGPU_THRUST_BOTH reverse_iterator() {}
  XGPU_THRUST_BOTH explicit reverse_iterator(I behind) : behind(behind) {}
  XGPU_THRUST_BOTH xgpu::reference_of<I> operator*() const { return *(behind - 1); }
  XGPU_THRUST_BOTH reverse_iterator moved(std::ptrdiff_t by) const {
    return reverse_iterator(behind - by);
  }
  XGPU_THRUST_BOTH std::ptrdiff_t from(const reverse_iterator &other) const {
    return other.behind - behind;
  }
  XGPU_THRUST_BOTH I base() const { return behind; }
  XGPU_THRUST_BOTH auto xgpu_raw() const {
    return reverse_iterator<xgpu::raw_of<I>>(xgpu::raw(behind));
  }

 private:
  I behind;
};
template <typename I> XGPU_THRUST_BOTH reverse_iterator<I> make_reverse_iterator(I behind) {
  return reverse_iterator<I>(behind);
}

template <typename F, typename I>
class transform_output_iterator : public xgpu::OutputBase<F, I> {
 public:
  XGPU_THRUST_BOTH transform_output_iterator(I out, F f) : out(out), f(f) {}
  XGPU_THRUST_BOTH xgpu::Output<F, I> operator*() const { return {f, out}; }
  XGPU_THRUST_BOTH transform_output_iterator moved(std::ptrdiff_t by) const {
    return {out + by, f};
  }
  XGPU_THRUST_BOTH std::ptrdiff_t from(const transform_output_iterator &other) const {
    return out - other.out;
  }
  XGPU_THRUST_BOTH auto xgpu_raw() const {
    return transform_output_iterator<F, xgpu::raw_of<I>>(xgpu::raw(out), f);
  }

 private:
  I out;
  F f;
};
template <typename F, typename I>
XGPU_THRUST_BOTH transform_output_iterator<F, I> make_transform_output_iterator(I out, F f) {
  return {out, f};
}

}  // namespace thrust

#endif
