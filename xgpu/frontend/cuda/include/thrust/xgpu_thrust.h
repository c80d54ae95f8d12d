// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What programs mostly use of Thrust: vectors of the host and the device, and common algorithms.
//
// Algorithms run on the device where an iterator is a `device_ptr` or the policy is a device's, and
// else as those of the standard library. They wait for their results, whatever the policy says.
#pragma once
#include <cuda_runtime.h>

#ifdef XGPU_WHOLE_PROGRAM
#include <cub/cub.cuh>

#include <algorithm>
#include <functional>
#include <iterator>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <type_traits>
#include <vector>

#define THRUST_VERSION 200200

namespace thrust {

// -- function objects

#define XGPU_THRUST_OPERATION(NAME, EXPRESSION)                                                \
  template <typename T = void> struct NAME {                                                   \
    __host__ __device__ auto operator()(const T &a, const T &b) const { return EXPRESSION; }   \
  };                                                                                           \
  template <> struct NAME<void> {                                                              \
    template <typename T> __host__ __device__ auto operator()(const T &a, const T &b) const {  \
      return EXPRESSION;                                                                       \
    }                                                                                          \
  };
XGPU_THRUST_OPERATION(plus, a + b)
XGPU_THRUST_OPERATION(minus, a - b)
XGPU_THRUST_OPERATION(multiplies, a *b)
XGPU_THRUST_OPERATION(divides, a / b)
XGPU_THRUST_OPERATION(maximum, a < b ? b : a)
XGPU_THRUST_OPERATION(minimum, b < a ? b : a)
XGPU_THRUST_OPERATION(less, a < b)
XGPU_THRUST_OPERATION(greater, b < a)
XGPU_THRUST_OPERATION(equal_to, a == b)
#undef XGPU_THRUST_OPERATION
template <typename T> struct identity {
  __host__ __device__ const T &operator()(const T &a) const { return a; }
};
template <typename T> struct negate {
  __host__ __device__ T operator()(const T &a) const { return -a; }
};

// -- errors and memory

class system_error : public std::runtime_error {
 public:
  explicit system_error(cudaError_t code) : std::runtime_error(cudaGetErrorString(code)) {}
};

namespace xgpu {

inline void checked(cudaError_t code) {
  if (code != cudaSuccess) throw system_error(code);
}

}  // namespace xgpu

template <typename T> class device_ptr;

// A value in the device's memory, which the host reads and writes by copies.
template <typename T> class device_reference {
 public:
  explicit device_reference(T *place) : place(place) {}
  operator std::remove_const_t<T>() const {
    std::remove_const_t<T> value;
    xgpu::checked(cudaMemcpy(&value, place, sizeof(T), cudaMemcpyDefault));
    return value;
  }
  device_reference &operator=(const T &value) {
    xgpu::checked(cudaMemcpy(place, &value, sizeof(T), cudaMemcpyDefault));
    return *this;
  }
  device_reference &operator=(const device_reference &other) { return *this = T(other); }
  device_ptr<T> operator&() const { return device_ptr<T>(place); }

 private:
  T *place;
};

template <typename T> class device_ptr {
 public:
  typedef std::random_access_iterator_tag iterator_category;
  typedef std::remove_const_t<T> value_type;
  typedef std::ptrdiff_t difference_type;
  typedef device_ptr pointer;
  typedef device_reference<T> reference;

  __host__ __device__ device_ptr() : place(nullptr) {}
  __host__ __device__ explicit device_ptr(T *place) : place(place) {}
  template <typename U, typename = std::enable_if_t<std::is_convertible<U *, T *>::value>>
  __host__ __device__ device_ptr(const device_ptr<U> &other) : place(other.get()) {}

  __host__ __device__ T *get() const { return place; }
  reference operator*() const { return reference(place); }
  reference operator[](difference_type i) const { return reference(place + i); }
  device_ptr operator+(difference_type by) const { return device_ptr(place + by); }
  device_ptr operator-(difference_type by) const { return device_ptr(place - by); }
  difference_type operator-(const device_ptr &other) const { return place - other.place; }
  device_ptr &operator+=(difference_type by) { return place += by, *this; }
  device_ptr &operator-=(difference_type by) { return place -= by, *this; }
  device_ptr &operator++() { return ++place, *this; }
  device_ptr &operator--() { return --place, *this; }
  device_ptr operator++(int) { return device_ptr(place++); }
  bool operator==(const device_ptr &other) const { return place == other.place; }
  bool operator!=(const device_ptr &other) const { return place != other.place; }
  bool operator<(const device_ptr &other) const { return place < other.place; }

 private:
  T *place;
};

template <typename T> device_ptr<T> device_pointer_cast(T *place) { return device_ptr<T>(place); }
template <typename T> T *raw_pointer_cast(const device_ptr<T> &pointer) { return pointer.get(); }
template <typename T> T *raw_pointer_cast(T *pointer) { return pointer; }

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

// Iterators as kernels take them.
template <typename T> T *raw(device_ptr<T> pointer) { return pointer.get(); }
template <typename I> I raw(I iterator) { return iterator; }

template <typename I> struct IsDevice : std::false_type {};
template <typename T> struct IsDevice<device_ptr<T>> : std::true_type {};
template <typename P> constexpr bool is_policy =
    std::is_same<P, host_policy>::value || std::is_same<P, device_policy>::value;
template <typename I>
using policy_of = std::conditional_t<IsDevice<I>::value, device_policy, host_policy>;
template <typename I> using not_policy = std::enable_if_t<!is_policy<I>>;
template <typename I> using value_of = typename std::iterator_traits<I>::value_type;

constexpr int THREADS = 256;

template <typename Body> __global__ void each(long long count, Body body) {
  long long i = blockIdx.x * (long long)THREADS + threadIdx.x;
  if (i < count) body(i);
}

// `body(i)` for each i below `count`, on the device.
template <typename Body> void for_each_index(device_policy policy, long long count, Body body) {
  if (count <= 0) return;
  each<<<(count + THREADS - 1) / THREADS, THREADS, 0, policy.stream>>>(count, body);
  checked(cudaPeekAtLastError());
  checked(cudaStreamSynchronize(policy.stream));
}

// Memory of the device for some values, for a while.
template <typename T> struct Temporary {
  T *place = nullptr;
  explicit Temporary(long long count) { checked(cudaMalloc(&place, count * sizeof(T))); }
  ~Temporary() { cudaFree(place); }
};

template <typename In, typename Out, typename Op> struct Transformed {
  In in;
  Out out;
  Op op;
  __device__ void operator()(long long i) { out[i] = op(in[i]); }
};
template <typename In, typename Other, typename Out, typename Op> struct Combined {
  In in;
  Other other;
  Out out;
  Op op;
  __device__ void operator()(long long i) { out[i] = op(in[i], other[i]); }
};
// Arrays of what a function gives of the elements, which no memory holds.
template <typename In, typename Op> struct ReadTransformed {
  In in;
  mutable Op op;
  __device__ auto operator[](long long i) const { return op(in[i]); }
};
template <typename In, typename Other, typename Op> struct ReadCombined {
  In in;
  Other other;
  mutable Op op;
  __device__ auto operator[](long long i) const { return op(in[i], other[i]); }
};

template <typename In, typename T, typename Op>
T reduced(device_policy policy, In in, long long count, T initial, Op op) {
  size_t bytes = 0;
  T found, *none = nullptr;
  checked(::cub::DeviceReduce::Reduce(nullptr, bytes, in, none, count, op, initial));
  Temporary<T> memory(bytes / sizeof(T) + 1);
  T *result = memory.place + bytes / sizeof(T);
  checked(::cub::DeviceReduce::Reduce(memory.place, bytes, in, result, count, op, initial,
                                      policy.stream));
  checked(cudaStreamSynchronize(policy.stream));
  checked(cudaMemcpy(&found, result, sizeof(T), cudaMemcpyDefault));
  return found;
}

template <typename Out, typename T> struct Filled {
  Out out;
  T value;
  __device__ void operator()(long long i) { out[i] = value; }
};
template <typename Out, typename F> struct Generated {
  Out out;
  F f;
  __device__ void operator()(long long i) { out[i] = f(); }
};
template <typename Out, typename T> struct Counted {
  Out out;
  T first, step;
  __device__ void operator()(long long i) { out[i] = first + T(i) * step; }
};
template <typename I, typename Op> struct Called {
  I in;
  Op op;
  __device__ void operator()(long long i) { op(in[i]); }
};

// One pass of a stable merge sort: pairs of sorted runs of `length` become one.
template <typename K, typename V, typename Less> struct Merged {
  const K *keys;
  K *sorted_keys;
  const V *values;
  V *sorted_values;
  long long count, length;
  Less less;
  __device__ void operator()(long long pair) {
    long long out = pair * 2 * length;
    long long a = out, a_end = a + length < count ? a + length : count;
    long long b = a_end, b_end = b + length < count ? b + length : count;
    for (; out < b_end; ++out) {
      bool takes_b = a == a_end || (b < b_end && less(keys[b], keys[a]));
      long long from = takes_b ? b++ : a++;
      sorted_keys[out] = keys[from];
      if (values) sorted_values[out] = values[from];
    }
  }
};

template <typename K, typename V, typename Less>
void sort(device_policy policy, K *keys, V *values, long long count, Less less) {
  Temporary<K> other_keys(count);
  Temporary<V> other_values(values ? count : 1);
  K *from = keys, *to = other_keys.place;
  V *from_values = values, *to_values = other_values.place;
  for (long long length = 1; length < count; length *= 2) {
    for_each_index(policy, (count + 2 * length - 1) / (2 * length), Merged<K, V, Less>{
        from, to, from_values, to_values, count, length, less});
    std::swap(from, to);
    if (values) std::swap(from_values, to_values);
  }
  if (from == keys) return;
  checked(cudaMemcpy(keys, from, count * sizeof(K), cudaMemcpyDefault));
  if (values) checked(cudaMemcpy(values, from_values, count * sizeof(V), cudaMemcpyDefault));
}

}  // namespace xgpu

// -- algorithms: each with a policy, and without

#define XGPU_THRUST_WITHOUT_POLICY(NAME)                                                       \
  template <typename I, typename... Rest, typename = xgpu::not_policy<I>>                      \
  auto NAME(I first, Rest... rest) {                                                           \
    return NAME(xgpu::policy_of<I>(), first, rest...);                                         \
  }

// Copies go from anywhere to anywhere.
template <typename In, typename Out> Out copy(In first, In last, Out out) {
  auto count = last - first;
  if constexpr (xgpu::IsDevice<In>::value || xgpu::IsDevice<Out>::value) {
    if (count) {
      auto *from = &*xgpu::raw(first);
      xgpu::checked(cudaMemcpy(&*xgpu::raw(out), from, count * sizeof(*from), cudaMemcpyDefault));
    }
    return out + count;
  } else {
    return std::copy(first, last, out);
  }
}
template <
    typename P, typename In, typename Out, typename = std::enable_if_t<xgpu::is_policy<P>>>
Out copy(P, In first, In last, Out out) {
  return thrust::copy(first, last, out);
}

template <typename I, typename T> void fill(host_policy, I first, I last, T value) {
  std::fill(first, last, value);
}
template <typename I, typename T> void fill(device_policy policy, I first, I last, T value) {
  typedef xgpu::value_of<I> V;
  auto out = xgpu::raw(first);
  xgpu::for_each_index(policy, last - first, xgpu::Filled<decltype(out), V>{out, V(value)});
}
XGPU_THRUST_WITHOUT_POLICY(fill)

// Each element is what a copy of the function object gives on the device.
template <typename I, typename F> void generate(host_policy, I first, I last, F f) {
  std::generate(first, last, f);
}
template <typename I, typename F> void generate(device_policy policy, I first, I last, F f) {
  auto out = xgpu::raw(first);
  xgpu::for_each_index(policy, last - first, xgpu::Generated<decltype(out), F>{out, f});
}
XGPU_THRUST_WITHOUT_POLICY(generate)

template <typename I, typename T = xgpu::value_of<I>>
void sequence(host_policy, I first, I last, T start = T(0), T step = T(1)) {
  for (; first != last; ++first, start = start + step) *first = start;
}
template <typename I, typename T = xgpu::value_of<I>>
void sequence(device_policy policy, I first, I last, T start = T(0), T step = T(1)) {
  auto out = xgpu::raw(first);
  xgpu::for_each_index(policy, last - first, xgpu::Counted<decltype(out), T>{out, start, step});
}
XGPU_THRUST_WITHOUT_POLICY(sequence)

template <typename I, typename Op> I for_each(host_policy, I first, I last, Op op) {
  return std::for_each(first, last, op), last;
}
template <typename I, typename Op> I for_each(device_policy policy, I first, I last, Op op) {
  auto in = xgpu::raw(first);
  xgpu::for_each_index(policy, last - first, xgpu::Called<decltype(in), Op>{in, op});
  return last;
}
XGPU_THRUST_WITHOUT_POLICY(for_each)

template <typename... Given> auto transform(host_policy, Given... given) {
  return std::transform(given...);
}
template <typename In, typename Out, typename Op>
Out transform(device_policy policy, In first, In last, Out out, Op op) {
  auto in = xgpu::raw(first);
  auto to = xgpu::raw(out);
  xgpu::for_each_index(
      policy, last - first, xgpu::Transformed<decltype(in), decltype(to), Op>{in, to, op});
  return out + (last - first);
}
template <typename In, typename Other, typename Out, typename Op>
Out transform(device_policy policy, In first, In last, Other other, Out out, Op op) {
  auto in = xgpu::raw(first);
  auto with = xgpu::raw(other);
  auto to = xgpu::raw(out);
  xgpu::for_each_index(policy, last - first,
      xgpu::Combined<decltype(in), decltype(with), decltype(to), Op>{in, with, to, op});
  return out + (last - first);
}
XGPU_THRUST_WITHOUT_POLICY(transform)

template <typename I, typename T, typename Op = plus<>>
T reduce(host_policy, I first, I last, T initial, Op op = Op()) {
  return std::accumulate(first, last, initial, op);
}
template <typename I, typename T, typename Op = plus<>>
T reduce(device_policy policy, I first, I last, T initial, Op op = Op()) {
  return xgpu::reduced(policy, xgpu::raw(first), last - first, initial, op);
}
template <typename P, typename I, typename = std::enable_if_t<xgpu::is_policy<P>>>
xgpu::value_of<I> reduce(P policy, I first, I last) {
  return reduce(policy, first, last, xgpu::value_of<I>());
}
XGPU_THRUST_WITHOUT_POLICY(reduce)

template <typename P, typename I, typename Unary, typename T, typename Op,
          typename = std::enable_if_t<xgpu::is_policy<P>>>
T transform_reduce(P policy, I first, I last, Unary unary, T initial, Op op) {
  if constexpr (std::is_same<P, host_policy>::value) {
    for (; first != last; ++first) initial = op(initial, unary(*first));
    return initial;
  } else {
    auto in = xgpu::raw(first);
    return xgpu::reduced(policy, xgpu::ReadTransformed<decltype(in), Unary>{in, unary},
                         last - first, initial, op);
  }
}
XGPU_THRUST_WITHOUT_POLICY(transform_reduce)

template <typename I, typename J, typename T, typename Op = plus<>, typename Pair = multiplies<>>
T inner_product(host_policy, I first, I last, J other, T initial, Op op = Op(),
                Pair pair = Pair()) {
  return std::inner_product(first, last, other, initial, op, pair);
}
template <typename I, typename J, typename T, typename Op = plus<>, typename Pair = multiplies<>>
T inner_product(device_policy policy, I first, I last, J other, T initial, Op op = Op(),
                Pair pair = Pair()) {
  auto in = xgpu::raw(first);
  auto with = xgpu::raw(other);
  return xgpu::reduced(policy,
                       xgpu::ReadCombined<decltype(in), decltype(with), Pair>{in, with, pair},
                       last - first, initial, op);
}
XGPU_THRUST_WITHOUT_POLICY(inner_product)

template <typename In, typename Out, typename Op = plus<>>
Out inclusive_scan(host_policy, In first, In last, Out out, Op op = Op()) {
  return std::partial_sum(first, last, out, op);
}
template <typename In, typename Out, typename Op = plus<>>
Out inclusive_scan(device_policy policy, In first, In last, Out out, Op op = Op()) {
  size_t bytes = 1;
  xgpu::checked(::cub::DeviceScan::InclusiveScan(&bytes, bytes, xgpu::raw(first), xgpu::raw(out),
                                                 op, last - first, policy.stream));
  xgpu::checked(cudaStreamSynchronize(policy.stream));
  return out + (last - first);
}
XGPU_THRUST_WITHOUT_POLICY(inclusive_scan)

template <typename In, typename Out, typename T = xgpu::value_of<In>, typename Op = plus<>>
Out exclusive_scan(host_policy, In first, In last, Out out, T initial = T(), Op op = Op()) {
  return std::exclusive_scan(first, last, out, initial, op);
}
template <typename In, typename Out, typename T = xgpu::value_of<In>, typename Op = plus<>>
Out exclusive_scan(device_policy policy, In first, In last, Out out, T initial = T(),
                   Op op = Op()) {
  size_t bytes = 1;
  xgpu::checked(::cub::DeviceScan::ExclusiveScan(&bytes, bytes, xgpu::raw(first), xgpu::raw(out),
                                                 op, initial, last - first, policy.stream));
  xgpu::checked(cudaStreamSynchronize(policy.stream));
  return out + (last - first);
}
XGPU_THRUST_WITHOUT_POLICY(exclusive_scan)

template <typename I, typename Less = less<>>
void sort(host_policy, I first, I last, Less less = Less()) {
  std::stable_sort(first, last, less);
}
template <typename I, typename Less = less<>>
void sort(device_policy policy, I first, I last, Less less = Less()) {
  xgpu::sort(policy, xgpu::raw(first), (char *)nullptr, last - first, less);
}
XGPU_THRUST_WITHOUT_POLICY(sort)
template <typename... Given> void stable_sort(Given... given) { thrust::sort(given...); }

template <typename K, typename V, typename Less = less<>>
void sort_by_key(device_policy policy, K first, K last, V values, Less less = Less()) {
  xgpu::sort(policy, xgpu::raw(first), xgpu::raw(values), last - first, less);
}
XGPU_THRUST_WITHOUT_POLICY(sort_by_key)
template <typename... Given> void stable_sort_by_key(Given... given) {
  thrust::sort_by_key(given...);
}

template <typename I, typename Less = less<>> bool is_sorted(I first, I last, Less less = Less()) {
  if constexpr (xgpu::IsDevice<I>::value) {
    std::vector<xgpu::value_of<I>> values(last - first);
    thrust::copy(first, last, values.data());
    return std::is_sorted(values.begin(), values.end(), less);
  } else {
    return std::is_sorted(first, last, less);
  }
}
#undef XGPU_THRUST_WITHOUT_POLICY

// -- vectors

template <typename T> using host_vector = std::vector<T>;

template <typename T> class device_vector {
 public:
  typedef T value_type;
  typedef device_ptr<T> iterator, pointer;
  typedef device_ptr<const T> const_iterator;
  typedef device_reference<T> reference;
  typedef size_t size_type;

  device_vector() {}
  explicit device_vector(size_t count) { resize(count); }
  device_vector(size_t count, const T &value) { resize(count, value); }
  template <typename I, typename = typename std::iterator_traits<I>::iterator_category>
  device_vector(I first, I last) { assign(first, last); }
  device_vector(const device_vector &other) { assign(other.begin(), other.end()); }
  device_vector(device_vector &&other) { swap(other); }
  device_vector(const std::vector<T> &other) { assign(other.begin(), other.end()); }
  ~device_vector() { cudaFree(place); }
  device_vector &operator=(const device_vector &other) {
    if (this != &other) assign(other.begin(), other.end());
    return *this;
  }
  device_vector &operator=(device_vector &&other) { return swap(other), *this; }
  device_vector &operator=(const std::vector<T> &other) {
    return assign(other.begin(), other.end()), *this;
  }
  operator std::vector<T>() const {
    std::vector<T> values(count);
    thrust::copy(begin(), end(), values.data());
    return values;
  }

  template <typename I> void assign(I first, I last) {
    count = 0;
    reserve(last - first);
    count = last - first;
    thrust::copy(first, last, begin());
  }
  // New values are zeros of T, as a value that is constructed without arguments is.
  void resize(size_t wanted, const T &value = T()) {
    reserve(wanted);
    if (wanted > count) thrust::fill(begin() + count, begin() + wanted, value);
    count = wanted;
  }
  void reserve(size_t wanted) {
    if (wanted <= room) return;
    T *larger;
    xgpu::checked(cudaMalloc(&larger, wanted * sizeof(T)));
    if (count) xgpu::checked(cudaMemcpy(larger, place, count * sizeof(T), cudaMemcpyDefault));
    xgpu::checked(cudaFree(place));
    place = larger;
    room = wanted;
  }
  void push_back(const T &value) {
    if (count == room) reserve(2 * room + 1);
    resize(count + 1, value);
  }
  void clear() { count = 0; }
  void shrink_to_fit() {}
  void swap(device_vector &other) {
    std::swap(place, other.place);
    std::swap(count, other.count);
    std::swap(room, other.room);
  }

  size_t size() const { return count; }
  size_t capacity() const { return room; }
  bool empty() const { return !count; }
  pointer data() { return pointer(place); }
  const_iterator data() const { return cbegin(); }
  iterator begin() { return iterator(place); }
  iterator end() { return iterator(place + count); }
  const_iterator begin() const { return cbegin(); }
  const_iterator end() const { return cend(); }
  const_iterator cbegin() const { return const_iterator(place); }
  const_iterator cend() const { return const_iterator(place + count); }
  reference operator[](size_t i) { return begin()[i]; }
  T operator[](size_t i) const { return cbegin()[i]; }
  reference front() { return begin()[0]; }
  reference back() { return begin()[count - 1]; }

 private:
  T *place = nullptr;
  size_t count = 0, room = 0;
};

// -- random numbers

namespace random {
// The states of a linear congruential engine: x * A + C modulo M.
template <typename T, T A, T C, T M> class linear_congruential_engine {
 public:
  typedef T result_type;
  static const result_type multiplier = A, increment = C, modulus = M;
  static const result_type default_seed = 1, min = C == 0 ? 1 : 0, max = M - 1;
  __host__ __device__ explicit linear_congruential_engine(result_type s = default_seed) { seed(s); }
  __host__ __device__ void seed(result_type s = default_seed) {
    x = C % M == 0 && s % M == 0 ? 1 : s % M;
  }
  __host__ __device__ result_type operator()() {
    return x = (result_type)(((unsigned long long)x * A + C) % M);
  }
  // What A^n and the sum of lower powers do to a state, by squares.
  __host__ __device__ void discard(unsigned long long n) {
    unsigned long long factor = A, term = C, a = 1, c = 0;
    for (; n; n >>= 1) {
      if (n & 1) a = a * factor % M, c = (c * factor + term) % M;
      term = (term * factor + term) % M;
      factor = factor * factor % M;
    }
    x = (result_type)((x * a + c) % M);
  }

 private:
  result_type x;
};
typedef linear_congruential_engine<unsigned int, 16807, 0, 2147483647> minstd_rand0;
typedef linear_congruential_engine<unsigned int, 48271, 0, 2147483647> minstd_rand;
typedef minstd_rand default_random_engine;

template <typename T = double> class uniform_real_distribution {
 public:
  typedef T result_type;
  __host__ __device__ explicit uniform_real_distribution(T a = 0, T b = 1) : low(a), high(b) {}
  __host__ __device__ T a() const { return low; }
  __host__ __device__ T b() const { return high; }
  template <typename E> __host__ __device__ T operator()(E &engine) {
    T found = T(engine() - E::min) / (T(1) + T(E::max - E::min));
    return found * (high - low) + low;
  }

 private:
  T low, high;
};
template <typename T = int> class uniform_int_distribution {
 public:
  typedef T result_type;
  __host__ __device__ explicit uniform_int_distribution(T a = 0, T b = std::numeric_limits<T>::max())
      : low(a), high(b) {}
  __host__ __device__ T a() const { return low; }
  __host__ __device__ T b() const { return high; }
  template <typename E> __host__ __device__ T operator()(E &engine) {
    return T(uniform_real_distribution<double>(low, double(high) + 1)(engine));
  }

 private:
  T low, high;
};
}  // namespace random
using namespace random;

}  // namespace thrust

#endif
