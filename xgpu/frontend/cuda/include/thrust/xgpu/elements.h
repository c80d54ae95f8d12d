// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Thrust's algorithms: element by element, reductions, scans, and what searches and counts.
//
// They run on the device where an iterator is of the device's memory or the policy is a device's,
// and else as loops, on the host or in a kernel (`thrust::seq`). They wait for their results,
// whatever the policy says. Iterators of the host are those of arrays.
#pragma once
#include <thrust/xgpu/memory.h>

#ifdef XGPU_WHOLE_PROGRAM
#include <cub/xgpu_arrays.cuh>

#include <algorithm>
#include <vector>

namespace thrust {

namespace xgpu {

// `body(i)` for each i below `count`; in order where it is a loop.
template <typename Body>
XGPU_THRUST_BOTH void for_each_index(host_policy, long long count, Body body) {
  for (long long i = 0; i < count; ++i) body(i);
}
template <typename Body> void for_each_index(device_policy policy, long long count, Body body) {
  if (count <= 0) return;
  checked(xgpu_cub::launch(policy.stream, count, body));
  checked(cudaStreamSynchronize(policy.stream));
}

// Memory for some values, for a while.
template <typename P, typename T> struct Temporary;
template <typename T> struct Temporary<device_policy, T> {
  T *place = nullptr;
  explicit Temporary(long long count) { checked(cudaMalloc(&place, count * sizeof(T))); }
  Temporary(const Temporary &) = delete;
  ~Temporary() { cudaFree(place); }
  T at(long long i) const {
    T value;
    checked(cudaMemcpy((void *)&value, place + i, sizeof(T), cudaMemcpyDefault));
    return value;
  }
};
template <typename T> struct Temporary<host_policy, T> {
  T *place;
  XGPU_THRUST_BOTH explicit Temporary(long long count) : place(new T[count]) {}
  Temporary(const Temporary &) = delete;
  XGPU_THRUST_BOTH ~Temporary() { delete[] place; }
  XGPU_THRUST_BOTH T at(long long i) const { return place[i]; }
};

template <typename In, typename T, typename Op>
XGPU_THRUST_BOTH T reduced(host_policy, In in, long long count, T found, Op op) {
  for (long long i = 0; i < count; ++i) found = op(found, in[i]);
  return found;
}
template <typename In, typename T, typename Op>
T reduced(device_policy policy, In in, long long count, T initial, Op op) {
  if (count <= 0) return initial;
  size_t bytes = 0;
  T *none = nullptr;
  checked(::cub::DeviceReduce::Reduce(nullptr, bytes, in, none, count, op, initial));
  long long before = bytes / sizeof(T);
  Temporary<device_policy, T> memory(before + 1);
  checked(::cub::DeviceReduce::Reduce(memory.place, bytes, in, memory.place + before, count, op,
                                      initial, policy.stream));
  checked(cudaStreamSynchronize(policy.stream));
  return memory.at(before);
}

// An array of `f(i)`, which no memory holds.
template <typename F> XGPU_THRUST_BOTH auto array_of(F f) {
  return make_transform_iterator(counting_iterator<long long>(0), f);
}

// The lowest i below `count` with `is(i)`, else `count`.
template <typename P, typename Is>
XGPU_THRUST_BOTH long long lowest(P policy, long long count, Is is) {
  if constexpr (std::is_same<P, host_policy>::value) {
    for (long long i = 0; i < count; ++i)
      if (is(i)) return i;
    return count;
  } else {
    auto places = array_of([=] __host__ __device__(long long i) mutable -> long long {
      return is(i) ? i : count;
    });
    return reduced(policy, places, count, count, minimum<long long>());
  }
}

template <typename In, typename Out, typename Op>
XGPU_THRUST_BOTH void scanned(host_policy, In in, Out out, long long count, Op op) {
  if (count <= 0) return;
  value_of<In> found = in[0];
  out[0] = found;
  for (long long i = 1; i < count; ++i) out[i] = found = op(found, in[i]);
}
template <typename In, typename Out, typename Op>
void scanned(device_policy policy, In in, Out out, long long count, Op op) {
  if (count <= 0) return;
  size_t bytes = 1;
  checked(::cub::DeviceScan::InclusiveScan(&bytes, bytes, in, out, op, count, policy.stream));
  checked(cudaStreamSynchronize(policy.stream));
}
template <typename In, typename Out, typename T, typename Op>
XGPU_THRUST_BOTH void scanned_before(host_policy, In in, Out out, long long count, T found, Op op) {
  for (long long i = 0; i < count; ++i) {
    T next = op(found, in[i]);  // the output may be the input
    out[i] = found;
    found = next;
  }
}
template <typename In, typename Out, typename T, typename Op>
void scanned_before(device_policy policy, In in, Out out, long long count, T initial, Op op) {
  if (count <= 0) return;
  size_t bytes = 1;
  checked(::cub::DeviceScan::ExclusiveScan(&bytes, bytes, in, out, op, initial, count,
                                           policy.stream));
  checked(cudaStreamSynchronize(policy.stream));
}

// A place that is the first of its run of equal keys.
template <typename K, typename Equal> XGPU_THRUST_BOTH auto run_heads(K keys, Equal equal) {
  return [=] __host__ __device__(long long i) mutable {
    return i == 0 || !equal(keys[i - 1], keys[i]);
  };
}

// Runs of equal keys, one after another: `of_run(number, begin, end)`. Gives how many there are.
template <typename P, typename K, typename Equal, typename OfRun>
XGPU_THRUST_BOTH long long for_each_run(P policy, K keys, long long count, Equal equal,
                                        OfRun of_run) {
  if (count <= 0) return 0;
  auto is_head = run_heads(keys, equal);
  if constexpr (std::is_same<P, host_policy>::value) {
    long long begin = 0, number = 0;
    for (long long i = 1; i <= count; ++i) {
      if (i < count && !is_head(i)) continue;
      of_run(number++, begin, i);
      begin = i;
    }
    return number;
  } else {
    Temporary<P, long long> numbers(count), begins(count + 1);
    long long *number = numbers.place, *begin = begins.place;
    for_each_index(policy, count,
                   [=] __host__ __device__(long long i) mutable { number[i] = is_head(i); });
    scanned(policy, number, number, count, plus<long long>());
    for_each_index(policy, count, [=] __host__ __device__(long long i) {
      if (i == 0 || number[i] != number[i - 1]) begin[number[i] - 1] = i;
      if (i == count - 1) begin[number[i]] = count;
    });
    long long runs = numbers.at(count - 1);
    for_each_index(policy, runs, [=] __host__ __device__(long long i) mutable {
      of_run(i, begin[i], begin[i + 1]);
    });
    return runs;
  }
}

// `move(i, n)` for each i with `is(i)`, where n counts them. Gives how many there are. On the
// device, what `move` writes must be no memory that it reads. `is` is asked once for each.
template <typename P, typename Is, typename Move>
XGPU_THRUST_BOTH long long selected(P policy, long long count, Is is, Move move) {
  if (count <= 0) return 0;
  if constexpr (std::is_same<P, host_policy>::value) {
    long long n = 0;
    for (long long i = 0; i < count; ++i)
      if (is(i)) move(i, n++);
    return n;
  } else {
    Temporary<P, long long> numbers(count);
    long long *number = numbers.place;
    for_each_index(policy, count,
                   [=] __host__ __device__(long long i) mutable { number[i] = bool(is(i)); });
    scanned(policy, number, number, count, plus<long long>());
    for_each_index(policy, count, [=] __host__ __device__(long long i) mutable {
      if (number[i] != (i ? number[i - 1] : 0)) move(i, number[i] - 1);
    });
    return numbers.at(count - 1);
  }
}

}  // namespace xgpu

#define XGPU_THRUST_WITHOUT_POLICY(NAME)                                                       \
  template <typename I, typename... Rest, typename = xgpu::not_policy<I>>                      \
  XGPU_THRUST_BOTH auto NAME(I first, Rest... rest) {                                          \
    return thrust::NAME(xgpu::policy_of<I, Rest...>(), first, rest...);                        \
  }
// The head of an algorithm that has a policy, which is first among its template arguments.
#define XGPU_THRUST_ALGORITHM(...)                                                             \
  template <typename P, __VA_ARGS__, typename = xgpu::for_policy<P>> XGPU_THRUST_BOTH

// -- copies, which go from anywhere to anywhere

namespace xgpu {

template <typename I> constexpr bool is_array() {
  typedef std::remove_const_t<value_of<I>> V;
  return std::is_pointer<raw_of<I>>::value ||
         (!std::is_same<V, bool>::value &&
          (std::is_same<I, typename std::vector<V>::iterator>::value ||
           std::is_same<I, typename std::vector<V>::const_iterator>::value));
}
template <typename I> XGPU_THRUST_BOTH auto *address(I iterator) { return &*raw(iterator); }

template <typename In, typename Out>
Out copied_across(device_policy policy, In first, In last, Out out) {
  typedef value_of<In> V;
  long long count = std::distance(first, last);
  auto move = [=](V *to, const V *from) {
    checked(cudaMemcpyAsync((void *)to, from, count * sizeof(V), cudaMemcpyDefault, policy.stream));
    checked(cudaStreamSynchronize(policy.stream));
  };
  if (count == 0) return out;
  if constexpr (is_array<In>() && is_array<Out>() && std::is_same<V, value_of<Out>>::value) {
    move(address(out), address(first));
  } else if constexpr (!is_array<In>() && PlaceOf<In>::value == Place::DEVICE) {
    Temporary<device_policy, V> values(count);
    V *place = values.place;
    auto in = raw(first);
    for_each_index(policy, count, [=] __host__ __device__(long long i) { place[i] = in[i]; });
    return copied_across(policy, device_ptr<V>(place), device_ptr<V>(place + count), out);
  } else if constexpr (PlaceOf<In>::value == Place::DEVICE) {
    Temporary<host_policy, V> values(count);
    move(values.place, address(first));
    return std::copy(values.place, values.place + count, out);
  } else {
    Temporary<host_policy, V> values(count);
    Temporary<device_policy, V> there(count);
    std::copy(first, last, values.place);
    move(there.place, values.place);
    const V *place = there.place;
    auto to = raw(out);
    for_each_index(policy, count, [=] __host__ __device__(long long i) { to[i] = place[i]; });
  }
  std::advance(out, count);
  return out;
}

// `out[i] = in[i]` where the policy says, for memory that it reaches.
template <typename P, typename In, typename Out>
XGPU_THRUST_BOTH Out copied(P policy, In first, In last, Out out) {
  auto in = raw(first);
  auto to = raw(out);
  for_each_index(policy, last - first,
                 [=] __host__ __device__(long long i) mutable { to[i] = in[i]; });
  return out + (last - first);
}
// Iterators of the standard library's containers.
template <typename I> constexpr bool is_of_host =
    PlaceOf<I>::value == Place::HOST && !std::is_pointer<I>::value && !is_own<I>;

}  // namespace xgpu

// Where a device is named, pointers are the device's.
XGPU_THRUST_ALGORITHM(typename In, typename Out)
Out copy(P policy, In first, In last, Out out) {
  constexpr bool is_device = std::is_same<P, device_policy>::value;
  if constexpr (is_device && (xgpu::is_of_host<In> || xgpu::is_of_host<Out>))
    return xgpu::copied_across(policy, first, last, out);
  else if constexpr (is_device)
    return xgpu::copied(policy, first, last, out);
  else
    for (; first != last; ++first, ++out) *out = *first;
  return out;
}
template <typename In, typename Out, typename = xgpu::not_policy<In>>
XGPU_THRUST_BOTH Out copy(In first, In last, Out out) {
  constexpr auto from = xgpu::PlaceOf<In>::value, to = xgpu::PlaceOf<Out>::value;
  constexpr bool crosses = xgpu::common(from, to) == xgpu::Place::DEVICE &&
                           (from == xgpu::Place::HOST || to == xgpu::Place::HOST);
  constexpr bool is_move = xgpu::common(from, to) == xgpu::Place::DEVICE &&
                           xgpu::is_array<In>() && xgpu::is_array<Out>();
  if constexpr (crosses || is_move)
    return xgpu::copied_across(device_policy(), first, last, out);
  else
    return thrust::copy(xgpu::policy_of<In, Out>(), first, last, out);
}
XGPU_THRUST_ALGORITHM(typename In, typename N, typename Out)
Out copy_n(P policy, In first, N count, Out out) {
  return thrust::copy(policy, first, first + count, out);
}
template <typename In, typename N, typename Out, typename = xgpu::not_policy<In>>
XGPU_THRUST_BOTH Out copy_n(In first, N count, Out out) {
  return thrust::copy(first, first + count, out);
}
template <typename... Given> XGPU_THRUST_BOTH auto uninitialized_copy(Given... given) {
  return thrust::copy(given...);
}

// -- element by element

#define XGPU_THRUST_EACH(COUNT, ...)                                                           \
  xgpu::for_each_index(policy, COUNT, [=] __host__ __device__(long long i) mutable { __VA_ARGS__; })

XGPU_THRUST_ALGORITHM(typename I, typename Op) I for_each(P policy, I first, I last, Op op) {
  auto in = xgpu::raw(first);
  XGPU_THRUST_EACH(last - first, op(in[i]));
  return last;
}
XGPU_THRUST_WITHOUT_POLICY(for_each)
XGPU_THRUST_ALGORITHM(typename I, typename N, typename Op)
I for_each_n(P policy, I first, N count, Op op) {
  return thrust::for_each(policy, first, first + count, op);
}
XGPU_THRUST_WITHOUT_POLICY(for_each_n)

XGPU_THRUST_ALGORITHM(typename I, typename T) void fill(P policy, I first, I last, T value) {
  auto out = xgpu::raw(first);
  XGPU_THRUST_EACH(last - first, out[i] = value);
}
XGPU_THRUST_WITHOUT_POLICY(fill)
XGPU_THRUST_ALGORITHM(typename I, typename N, typename T)
I fill_n(P policy, I first, N count, T value) {
  thrust::fill(policy, first, first + count, value);
  return first + count;
}
XGPU_THRUST_WITHOUT_POLICY(fill_n)
template <typename... Given> XGPU_THRUST_BOTH void uninitialized_fill(Given... given) {
  thrust::fill(given...);
}
template <typename... Given> XGPU_THRUST_BOTH auto uninitialized_fill_n(Given... given) {
  return thrust::fill_n(given...);
}

// Each element is what a copy of the function object gives on the device.
XGPU_THRUST_ALGORITHM(typename I, typename F) void generate(P policy, I first, I last, F f) {
  auto out = xgpu::raw(first);
  XGPU_THRUST_EACH(last - first, out[i] = f());
}
XGPU_THRUST_WITHOUT_POLICY(generate)
XGPU_THRUST_ALGORITHM(typename I, typename N, typename F)
I generate_n(P policy, I first, N count, F f) {
  thrust::generate(policy, first, first + count, f);
  return first + count;
}
XGPU_THRUST_WITHOUT_POLICY(generate_n)
XGPU_THRUST_ALGORITHM(typename I, typename F) void tabulate(P policy, I first, I last, F f) {
  auto out = xgpu::raw(first);
  XGPU_THRUST_EACH(last - first, out[i] = f(i));
}
XGPU_THRUST_WITHOUT_POLICY(tabulate)
XGPU_THRUST_ALGORITHM(typename I, typename T, typename S)
void sequence(P policy, I first, I last, T start, S step) {
  auto out = xgpu::raw(first);
  XGPU_THRUST_EACH(last - first, out[i] = start + T(i) * step);
}
XGPU_THRUST_ALGORITHM(typename I, typename T)
void sequence(P policy, I first, I last, T start) {
  thrust::sequence(policy, first, last, start, T(1));
}
XGPU_THRUST_ALGORITHM(typename I) void sequence(P policy, I first, I last) {
  thrust::sequence(policy, first, last, xgpu::value_of<I>(0));
}
XGPU_THRUST_WITHOUT_POLICY(sequence)

XGPU_THRUST_ALGORITHM(typename In, typename Out, typename Op)
Out transform(P policy, In first, In last, Out out, Op op) {
  auto in = xgpu::raw(first);
  auto to = xgpu::raw(out);
  XGPU_THRUST_EACH(last - first, to[i] = op(in[i]));
  return out + (last - first);
}
XGPU_THRUST_ALGORITHM(typename In, typename Other, typename Out, typename Op)
Out transform(P policy, In first, In last, Other other, Out out, Op op) {
  auto in = xgpu::raw(first);
  auto with = xgpu::raw(other);
  auto to = xgpu::raw(out);
  XGPU_THRUST_EACH(last - first, to[i] = op(in[i], with[i]));
  return out + (last - first);
}
XGPU_THRUST_WITHOUT_POLICY(transform)
XGPU_THRUST_ALGORITHM(typename In, typename Out, typename Op, typename Is)
Out transform_if(P policy, In first, In last, Out out, Op op, Is is) {
  auto in = xgpu::raw(first);
  auto to = xgpu::raw(out);
  XGPU_THRUST_EACH(last - first, if (is(in[i])) to[i] = op(in[i]));
  return out + (last - first);
}
XGPU_THRUST_ALGORITHM(typename In, typename S, typename Out, typename Op, typename Is)
Out transform_if(P policy, In first, In last, S stencil, Out out, Op op, Is is) {
  auto in = xgpu::raw(first);
  auto with = xgpu::raw(stencil);
  auto to = xgpu::raw(out);
  XGPU_THRUST_EACH(last - first, if (is(with[i])) to[i] = op(in[i]));
  return out + (last - first);
}
XGPU_THRUST_ALGORITHM(typename In, typename Other, typename S, typename Out, typename Op,
                      typename Is)
Out transform_if(P policy, In first, In last, Other other, S stencil, Out out, Op op, Is is) {
  auto in = xgpu::raw(first);
  auto second = xgpu::raw(other);
  auto with = xgpu::raw(stencil);
  auto to = xgpu::raw(out);
  XGPU_THRUST_EACH(last - first, if (is(with[i])) to[i] = op(in[i], second[i]));
  return out + (last - first);
}
XGPU_THRUST_WITHOUT_POLICY(transform_if)

XGPU_THRUST_ALGORITHM(typename I, typename S, typename Is, typename T)
void replace_if(P policy, I first, I last, S stencil, Is is, T value) {
  auto out = xgpu::raw(first);
  auto with = xgpu::raw(stencil);
  XGPU_THRUST_EACH(last - first, if (is(with[i])) out[i] = value);
}
XGPU_THRUST_ALGORITHM(typename I, typename Is, typename T)
void replace_if(P policy, I first, I last, Is is, T value) {
  thrust::replace_if(policy, first, last, first, is, value);
}
XGPU_THRUST_WITHOUT_POLICY(replace_if)
XGPU_THRUST_ALGORITHM(typename I, typename T)
void replace(P policy, I first, I last, T old, T value) {
  auto out = xgpu::raw(first);
  XGPU_THRUST_EACH(last - first, if (out[i] == old) out[i] = value);
}
XGPU_THRUST_WITHOUT_POLICY(replace)
XGPU_THRUST_ALGORITHM(typename In, typename S, typename Out, typename Is, typename T)
Out replace_copy_if(P policy, In first, In last, S stencil, Out out, Is is, T value) {
  auto in = xgpu::raw(first);
  auto with = xgpu::raw(stencil);
  auto to = xgpu::raw(out);
  XGPU_THRUST_EACH(last - first, if (is(with[i])) to[i] = value; else to[i] = in[i]);
  return out + (last - first);
}
XGPU_THRUST_ALGORITHM(typename In, typename Out, typename Is, typename T)
Out replace_copy_if(P policy, In first, In last, Out out, Is is, T value) {
  return thrust::replace_copy_if(policy, first, last, first, out, is, value);
}
XGPU_THRUST_WITHOUT_POLICY(replace_copy_if)
XGPU_THRUST_ALGORITHM(typename In, typename Out, typename T)
Out replace_copy(P policy, In first, In last, Out out, T old, T value) {
  auto is = [=] __host__ __device__(const xgpu::value_of<In> &x) { return x == old; };
  return thrust::replace_copy_if(policy, first, last, out, is, value);
}
XGPU_THRUST_WITHOUT_POLICY(replace_copy)

XGPU_THRUST_ALGORITHM(typename Map, typename In, typename Out)
Out gather(P policy, Map first, Map last, In in, Out out) {
  auto map = xgpu::raw(first);
  auto from = xgpu::raw(in);
  auto to = xgpu::raw(out);
  XGPU_THRUST_EACH(last - first, to[i] = from[map[i]]);
  return out + (last - first);
}
XGPU_THRUST_WITHOUT_POLICY(gather)
XGPU_THRUST_ALGORITHM(typename Map, typename S, typename In, typename Out, typename Is = identity<>)
Out gather_if(P policy, Map first, Map last, S stencil, In in, Out out, Is is = Is()) {
  auto map = xgpu::raw(first);
  auto with = xgpu::raw(stencil);
  auto from = xgpu::raw(in);
  auto to = xgpu::raw(out);
  XGPU_THRUST_EACH(last - first, if (is(with[i])) to[i] = from[map[i]]);
  return out + (last - first);
}
XGPU_THRUST_WITHOUT_POLICY(gather_if)
XGPU_THRUST_ALGORITHM(typename In, typename Map, typename Out)
void scatter(P policy, In first, In last, Map map, Out out) {
  auto in = xgpu::raw(first);
  auto at = xgpu::raw(map);
  auto to = xgpu::raw(out);
  XGPU_THRUST_EACH(last - first, to[at[i]] = in[i]);
}
XGPU_THRUST_WITHOUT_POLICY(scatter)
XGPU_THRUST_ALGORITHM(typename In, typename Map, typename S, typename Out, typename Is = identity<>)
void scatter_if(P policy, In first, In last, Map map, S stencil, Out out, Is is = Is()) {
  auto in = xgpu::raw(first);
  auto at = xgpu::raw(map);
  auto with = xgpu::raw(stencil);
  auto to = xgpu::raw(out);
  XGPU_THRUST_EACH(last - first, if (is(with[i])) to[at[i]] = in[i]);
}
XGPU_THRUST_WITHOUT_POLICY(scatter_if)

XGPU_THRUST_ALGORITHM(typename I) void reverse(P policy, I first, I last) {
  auto out = xgpu::raw(first);
  long long count = last - first;
  XGPU_THRUST_EACH(count / 2, xgpu::value_of<I> old = out[i]; out[i] = out[count - 1 - i];
                   out[count - 1 - i] = old);
}
XGPU_THRUST_WITHOUT_POLICY(reverse)
XGPU_THRUST_ALGORITHM(typename In, typename Out)
Out reverse_copy(P policy, In first, In last, Out out) {
  return xgpu::copied(policy, make_reverse_iterator(last), make_reverse_iterator(first), out);
}
XGPU_THRUST_WITHOUT_POLICY(reverse_copy)
XGPU_THRUST_ALGORITHM(typename I, typename J)
J swap_ranges(P policy, I first, I last, J other) {
  auto a = xgpu::raw(first);
  auto b = xgpu::raw(other);
  XGPU_THRUST_EACH(last - first, xgpu::value_of<I> old = a[i]; a[i] = b[i]; b[i] = old);
  return other + (last - first);
}
XGPU_THRUST_WITHOUT_POLICY(swap_ranges)
// The output may be the input.
XGPU_THRUST_ALGORITHM(typename In, typename Out, typename Op = minus<>)
Out adjacent_difference(P policy, In first, In last, Out out, Op op = Op()) {
  typedef xgpu::value_of<In> V;
  auto in = xgpu::raw(first);
  auto to = xgpu::raw(out);
  long long count = last - first;
  xgpu::Temporary<P, V> values(count);
  V *value = values.place;
  XGPU_THRUST_EACH(count, value[i] = in[i]);
  XGPU_THRUST_EACH(count, if (i == 0) to[i] = value[i]; else to[i] = op(value[i], value[i - 1]));
  return out + count;
}
XGPU_THRUST_WITHOUT_POLICY(adjacent_difference)

// -- reductions

XGPU_THRUST_ALGORITHM(typename I, typename T, typename Op = plus<>)
T reduce(P policy, I first, I last, T initial, Op op = Op()) {
  return xgpu::reduced(policy, xgpu::raw(first), last - first, initial, op);
}
XGPU_THRUST_ALGORITHM(typename I) xgpu::value_of<I> reduce(P policy, I first, I last) {
  return thrust::reduce(policy, first, last, xgpu::value_of<I>());
}
XGPU_THRUST_WITHOUT_POLICY(reduce)
XGPU_THRUST_ALGORITHM(typename I, typename Unary, typename T, typename Op)
T transform_reduce(P policy, I first, I last, Unary unary, T initial, Op op) {
  return xgpu::reduced(policy, make_transform_iterator(xgpu::raw(first), unary), last - first,
                       initial, op);
}
XGPU_THRUST_WITHOUT_POLICY(transform_reduce)
XGPU_THRUST_ALGORITHM(typename I, typename J, typename T, typename Op = plus<>,
                      typename Pair = multiplies<>)
T inner_product(P policy, I first, I last, J other, T initial, Op op = Op(), Pair pair = Pair()) {
  auto in = xgpu::raw(first);
  auto with = xgpu::raw(other);
  auto pairs = xgpu::array_of([=] __host__ __device__(long long i) mutable {
    return pair(in[i], with[i]);
  });
  return xgpu::reduced(policy, pairs, last - first, initial, op);
}
XGPU_THRUST_WITHOUT_POLICY(inner_product)
XGPU_THRUST_ALGORITHM(typename I, typename Is) long long count_if(P policy, I first, I last,
                      Is is) {
  auto in = xgpu::raw(first);
  auto ones = xgpu::array_of(
      [=] __host__ __device__(long long i) mutable -> long long { return is(in[i]) ? 1 : 0; });
  return xgpu::reduced(policy, ones, last - first, 0LL, plus<long long>());
}
XGPU_THRUST_WITHOUT_POLICY(count_if)
XGPU_THRUST_ALGORITHM(typename I, typename T) long long count(P policy, I first, I last, T value) {
  auto is = [=] __host__ __device__(const xgpu::value_of<I> &x) { return x == value; };
  return thrust::count_if(policy, first, last, is);
}
XGPU_THRUST_WITHOUT_POLICY(count)

namespace xgpu {

// The place of what is before all others, the first of equal ones.
template <typename P, typename I, typename Less>
XGPU_THRUST_BOTH I least(P policy, I first, I last, Less less) {
  auto in = raw(first);
  auto op = [=] __host__ __device__(long long a, long long b) mutable {
    bool is_first = a < b;
    long long low = is_first ? a : b, high = is_first ? b : a;
    return less(in[high], in[low]) ? high : low;
  };
  if (first == last) return last;
  return first + reduced(policy, counting_iterator<long long>(0), last - first, 0LL, op);
}

}  // namespace xgpu

XGPU_THRUST_ALGORITHM(typename I, typename Less = less<>)
I min_element(P policy, I first, I last, Less less = Less()) {
  return xgpu::least(policy, first, last, less);
}
XGPU_THRUST_WITHOUT_POLICY(min_element)
XGPU_THRUST_ALGORITHM(typename I, typename Less = less<>)
I max_element(P policy, I first, I last, Less less = Less()) {
  typedef xgpu::value_of<I> V;
  return xgpu::least(policy, first, last, [=] __host__ __device__(const V &a, const V &b) mutable {
    return less(b, a);
  });
}
XGPU_THRUST_WITHOUT_POLICY(max_element)
XGPU_THRUST_ALGORITHM(typename I, typename Less = less<>)
pair<I, I> minmax_element(P policy, I first, I last, Less less = Less()) {
  return {thrust::min_element(policy, first, last, less),
          thrust::max_element(policy, first, last, less)};
}
XGPU_THRUST_WITHOUT_POLICY(minmax_element)

XGPU_THRUST_ALGORITHM(typename I, typename Is) I find_if(P policy, I first, I last, Is is) {
  auto in = xgpu::raw(first);
  return first + xgpu::lowest(policy, last - first,
                              [=] __host__ __device__(long long i) mutable { return is(in[i]); });
}
XGPU_THRUST_WITHOUT_POLICY(find_if)
XGPU_THRUST_ALGORITHM(typename I, typename Is) I find_if_not(P policy, I first, I last, Is is) {
  return thrust::find_if(policy, first, last, not_fn(is));
}
XGPU_THRUST_WITHOUT_POLICY(find_if_not)
XGPU_THRUST_ALGORITHM(typename I, typename T) I find(P policy, I first, I last, T value) {
  auto is = [=] __host__ __device__(const xgpu::value_of<I> &x) { return x == value; };
  return thrust::find_if(policy, first, last, is);
}
XGPU_THRUST_WITHOUT_POLICY(find)
XGPU_THRUST_ALGORITHM(typename I, typename Is = identity<>)
bool any_of(P policy, I first, I last, Is is = Is()) {
  return thrust::find_if(policy, first, last, is) != last;
}
XGPU_THRUST_WITHOUT_POLICY(any_of)
XGPU_THRUST_ALGORITHM(typename I, typename Is = identity<>)
bool none_of(P policy, I first, I last, Is is = Is()) {
  return thrust::find_if(policy, first, last, is) == last;
}
XGPU_THRUST_WITHOUT_POLICY(none_of)
XGPU_THRUST_ALGORITHM(typename I, typename Is = identity<>)
bool all_of(P policy, I first, I last, Is is = Is()) {
  return thrust::find_if_not(policy, first, last, is) == last;
}
XGPU_THRUST_WITHOUT_POLICY(all_of)
XGPU_THRUST_ALGORITHM(typename I, typename J, typename Equal = equal_to<>)
pair<I, J> mismatch(P policy, I first, I last, J other, Equal equal = Equal()) {
  auto a = xgpu::raw(first);
  auto b = xgpu::raw(other);
  long long at = xgpu::lowest(policy, last - first, [=] __host__ __device__(long long i) mutable {
    return !equal(a[i], b[i]);
  });
  return {first + at, other + at};
}
XGPU_THRUST_WITHOUT_POLICY(mismatch)
XGPU_THRUST_ALGORITHM(typename I, typename J, typename Equal = equal_to<>)
bool equal(P policy, I first, I last, J other, Equal equal = Equal()) {
  return thrust::mismatch(policy, first, last, other, equal).first == last;
}
XGPU_THRUST_WITHOUT_POLICY(equal)
XGPU_THRUST_ALGORITHM(typename I, typename Less = less<>)
I is_sorted_until(P policy, I first, I last, Less less = Less()) {
  auto in = xgpu::raw(first);
  return first + xgpu::lowest(policy, last - first, [=] __host__ __device__(long long i) mutable {
    return i > 0 && less(in[i], in[i - 1]);
  });
}
XGPU_THRUST_WITHOUT_POLICY(is_sorted_until)
XGPU_THRUST_ALGORITHM(typename I, typename Less = less<>)
bool is_sorted(P policy, I first, I last, Less less = Less()) {
  return thrust::is_sorted_until(policy, first, last, less) == last;
}
XGPU_THRUST_WITHOUT_POLICY(is_sorted)

XGPU_THRUST_ALGORITHM(typename K, typename V, typename OutK, typename OutV,
                      typename Equal = equal_to<>, typename Op = plus<>)
pair<OutK, OutV> reduce_by_key(P policy, K first, K last, V values, OutK keys, OutV sums,
                               Equal equal = Equal(), Op op = Op()) {
  auto key = xgpu::raw(first);
  auto value = xgpu::raw(values);
  auto out_key = xgpu::raw(keys);
  auto out = xgpu::raw(sums);
  long long runs = xgpu::for_each_run(policy, key, last - first, equal, [=] __host__ __device__(
      long long number, long long begin, long long end) mutable {
    xgpu::value_of<V> sum = value[begin];
    for (long long i = begin + 1; i < end; ++i) sum = op(sum, value[i]);
    out_key[number] = key[begin];
    out[number] = sum;
  });
  return {keys + runs, sums + runs};
}
XGPU_THRUST_WITHOUT_POLICY(reduce_by_key)

// -- scans

XGPU_THRUST_ALGORITHM(typename In, typename Out, typename Op = plus<>)
Out inclusive_scan(P policy, In first, In last, Out out, Op op = Op()) {
  xgpu::scanned(policy, xgpu::raw(first), xgpu::raw(out), last - first, op);
  return out + (last - first);
}
XGPU_THRUST_WITHOUT_POLICY(inclusive_scan)
XGPU_THRUST_ALGORITHM(typename In, typename Out, typename T = xgpu::value_of<In>,
                      typename Op = plus<>)
Out exclusive_scan(P policy, In first, In last, Out out, T initial = T(), Op op = Op()) {
  xgpu::scanned_before(policy, xgpu::raw(first), xgpu::raw(out), last - first, initial, op);
  return out + (last - first);
}
XGPU_THRUST_WITHOUT_POLICY(exclusive_scan)
XGPU_THRUST_ALGORITHM(typename In, typename Out, typename Unary, typename Op)
Out transform_inclusive_scan(P policy, In first, In last, Out out, Unary unary, Op op) {
  auto in = make_transform_iterator(xgpu::raw(first), unary);
  xgpu::scanned(policy, in, xgpu::raw(out), last - first, op);
  return out + (last - first);
}
XGPU_THRUST_WITHOUT_POLICY(transform_inclusive_scan)
XGPU_THRUST_ALGORITHM(typename In, typename Out, typename Unary, typename T, typename Op)
Out transform_exclusive_scan(P policy, In first, In last, Out out, Unary unary, T initial, Op op) {
  auto in = make_transform_iterator(xgpu::raw(first), unary);
  xgpu::scanned_before(policy, in, xgpu::raw(out), last - first, initial, op);
  return out + (last - first);
}
XGPU_THRUST_WITHOUT_POLICY(transform_exclusive_scan)
XGPU_THRUST_ALGORITHM(typename K, typename In, typename Out, typename Equal = equal_to<>,
                      typename Op = plus<>)
Out inclusive_scan_by_key(P policy, K first, K last, In values, Out out, Equal equal = Equal(),
                          Op op = Op()) {
  auto value = xgpu::raw(values);
  auto to = xgpu::raw(out);
  xgpu::for_each_run(policy, xgpu::raw(first), last - first, equal, [=] __host__ __device__(
      long long, long long begin, long long end) mutable {
    xgpu::scanned(host_policy(), value + begin, to + begin, end - begin, op);
  });
  return out + (last - first);
}
XGPU_THRUST_WITHOUT_POLICY(inclusive_scan_by_key)
XGPU_THRUST_ALGORITHM(typename K, typename In, typename Out, typename T = xgpu::value_of<In>,
                      typename Equal = equal_to<>, typename Op = plus<>)
Out exclusive_scan_by_key(P policy, K first, K last, In values, Out out, T initial = T(),
                          Equal equal = Equal(), Op op = Op()) {
  auto value = xgpu::raw(values);
  auto to = xgpu::raw(out);
  xgpu::for_each_run(policy, xgpu::raw(first), last - first, equal, [=] __host__ __device__(
      long long, long long begin, long long end) mutable {
    xgpu::scanned_before(host_policy(), value + begin, to + begin, end - begin, initial, op);
  });
  return out + (last - first);
}
XGPU_THRUST_WITHOUT_POLICY(exclusive_scan_by_key)

}  // namespace thrust

#endif
