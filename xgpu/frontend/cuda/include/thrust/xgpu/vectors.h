// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Thrust's vectors: of the host, of the device, and of memory that both reach.
#pragma once
#include <thrust/xgpu/elements.h>

#ifdef XGPU_WHOLE_PROGRAM
#include <initializer_list>
#include <memory>

namespace thrust {

struct default_init_t {};
struct no_init_t {};
static const default_init_t default_init;
static const no_init_t no_init;

template <typename T, bool IS_UNIVERSAL> class xgpu_vector;

template <typename T, typename Allocator = std::allocator<T>>
class host_vector : public std::vector<T, Allocator> {
 public:
  typedef std::vector<T, Allocator> Base;
  using Base::Base;
  host_vector() {}
  host_vector(const Base &other) : Base(other) {}
  host_vector(const host_vector &) = default;
  host_vector(host_vector &&) = default;
  template <bool IS_UNIVERSAL> host_vector(const xgpu_vector<T, IS_UNIVERSAL> &other) {
    *this = other;
  }
  template <typename I, bool IS_UNIVERSAL>
  host_vector(xgpu_pointer<I, IS_UNIVERSAL> first, xgpu_pointer<I, IS_UNIVERSAL> last)
      : Base(last - first) {
    thrust::copy(first, last, this->begin());
  }
  host_vector(std::size_t count, default_init_t) : Base(count) {}
  host_vector(std::size_t count, no_init_t) : Base(count) {}
  host_vector &operator=(const host_vector &) = default;
  host_vector &operator=(host_vector &&) = default;
  template <bool IS_UNIVERSAL> host_vector &operator=(const xgpu_vector<T, IS_UNIVERSAL> &other) {
    this->resize(other.size());
    thrust::copy(other.begin(), other.end(), this->begin());
    return *this;
  }
};

template <typename T, bool IS_UNIVERSAL> class xgpu_vector {
 public:
  typedef T value_type;
  typedef xgpu_pointer<T, IS_UNIVERSAL> iterator, pointer;
  typedef xgpu_pointer<const T, IS_UNIVERSAL> const_iterator, const_pointer;
  typedef thrust::reverse_iterator<iterator> reverse_iterator;
  typedef thrust::reverse_iterator<const_iterator> const_reverse_iterator;
  typedef typename iterator::reference reference;
  typedef typename const_iterator::reference const_reference;
  typedef std::size_t size_type;
  typedef std::ptrdiff_t difference_type;

  xgpu_vector() {}
  explicit xgpu_vector(size_type count) { resize(count); }
  xgpu_vector(size_type count, const T &value) { resize(count, value); }
  xgpu_vector(size_type count, default_init_t) { reserve(this->count = count); }
  xgpu_vector(size_type count, no_init_t) { reserve(this->count = count); }
  template <typename I, typename = typename std::iterator_traits<I>::iterator_category>
  xgpu_vector(I first, I last) { assign(first, last); }
  xgpu_vector(std::initializer_list<T> values) { assign(values.begin(), values.end()); }
  xgpu_vector(const xgpu_vector &other) { assign(other.begin(), other.end()); }
  xgpu_vector(xgpu_vector &&other) { swap(other); }
  template <bool IS_OTHER, typename = std::enable_if_t<IS_OTHER != IS_UNIVERSAL>>
  xgpu_vector(const xgpu_vector<T, IS_OTHER> &other) { assign(other.begin(), other.end()); }
  template <typename U, typename A> xgpu_vector(const std::vector<U, A> &other) {
    assign(other.begin(), other.end());
  }
  ~xgpu_vector() { cudaFree((void *)place); }
  xgpu_vector &operator=(const xgpu_vector &other) {
    if (this != &other) assign(other.begin(), other.end());
    return *this;
  }
  xgpu_vector &operator=(xgpu_vector &&other) { return swap(other), *this; }
  template <bool IS_OTHER, typename = std::enable_if_t<IS_OTHER != IS_UNIVERSAL>>
  xgpu_vector &operator=(const xgpu_vector<T, IS_OTHER> &other) {
    return assign(other.begin(), other.end()), *this;
  }
  template <typename U, typename A> xgpu_vector &operator=(const std::vector<U, A> &other) {
    return assign(other.begin(), other.end()), *this;
  }
  xgpu_vector &operator=(std::initializer_list<T> values) {
    return assign(values.begin(), values.end()), *this;
  }

  template <typename I, typename = typename std::iterator_traits<I>::iterator_category>
  void assign(I first, I last) {
    size_type wanted = std::distance(first, last);
    count = 0;
    reserve(wanted);
    count = wanted;
    thrust::copy(first, last, begin());
  }
  void assign(size_type wanted, const T &value) {
    count = 0;
    resize(wanted, value);
  }
  // New values are zeros of T, as a value that is constructed without arguments is.
  void resize(size_type wanted, const T &value = T()) {
    reserve(wanted);
    if (wanted > count) thrust::fill(begin() + count, begin() + wanted, value);
    count = wanted;
  }
  void reserve(size_type wanted) {
    if (wanted > room) move_to(wanted);
  }
  void shrink_to_fit() {
    if (room > count) move_to(count);
  }
  void push_back(const T &value) {
    T own = value;
    if (count == room) reserve(2 * room + 1);
    resize(count + 1, own);
  }
  template <typename... Given> void emplace_back(Given &&...given) {
    push_back(T(std::forward<Given>(given)...));
  }
  void pop_back() { --count; }
  void clear() { count = 0; }
  iterator erase(const_iterator at) { return erase(at, at + 1); }
  iterator erase(const_iterator first, const_iterator last) {
    size_type from = first - cbegin(), behind = last - cbegin();
    xgpu_vector rest(begin() + behind, end());
    thrust::copy(rest.begin(), rest.end(), begin() + from);
    count -= behind - from;
    return begin() + from;
  }
  iterator insert(const_iterator at, const T &value) { return insert(at, 1, value); }
  iterator insert(const_iterator at, size_type number, const T &value) {
    xgpu_vector values(number, value);
    return insert(at, values.begin(), values.end());
  }
  template <typename I, typename = typename std::iterator_traits<I>::iterator_category>
  iterator insert(const_iterator at, I first, I last) {
    size_type from = at - cbegin();
    xgpu_vector values(first, last), rest(begin() + from, end());
    resize(count + values.size());
    thrust::copy(values.begin(), values.end(), begin() + from);
    thrust::copy(rest.begin(), rest.end(), begin() + from + values.size());
    return begin() + from;
  }
  void swap(xgpu_vector &other) {
    std::swap(place, other.place);
    std::swap(count, other.count);
    std::swap(room, other.room);
  }

  size_type size() const { return count; }
  size_type max_size() const { return std::size_t(-1) / sizeof(T) / 2; }
  size_type capacity() const { return room; }
  bool empty() const { return !count; }
  pointer data() { return pointer(place); }
  const_pointer data() const { return cbegin(); }
  iterator begin() { return iterator(place); }
  iterator end() { return iterator(place + count); }
  const_iterator begin() const { return cbegin(); }
  const_iterator end() const { return cend(); }
  const_iterator cbegin() const { return const_iterator(place); }
  const_iterator cend() const { return const_iterator(place + count); }
  reverse_iterator rbegin() { return reverse_iterator(end()); }
  reverse_iterator rend() { return reverse_iterator(begin()); }
  const_reverse_iterator rbegin() const { return const_reverse_iterator(cend()); }
  const_reverse_iterator rend() const { return const_reverse_iterator(cbegin()); }
  reference operator[](size_type i) { return begin()[i]; }
  const_reference operator[](size_type i) const { return cbegin()[i]; }
  reference front() { return begin()[0]; }
  reference back() { return begin()[count - 1]; }
  const_reference front() const { return cbegin()[0]; }
  const_reference back() const { return cbegin()[count - 1]; }

 private:
  T *place = nullptr;
  size_type count = 0, room = 0;

  void move_to(size_type wanted) {
    T *other = nullptr;
    if (wanted) {
      if constexpr (IS_UNIVERSAL) xgpu::checked(cudaMallocManaged(&other, wanted * sizeof(T)));
      else xgpu::checked(cudaMalloc(&other, wanted * sizeof(T)));
    }
    if (count && place)
      xgpu::checked(cudaMemcpy((void *)other, place, count * sizeof(T), cudaMemcpyDefault));
    xgpu::checked(cudaFree((void *)place));
    place = other;
    room = wanted;
  }
};

template <typename T, typename = void> using device_vector = xgpu_vector<T, false>;
template <typename T, typename = void> using universal_vector = xgpu_vector<T, true>;

namespace xgpu {

template <typename V> struct IsVector : std::false_type {};
template <typename T, typename A> struct IsVector<host_vector<T, A>> : std::true_type {};
template <typename T, typename A> struct IsVector<std::vector<T, A>> : std::true_type {};
template <typename T, bool IS> struct IsVector<xgpu_vector<T, IS>> : std::true_type {};
template <typename V>
std::vector<typename V::value_type> values_of(const V &vector) {
  std::vector<typename V::value_type> values(vector.size());
  thrust::copy(vector.begin(), vector.end(), values.begin());
  return values;
}

}  // namespace xgpu

template <typename T, bool IS, typename B, typename = std::enable_if_t<xgpu::IsVector<B>::value>>
bool operator==(const xgpu_vector<T, IS> &a, const B &b) {
  return a.size() == b.size() && xgpu::values_of(a) == xgpu::values_of(b);
}
template <typename T, bool IS, typename B, typename = std::enable_if_t<xgpu::IsVector<B>::value>>
bool operator!=(const xgpu_vector<T, IS> &a, const B &b) {
  return !(a == b);
}
template <typename T, typename A, bool IS>
bool operator==(const std::vector<T, A> &a, const xgpu_vector<T, IS> &b) {
  return b == a;
}
template <typename T, typename A, bool IS>
bool operator!=(const std::vector<T, A> &a, const xgpu_vector<T, IS> &b) {
  return !(b == a);
}
template <typename T, bool IS> void swap(xgpu_vector<T, IS> &a, xgpu_vector<T, IS> &b) {
  a.swap(b);
}

}  // namespace thrust

#endif
