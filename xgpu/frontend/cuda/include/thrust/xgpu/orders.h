// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Thrust's algorithms that choose, order and search elements. Sorts are merge sorts, all stable.
#pragma once
#include <thrust/xgpu/elements.h>

#ifdef XGPU_WHOLE_PROGRAM

namespace thrust {

// -- selections

namespace xgpu {

// `selected` where the output is the input.
template <typename P, typename I, typename Is>
XGPU_THRUST_BOTH I kept(P policy, I first, I last, Is is) {
  auto in = raw(first);
  if constexpr (std::is_same<P, host_policy>::value) {
    auto move = [=] __host__ __device__(long long i, long long n) mutable {
      if (i != n) in[n] = in[i];
    };
    return first + selected(policy, last - first, is, move);
  } else {
    typedef value_of<I> V;
    Temporary<P, V> values(last - first);
    V *value = values.place;
    auto move = [=] __host__ __device__(long long i, long long n) { value[n] = in[i]; };
    long long count = selected(policy, last - first, is, move);
    for_each_index(policy, count,
                   [=] __host__ __device__(long long i) mutable { in[i] = value[i]; });
    return first + count;
  }
}

}  // namespace xgpu

XGPU_THRUST_ALGORITHM(typename In, typename S, typename Out, typename Is)
Out copy_if(P policy, In first, In last, S stencil, Out out, Is is) {
  auto in = xgpu::raw(first);
  auto with = xgpu::raw(stencil);
  auto to = xgpu::raw(out);
  return out + xgpu::selected(
      policy, last - first, [=] __host__ __device__(long long i) mutable { return is(with[i]); },
      [=] __host__ __device__(long long i, long long n) mutable { to[n] = in[i]; });
}
XGPU_THRUST_ALGORITHM(typename In, typename Out, typename Is)
Out copy_if(P policy, In first, In last, Out out, Is is) {
  return thrust::copy_if(policy, first, last, first, out, is);
}
XGPU_THRUST_WITHOUT_POLICY(copy_if)
XGPU_THRUST_ALGORITHM(typename In, typename S, typename Out, typename Is)
Out remove_copy_if(P policy, In first, In last, S stencil, Out out, Is is) {
  return thrust::copy_if(policy, first, last, stencil, out, not_fn(is));
}
XGPU_THRUST_ALGORITHM(typename In, typename Out, typename Is)
Out remove_copy_if(P policy, In first, In last, Out out, Is is) {
  return thrust::copy_if(policy, first, last, first, out, not_fn(is));
}
XGPU_THRUST_WITHOUT_POLICY(remove_copy_if)
XGPU_THRUST_ALGORITHM(typename In, typename Out, typename T)
Out remove_copy(P policy, In first, In last, Out out, T value) {
  auto is = [=] __host__ __device__(const xgpu::value_of<In> &x) { return !(x == value); };
  return thrust::copy_if(policy, first, last, first, out, is);
}
XGPU_THRUST_WITHOUT_POLICY(remove_copy)
XGPU_THRUST_ALGORITHM(typename I, typename S, typename Is)
I remove_if(P policy, I first, I last, S stencil, Is is) {
  auto with = xgpu::raw(stencil);
  return xgpu::kept(policy, first, last,
                    [=] __host__ __device__(long long i) mutable { return !is(with[i]); });
}
XGPU_THRUST_ALGORITHM(typename I, typename Is) I remove_if(P policy, I first, I last, Is is) {
  return thrust::remove_if(policy, first, last, first, is);
}
XGPU_THRUST_WITHOUT_POLICY(remove_if)
XGPU_THRUST_ALGORITHM(typename I, typename T) I remove(P policy, I first, I last, T value) {
  auto is = [=] __host__ __device__(const xgpu::value_of<I> &x) { return x == value; };
  return thrust::remove_if(policy, first, last, first, is);
}
XGPU_THRUST_WITHOUT_POLICY(remove)

// Of a run of equal elements the first stays.
XGPU_THRUST_ALGORITHM(typename In, typename Out, typename Equal = equal_to<>)
Out unique_copy(P policy, In first, In last, Out out, Equal equal = Equal()) {
  auto in = xgpu::raw(first);
  auto to = xgpu::raw(out);
  return out + xgpu::for_each_run(policy, in, last - first, equal, [=] __host__ __device__(
      long long number, long long begin, long long) mutable { to[number] = in[begin]; });
}
XGPU_THRUST_WITHOUT_POLICY(unique_copy)
XGPU_THRUST_ALGORITHM(typename K, typename V, typename OutK, typename OutV,
                      typename Equal = equal_to<>)
pair<OutK, OutV> unique_by_key_copy(P policy, K first, K last, V values, OutK keys, OutV out,
                                    Equal equal = Equal()) {
  auto key = xgpu::raw(first);
  auto value = xgpu::raw(values);
  auto to_key = xgpu::raw(keys);
  auto to = xgpu::raw(out);
  long long count = xgpu::for_each_run(policy, key, last - first, equal, [=] __host__ __device__(
      long long number, long long begin, long long) mutable {
    to_key[number] = key[begin];
    to[number] = value[begin];
  });
  return {keys + count, out + count};
}
XGPU_THRUST_WITHOUT_POLICY(unique_by_key_copy)
XGPU_THRUST_ALGORITHM(typename I, typename Equal = equal_to<>)
I unique(P policy, I first, I last, Equal equal = Equal()) {
  typedef xgpu::value_of<I> V;
  xgpu::Temporary<P, V> values(last - first);
  V *value = values.place, *end = thrust::unique_copy(policy, first, last, value, equal);
  return xgpu::copied(policy, value, end, first);
}
XGPU_THRUST_WITHOUT_POLICY(unique)
XGPU_THRUST_ALGORITHM(typename K, typename V, typename Equal = equal_to<>)
pair<K, V> unique_by_key(P policy, K first, K last, V values, Equal equal = Equal()) {
  xgpu::Temporary<P, xgpu::value_of<K>> own_keys(last - first);
  xgpu::Temporary<P, xgpu::value_of<V>> own_values(last - first);
  auto end = thrust::unique_by_key_copy(policy, first, last, values, own_keys.place,
                                        own_values.place, equal);
  return {xgpu::copied(policy, own_keys.place, end.first, first),
          xgpu::copied(policy, own_values.place, end.second, values)};
}
XGPU_THRUST_WITHOUT_POLICY(unique_by_key)
XGPU_THRUST_ALGORITHM(typename I, typename Equal = equal_to<>)
long long unique_count(P policy, I first, I last, Equal equal = Equal()) {
  auto in = xgpu::raw(first);
  return thrust::count_if(policy, counting_iterator<long long>(0),
                          counting_iterator<long long>(last - first), xgpu::run_heads(in, equal));
}
XGPU_THRUST_WITHOUT_POLICY(unique_count)

// Partitions are stable.
XGPU_THRUST_ALGORITHM(typename In, typename S, typename A, typename B, typename Is)
pair<A, B> partition_copy(P policy, In first, In last, S stencil, A chosen, B others, Is is) {
  A end = thrust::copy_if(policy, first, last, stencil, chosen, is);
  return {end, thrust::copy_if(policy, first, last, stencil, others, not_fn(is))};
}
XGPU_THRUST_ALGORITHM(typename In, typename A, typename B, typename Is)
pair<A, B> partition_copy(P policy, In first, In last, A chosen, B others, Is is) {
  return thrust::partition_copy(policy, first, last, first, chosen, others, is);
}
XGPU_THRUST_WITHOUT_POLICY(partition_copy)
XGPU_THRUST_ALGORITHM(typename I, typename S, typename Is)
I partition(P policy, I first, I last, S stencil, Is is) {
  typedef xgpu::value_of<I> V;
  long long count = last - first;
  xgpu::Temporary<P, V> values(2 * count);
  V *chosen = values.place, *others = chosen + count;
  auto ends = thrust::partition_copy(policy, first, last, stencil, chosen, others, is);
  I middle = xgpu::copied(policy, chosen, ends.first, first);
  xgpu::copied(policy, others, ends.second, middle);
  return middle;
}
XGPU_THRUST_ALGORITHM(typename I, typename Is) I partition(P policy, I first, I last, Is is) {
  return thrust::partition(policy, first, last, first, is);
}
XGPU_THRUST_WITHOUT_POLICY(partition)
template <typename... Given> XGPU_THRUST_BOTH auto stable_partition(Given... given) {
  return thrust::partition(given...);
}
template <typename... Given> XGPU_THRUST_BOTH auto stable_partition_copy(Given... given) {
  return thrust::partition_copy(given...);
}
XGPU_THRUST_ALGORITHM(typename I, typename Is) I partition_point(P policy, I first, I last, Is is) {
  return thrust::find_if_not(policy, first, last, is);
}
XGPU_THRUST_WITHOUT_POLICY(partition_point)
XGPU_THRUST_ALGORITHM(typename I, typename Is)
bool is_partitioned(P policy, I first, I last, Is is) {
  return thrust::none_of(policy, thrust::partition_point(policy, first, last, is), last, is);
}
XGPU_THRUST_WITHOUT_POLICY(is_partitioned)

// -- searches in sorted elements

namespace xgpu {

// The first place below `count` whose element is not before `value`, or is behind it.
template <typename I, typename T, typename Less>
XGPU_THRUST_BOTH long long bound(I in, long long count, const T &value, Less &less, bool is_upper) {
  long long low = 0, high = count;
  while (low < high) {
    long long middle = low + (high - low) / 2;
    bool is_below = is_upper ? !less(value, in[middle]) : bool(less(in[middle], value));
    if (is_below) low = middle + 1;
    else high = middle;
  }
  return low;
}
template <typename P, typename I, typename T, typename Less>
XGPU_THRUST_BOTH I bound_of(P policy, I first, I last, T value, Less less, bool is_upper) {
  auto in = raw(first);
  return first + lowest(policy, last - first, [=] __host__ __device__(long long i) mutable {
    return is_upper ? bool(less(value, in[i])) : !less(in[i], value);
  });
}

}  // namespace xgpu

#define XGPU_THRUST_BOUND(NAME, IS_UPPER)                                                      \
  XGPU_THRUST_ALGORITHM(typename I, typename T, typename Less = less<>)                        \
  I NAME(P policy, I first, I last, T value, Less less = Less()) {                             \
    return xgpu::bound_of(policy, first, last, value, less, IS_UPPER);                         \
  }                                                                                            \
  template <typename P, typename I, typename V, typename Out, typename Less = less<>,          \
            typename = xgpu::for_policy<P>,                                                    \
            typename = std::enable_if_t<xgpu::is_iterator<V> && xgpu::is_iterator<Out>>>       \
  XGPU_THRUST_BOTH Out NAME(P policy, I first, I last, V values, V values_end, Out out,        \
                            Less less = Less()) {                                              \
    auto in = xgpu::raw(first);                                                                \
    auto value = xgpu::raw(values);                                                            \
    auto to = xgpu::raw(out);                                                                  \
    long long count = last - first;                                                            \
    XGPU_THRUST_EACH(values_end - values,                                                      \
                     to[i] = xgpu::bound(in, count, value[i], less, IS_UPPER));                \
    return out + (values_end - values);                                                        \
  }                                                                                            \
  XGPU_THRUST_WITHOUT_POLICY(NAME)
XGPU_THRUST_BOUND(lower_bound, false)
XGPU_THRUST_BOUND(upper_bound, true)
#undef XGPU_THRUST_BOUND
XGPU_THRUST_ALGORITHM(typename I, typename T, typename Less = less<>)
pair<I, I> equal_range(P policy, I first, I last, T value, Less less = Less()) {
  return {thrust::lower_bound(policy, first, last, value, less),
          thrust::upper_bound(policy, first, last, value, less)};
}
XGPU_THRUST_WITHOUT_POLICY(equal_range)
XGPU_THRUST_ALGORITHM(typename I, typename T, typename Less = less<>)
bool binary_search(P policy, I first, I last, T value, Less less = Less()) {
  return thrust::lower_bound(policy, first, last, value, less) !=
         thrust::upper_bound(policy, first, last, value, less);
}
template <typename P, typename I, typename V, typename Out, typename Less = less<>,
          typename = xgpu::for_policy<P>,
          typename = std::enable_if_t<xgpu::is_iterator<V> && xgpu::is_iterator<Out>>>
XGPU_THRUST_BOTH Out binary_search(P policy, I first, I last, V values, V values_end, Out out,
                                   Less less = Less()) {
  auto in = xgpu::raw(first);
  auto value = xgpu::raw(values);
  auto to = xgpu::raw(out);
  long long count = last - first;
  XGPU_THRUST_EACH(values_end - values,
                   to[i] = xgpu::bound(in, count, value[i], less, false) !=
                           xgpu::bound(in, count, value[i], less, true));
  return out + (values_end - values);
}
XGPU_THRUST_WITHOUT_POLICY(binary_search)

// -- merges and sorts

XGPU_THRUST_ALGORITHM(typename A, typename B, typename Out, typename Less = less<>)
Out merge(P policy, A first, A last, B other, B other_last, Out out, Less less = Less()) {
  auto a = xgpu::raw(first);
  auto b = xgpu::raw(other);
  auto to = xgpu::raw(out);
  long long a_count = last - first, b_count = other_last - other;
  XGPU_THRUST_EACH(a_count, to[i + xgpu::bound(b, b_count, a[i], less, false)] = a[i]);
  XGPU_THRUST_EACH(b_count, to[i + xgpu::bound(a, a_count, b[i], less, true)] = b[i]);
  return out + (a_count + b_count);
}
XGPU_THRUST_WITHOUT_POLICY(merge)
XGPU_THRUST_ALGORITHM(typename A, typename B, typename AV, typename BV, typename OutK,
                      typename OutV, typename Less = less<>)
pair<OutK, OutV> merge_by_key(P policy, A first, A last, B other, B other_last, AV values,
                              BV other_values, OutK keys, OutV out, Less less = Less()) {
  auto a = xgpu::raw(first);
  auto b = xgpu::raw(other);
  auto a_value = xgpu::raw(values);
  auto b_value = xgpu::raw(other_values);
  auto to_key = xgpu::raw(keys);
  auto to = xgpu::raw(out);
  long long a_count = last - first, b_count = other_last - other;
  XGPU_THRUST_EACH(a_count, long long n = i + xgpu::bound(b, b_count, a[i], less, false);
                   to_key[n] = a[i]; to[n] = a_value[i]);
  XGPU_THRUST_EACH(b_count, long long n = i + xgpu::bound(a, a_count, b[i], less, true);
                   to_key[n] = b[i]; to[n] = b_value[i]);
  return {keys + (a_count + b_count), out + (a_count + b_count)};
}
XGPU_THRUST_WITHOUT_POLICY(merge_by_key)

namespace xgpu {

// A stable sort of the keys, and of the values with them unless there are none.
template <typename P, typename K, typename V, typename Less>
XGPU_THRUST_BOTH void sort(P policy, K keys, V values, long long count, Less less) {
  typedef value_of<K> Key;
  typedef typename xgpu_cub::ValueOr<V>::type Value;
  constexpr bool with_values = xgpu_cub::has_values<V>;
  long long room = with_values ? count : 1;
  if (count < 2) return;
  Temporary<P, Key> keys_a(count), keys_b(count);
  Temporary<P, Value> values_a(room), values_b(room);
  Key *from = keys_a.place, *to = keys_b.place;
  Value *from_value = values_a.place, *to_value = values_b.place;
  long long runs = (count + xgpu_cub::RUN - 1) / xgpu_cub::RUN;
  for_each_index(policy, runs, [=] __host__ __device__(long long run) mutable {
    xgpu_cub::sort_run(keys, values, from, from_value, count, run, less);
  });
  for (long long length = xgpu_cub::RUN; length < count; length *= 2) {
    long long pairs = (count + 2 * length - 1) / (2 * length);
    for_each_index(policy, pairs, [=] __host__ __device__(long long pair) mutable {
      xgpu_cub::merge_runs(from, from_value, to, to_value, count, length, pair, with_values, less);
    });
    thrust::swap(from, to);
    thrust::swap(from_value, to_value);
  }
  for_each_index(policy, count, [=] __host__ __device__(long long i) mutable {
    keys[i] = from[i];
    if constexpr (with_values) values[i] = from_value[i];
  });
}

}  // namespace xgpu

XGPU_THRUST_ALGORITHM(typename I, typename Less = less<>)
void sort(P policy, I first, I last, Less less = Less()) {
  xgpu::sort(policy, xgpu::raw(first), xgpu_cub::NoValues(), last - first, less);
}
XGPU_THRUST_WITHOUT_POLICY(sort)
template <typename... Given> XGPU_THRUST_BOTH void stable_sort(Given... given) {
  thrust::sort(given...);
}
XGPU_THRUST_ALGORITHM(typename K, typename V, typename Less = less<>)
void sort_by_key(P policy, K first, K last, V values, Less less = Less()) {
  xgpu::sort(policy, xgpu::raw(first), xgpu::raw(values), last - first, less);
}
XGPU_THRUST_WITHOUT_POLICY(sort_by_key)
template <typename... Given> XGPU_THRUST_BOTH void stable_sort_by_key(Given... given) {
  thrust::sort_by_key(given...);
}

// -- sets: sorted elements, where one may be there several times

namespace xgpu {

// Whether the i-th of sorted elements is, with its equals before it, more than the others have.
template <typename A, typename B, typename Less>
XGPU_THRUST_BOTH bool exceeds(A a, long long i, B b, long long b_count, Less &less) {
  long long before = i - bound(a, i, a[i], less, false);
  long long others = bound(b, b_count, a[i], less, true) - bound(b, b_count, a[i], less, false);
  return before >= others;
}
// Those of the first that exceed the others, or those that do not.
template <typename P, typename A, typename B, typename Out, typename Less>
XGPU_THRUST_BOTH Out excess(P policy, A first, A last, B other, B other_last, Out out, Less less,
                            bool wanted) {
  auto a = raw(first);
  auto b = raw(other);
  auto to = raw(out);
  long long b_count = other_last - other;
  return out + selected(
      policy, last - first,
      [=] __host__ __device__(long long i) mutable {
        return exceeds(a, i, b, b_count, less) == wanted;
      },
      [=] __host__ __device__(long long i, long long n) mutable { to[n] = a[i]; });
}

}  // namespace xgpu

XGPU_THRUST_ALGORITHM(typename A, typename B, typename Out, typename Less = less<>)
Out set_difference(P policy, A first, A last, B other, B other_last, Out out, Less less = Less()) {
  return xgpu::excess(policy, first, last, other, other_last, out, less, true);
}
XGPU_THRUST_WITHOUT_POLICY(set_difference)
XGPU_THRUST_ALGORITHM(typename A, typename B, typename Out, typename Less = less<>)
Out set_intersection(P policy, A first, A last, B other, B other_last, Out out,
                     Less less = Less()) {
  return xgpu::excess(policy, first, last, other, other_last, out, less, false);
}
XGPU_THRUST_WITHOUT_POLICY(set_intersection)
XGPU_THRUST_ALGORITHM(typename A, typename B, typename Out, typename Less = less<>)
Out set_union(P policy, A first, A last, B other, B other_last, Out out, Less less = Less()) {
  typedef xgpu::value_of<B> V;
  xgpu::Temporary<P, V> values(other_last - other);
  V *value = values.place;
  V *end = thrust::set_difference(policy, other, other_last, first, last, value, less);
  return thrust::merge(policy, first, last, value, end, out, less);
}
XGPU_THRUST_WITHOUT_POLICY(set_union)
XGPU_THRUST_ALGORITHM(typename A, typename B, typename Out, typename Less = less<>)
Out set_symmetric_difference(P policy, A first, A last, B other, B other_last, Out out,
                             Less less = Less()) {
  typedef xgpu::value_of<A> V;
  xgpu::Temporary<P, V> a_values(last - first), b_values(other_last - other);
  V *a = a_values.place, *b = b_values.place;
  V *a_end = thrust::set_difference(policy, first, last, other, other_last, a, less);
  V *b_end = thrust::set_difference(policy, other, other_last, first, last, b, less);
  return thrust::merge(policy, a, a_end, b, b_end, out, less);
}
XGPU_THRUST_WITHOUT_POLICY(set_symmetric_difference)

// -- shuffles: elements in the order of numbers that a generator's first two stand for

namespace xgpu {

// The n-th number of SplitMix64 from a seed (Steele, Lea, Flood 2014), a bijection of n.
XGPU_THRUST_BOTH inline unsigned long long scrambled(unsigned long long seed, long long n) {
  unsigned long long z = seed + (n + 1) * 0x9E3779B97F4A7C15ULL;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
  return z ^ (z >> 31);
}

}  // namespace xgpu

template <typename P, typename In, typename Out, typename G, typename = xgpu::for_policy<P>>
void shuffle_copy(P policy, In first, In last, Out out, G &&generator) {
  unsigned long long seed = (unsigned long long)generator() << 32 ^ generator();
  long long count = last - first;
  xgpu::Temporary<P, unsigned long long> numbers(count);
  xgpu::Temporary<P, xgpu::value_of<In>> values(count);
  auto in = xgpu::raw(first);
  auto *number = numbers.place;
  auto *value = values.place;
  XGPU_THRUST_EACH(count, number[i] = xgpu::scrambled(seed, i); value[i] = in[i]);
  thrust::sort_by_key(policy, number, number + count, value);
  xgpu::copied(policy, value, value + count, out);
}
template <typename P, typename I, typename G, typename = xgpu::for_policy<P>>
void shuffle(P policy, I first, I last, G &&generator) {
  thrust::shuffle_copy(policy, first, last, first, generator);
}
template <typename In, typename Out, typename G, typename = xgpu::not_policy<In>>
void shuffle_copy(In first, In last, Out out, G &&generator) {
  thrust::shuffle_copy(xgpu::policy_of<In, Out>(), first, last, out, generator);
}
template <typename I, typename G, typename = xgpu::not_policy<I>>
void shuffle(I first, I last, G &&generator) {
  thrust::shuffle(xgpu::policy_of<I>(), first, last, generator);
}

}  // namespace thrust

#endif
