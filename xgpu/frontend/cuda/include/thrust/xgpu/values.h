// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Thrust's pairs, tuples, function objects and placeholders, on the host and in kernels. The
// standard library's pairs and tuples do not do, as kernels cannot assign to them before C++20.
#pragma once
#include <cuda_runtime.h>

#ifdef XGPU_WHOLE_PROGRAM
#if __cplusplus < 201703L
#error "Thrust needs C++17"
#endif
#include <tuple>
#include <type_traits>
#include <utility>

#define THRUST_VERSION 200200
#define THRUST_MAJOR_VERSION 2
#define THRUST_MINOR_VERSION 2
#define THRUST_SUBMINOR_VERSION 0
#define XGPU_THRUST_BOTH __host__ __device__

namespace thrust {

// -- pairs

template <typename A, typename B> struct pair {
  typedef A first_type;
  typedef B second_type;
  A first;
  B second;

  XGPU_THRUST_BOTH constexpr pair() : first(), second() {}
  XGPU_THRUST_BOTH constexpr pair(const A &a, const B &b) : first(a), second(b) {}
  template <typename C, typename D>
  XGPU_THRUST_BOTH constexpr pair(const pair<C, D> &other)
      : first(other.first), second(other.second) {}
  template <typename C, typename D>
  constexpr pair(const std::pair<C, D> &other) : first(other.first), second(other.second) {}
  constexpr pair(const pair &) = default;
  XGPU_THRUST_BOTH constexpr pair &operator=(const pair &other) {
    first = other.first;
    second = other.second;
    return *this;
  }
  template <typename C, typename D>
  XGPU_THRUST_BOTH constexpr pair &operator=(const pair<C, D> &other) {
    first = other.first;
    second = other.second;
    return *this;
  }
  XGPU_THRUST_BOTH void swap(pair &other) {
    pair old = *this;
    *this = other;
    other = old;
  }
};
template <typename A, typename B> pair(A, B) -> pair<A, B>;

template <typename A, typename B>
XGPU_THRUST_BOTH constexpr pair<std::decay_t<A>, std::decay_t<B>> make_pair(A &&a, B &&b) {
  return {std::forward<A>(a), std::forward<B>(b)};
}
template <typename A, typename B>
XGPU_THRUST_BOTH constexpr bool operator==(const pair<A, B> &a, const pair<A, B> &b) {
  return a.first == b.first && a.second == b.second;
}
template <typename A, typename B>
XGPU_THRUST_BOTH constexpr bool operator<(const pair<A, B> &a, const pair<A, B> &b) {
  return a.first < b.first || (!(b.first < a.first) && a.second < b.second);
}

// -- tuples

struct null_type {};

template <typename... T> struct tuple;

namespace xgpu {

template <typename T> struct IsTuple : std::false_type {};
template <typename... T> struct IsTuple<tuple<T...>> : std::true_type {};
template <typename T> constexpr bool is_tuple = IsTuple<std::decay_t<T>>::value;

}  // namespace xgpu

template <> struct tuple<> {};

// An assignment to a tuple of references assigns to what they refer to.
template <typename T, typename... Rest> struct tuple<T, Rest...> {
  T head;
  tuple<Rest...> rest;

  XGPU_THRUST_BOTH constexpr tuple() : head(), rest() {}
  template <typename A, typename... B,
            typename = std::enable_if_t<sizeof...(B) == sizeof...(Rest) &&
                                        (sizeof...(B) > 0 || !xgpu::is_tuple<A>) &&
                                        std::is_convertible<A, T>::value>>
  XGPU_THRUST_BOTH constexpr tuple(A &&a, B &&...b)
      : head(std::forward<A>(a)), rest(std::forward<B>(b)...) {}
  template <typename A, typename... B,
            typename = std::enable_if_t<sizeof...(B) == sizeof...(Rest)>>
  XGPU_THRUST_BOTH constexpr tuple(const tuple<A, B...> &other)
      : head(other.head), rest(other.rest) {}
  template <typename A, typename B>
  XGPU_THRUST_BOTH constexpr tuple(const pair<A, B> &other)
      : head(other.first), rest(other.second) {}
  constexpr tuple(const tuple &) = default;

  XGPU_THRUST_BOTH constexpr tuple &operator=(const tuple &other) { return assign(other); }
  template <typename... A> XGPU_THRUST_BOTH constexpr tuple &operator=(const tuple<A...> &other) {
    static_assert(sizeof...(A) == 1 + sizeof...(Rest), "tuples of different sizes");
    return assign(other);
  }
  template <typename A, typename B>
  XGPU_THRUST_BOTH constexpr tuple &operator=(const pair<A, B> &other) {
    static_assert(sizeof...(Rest) == 1, "a pair is a tuple of two");
    head = other.first;
    rest.head = other.second;
    return *this;
  }
  XGPU_THRUST_BOTH void swap(tuple &other) {
    tuple old = *this;
    *this = other;
    other = old;
  }
  template <int N> XGPU_THRUST_BOTH constexpr auto &get() {
    if constexpr (N == 0) return head;
    else return rest.template get<N - 1>();
  }
  template <int N> XGPU_THRUST_BOTH constexpr auto &get() const {
    if constexpr (N == 0) return head;
    else return rest.template get<N - 1>();
  }

 private:
  template <typename Other> XGPU_THRUST_BOTH constexpr tuple &assign(const Other &other) {
    head = other.head;
    if constexpr (sizeof...(Rest) > 0) rest = other.rest;
    return *this;
  }
};
template <typename... T> tuple(T...) -> tuple<T...>;

template <typename T> struct tuple_size;
template <typename... T>
struct tuple_size<tuple<T...>> : std::integral_constant<std::size_t, sizeof...(T)> {};
template <typename A, typename B>
struct tuple_size<pair<A, B>> : std::integral_constant<std::size_t, 2> {};
template <std::size_t N, typename T> struct tuple_element;
template <std::size_t N, typename T, typename... Rest> struct tuple_element<N, tuple<T, Rest...>> {
  typedef typename tuple_element<N - 1, tuple<Rest...>>::type type;
};
template <typename T, typename... Rest> struct tuple_element<0, tuple<T, Rest...>> {
  typedef T type;
};
template <typename A, typename B> struct tuple_element<0, pair<A, B>> { typedef A type; };
template <typename A, typename B> struct tuple_element<1, pair<A, B>> { typedef B type; };
template <std::size_t N, typename T>
using tuple_element_t = typename tuple_element<N, T>::type;
template <typename T> constexpr std::size_t tuple_size_v = tuple_size<T>::value;

template <std::size_t N, typename... T>
XGPU_THRUST_BOTH constexpr tuple_element_t<N, tuple<T...>> &get(tuple<T...> &t) {
  return t.template get<N>();
}
template <std::size_t N, typename... T>
XGPU_THRUST_BOTH constexpr const tuple_element_t<N, tuple<T...>> &get(const tuple<T...> &t) {
  return t.template get<N>();
}
template <std::size_t N, typename... T>
XGPU_THRUST_BOTH constexpr tuple_element_t<N, tuple<T...>> &&get(tuple<T...> &&t) {
  return static_cast<tuple_element_t<N, tuple<T...>> &&>(t.template get<N>());
}
template <std::size_t N, typename A, typename B>
XGPU_THRUST_BOTH constexpr auto &get(pair<A, B> &p) {
  if constexpr (N == 0) return p.first;
  else return p.second;
}
template <std::size_t N, typename A, typename B>
XGPU_THRUST_BOTH constexpr auto &get(const pair<A, B> &p) {
  if constexpr (N == 0) return p.first;
  else return p.second;
}
template <std::size_t N, typename A, typename B>
XGPU_THRUST_BOTH constexpr tuple_element_t<N, pair<A, B>> get(pair<A, B> &&p) {
  return thrust::get<N>(p);
}

template <typename... T>
XGPU_THRUST_BOTH constexpr tuple<std::decay_t<T>...> make_tuple(T &&...values) {
  return tuple<std::decay_t<T>...>(std::forward<T>(values)...);
}
template <typename... T> XGPU_THRUST_BOTH constexpr tuple<T &...> tie(T &...places) {
  return tuple<T &...>(places...);
}
struct xgpu_ignored {
  template <typename T> XGPU_THRUST_BOTH const xgpu_ignored &operator=(const T &) const {
    return *this;
  }
};
static const xgpu_ignored ignore;

template <typename A, typename... As, typename B, typename... Bs>
XGPU_THRUST_BOTH constexpr bool operator==(const tuple<A, As...> &a, const tuple<B, Bs...> &b) {
  if constexpr (sizeof...(As) == 0) return a.head == b.head;
  else return a.head == b.head && a.rest == b.rest;
}
template <typename A, typename... As, typename B, typename... Bs>
XGPU_THRUST_BOTH constexpr bool operator<(const tuple<A, As...> &a, const tuple<B, Bs...> &b) {
  if constexpr (sizeof...(As) == 0) return a.head < b.head;
  else return a.head < b.head || (!(b.head < a.head) && a.rest < b.rest);
}
#define XGPU_THRUST_COMPARED(PARAMETERS, A, B)                                                 \
  template <PARAMETERS> XGPU_THRUST_BOTH constexpr bool operator!=(const A &a, const B &b) {   \
    return !(a == b);                                                                          \
  }                                                                                            \
  template <PARAMETERS> XGPU_THRUST_BOTH constexpr bool operator>(const A &a, const B &b) {    \
    return b < a;                                                                              \
  }                                                                                            \
  template <PARAMETERS> XGPU_THRUST_BOTH constexpr bool operator<=(const A &a, const B &b) {   \
    return !(b < a);                                                                           \
  }                                                                                            \
  template <PARAMETERS> XGPU_THRUST_BOTH constexpr bool operator>=(const A &a, const B &b) {   \
    return !(a < b);                                                                           \
  }
#define XGPU_THRUST_LIST(...) __VA_ARGS__
XGPU_THRUST_COMPARED(XGPU_THRUST_LIST(typename A, typename B),
                     XGPU_THRUST_LIST(pair<A, B>), XGPU_THRUST_LIST(pair<A, B>))
XGPU_THRUST_COMPARED(XGPU_THRUST_LIST(typename... As, typename... Bs),
                     tuple<As...>, tuple<Bs...>)
#undef XGPU_THRUST_COMPARED
#undef XGPU_THRUST_LIST

template <typename T> XGPU_THRUST_BOTH void swap(T &a, T &b) {
  T old = a;
  a = b;
  b = old;
}

// -- function objects: of one type, or of what the arguments are

#define XGPU_THRUST_OPERATION(NAME, RESULT, EXPRESSION)                                        \
  template <typename T = void> struct NAME {                                                   \
    typedef T first_argument_type, second_argument_type;                                       \
    typedef RESULT result_type;                                                                \
    XGPU_THRUST_BOTH constexpr RESULT operator()(const T &a, const T &b) const {               \
      return EXPRESSION;                                                                       \
    }                                                                                          \
  };                                                                                           \
  template <> struct NAME<void> {                                                              \
    template <typename A, typename B>                                                          \
    XGPU_THRUST_BOTH constexpr auto operator()(const A &a, const B &b) const {                 \
      return EXPRESSION;                                                                       \
    }                                                                                          \
  };
XGPU_THRUST_OPERATION(plus, T, a + b)
XGPU_THRUST_OPERATION(minus, T, a - b)
XGPU_THRUST_OPERATION(multiplies, T, a *b)
XGPU_THRUST_OPERATION(divides, T, a / b)
XGPU_THRUST_OPERATION(modulus, T, a % b)
XGPU_THRUST_OPERATION(bit_and, T, a &b)
XGPU_THRUST_OPERATION(bit_or, T, a | b)
XGPU_THRUST_OPERATION(bit_xor, T, a ^ b)
XGPU_THRUST_OPERATION(maximum, T, a < b ? b : a)
XGPU_THRUST_OPERATION(minimum, T, b < a ? b : a)
XGPU_THRUST_OPERATION(project1st, T, ((void)b, a))
XGPU_THRUST_OPERATION(project2nd, T, ((void)a, b))
XGPU_THRUST_OPERATION(less, bool, a < b)
XGPU_THRUST_OPERATION(greater, bool, a > b)
XGPU_THRUST_OPERATION(less_equal, bool, a <= b)
XGPU_THRUST_OPERATION(greater_equal, bool, a >= b)
XGPU_THRUST_OPERATION(equal_to, bool, a == b)
XGPU_THRUST_OPERATION(not_equal_to, bool, a != b)
XGPU_THRUST_OPERATION(logical_and, bool, a &&b)
XGPU_THRUST_OPERATION(logical_or, bool, a || b)
#undef XGPU_THRUST_OPERATION
#define XGPU_THRUST_OPERATION(NAME, RESULT, EXPRESSION)                                        \
  template <typename T = void> struct NAME {                                                   \
    typedef T argument_type;                                                                   \
    typedef RESULT result_type;                                                                \
    XGPU_THRUST_BOTH constexpr RESULT operator()(const T &a) const { return EXPRESSION; }      \
  };                                                                                           \
  template <> struct NAME<void> {                                                              \
    template <typename A> XGPU_THRUST_BOTH constexpr auto operator()(const A &a) const {       \
      return EXPRESSION;                                                                       \
    }                                                                                          \
  };
XGPU_THRUST_OPERATION(identity, T, a)
XGPU_THRUST_OPERATION(negate, T, -a)
XGPU_THRUST_OPERATION(square, T, a *a)
XGPU_THRUST_OPERATION(bit_not, T, ~a)
XGPU_THRUST_OPERATION(logical_not, bool, !a)
#undef XGPU_THRUST_OPERATION

// What function objects of older programs derive from.
template <typename A, typename R> struct unary_function {
  typedef A argument_type;
  typedef R result_type;
};
template <typename A, typename B, typename R> struct binary_function {
  typedef A first_argument_type;
  typedef B second_argument_type;
  typedef R result_type;
};

template <typename F> struct xgpu_negated {
  F f;
  template <typename... A> XGPU_THRUST_BOTH bool operator()(A &&...a) const { return !f(a...); }
};
template <typename F> XGPU_THRUST_BOTH xgpu_negated<F> not_fn(F f) { return {f}; }
template <typename F> XGPU_THRUST_BOTH xgpu_negated<F> not1(F f) { return {f}; }
template <typename F> XGPU_THRUST_BOTH xgpu_negated<F> not2(F f) { return {f}; }

// A function of several arguments as one of a tuple.
template <typename F> class zip_function {
 public:
  XGPU_THRUST_BOTH zip_function(F f) : f(f) {}
  template <typename Tuple> XGPU_THRUST_BOTH decltype(auto) operator()(Tuple &&tuple) const {
    return called(tuple, std::make_index_sequence<tuple_size<std::decay_t<Tuple>>::value>());
  }

 private:
  mutable F f;
  template <typename Tuple, std::size_t... N>
  XGPU_THRUST_BOTH decltype(auto) called(Tuple &tuple, std::index_sequence<N...>) const {
    return f(thrust::get<N>(tuple)...);
  }
};
template <typename F> XGPU_THRUST_BOTH zip_function<F> make_zip_function(F f) { return {f}; }

// -- placeholders: `_1 * 2 + _2` is a function object

namespace xgpu {

template <typename E> struct Expression {
  E e;
  template <typename... A> XGPU_THRUST_BOTH decltype(auto) operator()(A &&...a) const {
    return e(a...);
  }
};
template <int N> struct Argument {
  template <typename A, typename... Rest>
  XGPU_THRUST_BOTH decltype(auto) operator()(A &a, Rest &...rest) const {
    if constexpr (N == 0) return (a);
    else return Argument<N - 1>()(rest...);
  }
};
template <typename T> struct Constant {
  T value;
  template <typename... A> XGPU_THRUST_BOTH T operator()(A &...) const { return value; }
};
template <typename F, typename A, typename B> struct Applied {
  A a;
  B b;
  template <typename... X> XGPU_THRUST_BOTH decltype(auto) operator()(X &...x) const {
    return F::of(a(x...), b(x...));
  }
};
template <typename T> XGPU_THRUST_BOTH constexpr Constant<T> part(const T &value) {
  return {value};
}
template <typename E> XGPU_THRUST_BOTH constexpr E part(const Expression<E> &expression) {
  return expression.e;
}
template <typename T> struct IsExpression : std::false_type {};
template <typename E> struct IsExpression<Expression<E>> : std::true_type {};
template <typename A, typename B>
using with_expression = std::enable_if_t<IsExpression<A>::value || IsExpression<B>::value>;

#define XGPU_THRUST_OPERATOR(NAME, SIGN)                                                       \
  struct NAME {                                                                                \
    template <typename A, typename B>                                                          \
    static XGPU_THRUST_BOTH decltype(auto) of(A &&a, B &&b) {                                  \
      return a SIGN b;                                                                         \
    }                                                                                          \
  };                                                                                           \
  template <typename A, typename B, typename = with_expression<A, B>>                          \
  XGPU_THRUST_BOTH constexpr auto operator SIGN(const A &a, const B &b) {                      \
    typedef Applied<NAME, decltype(part(a)), decltype(part(b))> E;                             \
    return Expression<E>{E{part(a), part(b)}};                                                 \
  }
XGPU_THRUST_OPERATOR(Plus, +)
XGPU_THRUST_OPERATOR(Minus, -)
XGPU_THRUST_OPERATOR(Times, *)
XGPU_THRUST_OPERATOR(Over, /)
XGPU_THRUST_OPERATOR(Rest, %)
XGPU_THRUST_OPERATOR(Less, <)
XGPU_THRUST_OPERATOR(Greater, >)
XGPU_THRUST_OPERATOR(LessEqual, <=)
XGPU_THRUST_OPERATOR(GreaterEqual, >=)
XGPU_THRUST_OPERATOR(Equal, ==)
XGPU_THRUST_OPERATOR(NotEqual, !=)
XGPU_THRUST_OPERATOR(And, &&)
XGPU_THRUST_OPERATOR(Or, ||)
XGPU_THRUST_OPERATOR(BitAnd, &)
XGPU_THRUST_OPERATOR(BitOr, |)
XGPU_THRUST_OPERATOR(BitXor, ^)
XGPU_THRUST_OPERATOR(PlusTo, +=)
XGPU_THRUST_OPERATOR(MinusTo, -=)
XGPU_THRUST_OPERATOR(TimesTo, *=)
XGPU_THRUST_OPERATOR(OverTo, /=)
#undef XGPU_THRUST_OPERATOR

template <typename F, typename A> struct AppliedToOne {
  A a;
  template <typename... X> XGPU_THRUST_BOTH auto operator()(X &...x) const { return F()(a(x...)); }
};
template <typename E> XGPU_THRUST_BOTH constexpr auto operator-(const Expression<E> &a) {
  return Expression<AppliedToOne<negate<>, E>>{{a.e}};
}
template <typename E> XGPU_THRUST_BOTH constexpr auto operator!(const Expression<E> &a) {
  return Expression<AppliedToOne<logical_not<>, E>>{{a.e}};
}

}  // namespace xgpu

namespace placeholders {
static constexpr xgpu::Expression<xgpu::Argument<0>> _1{};
static constexpr xgpu::Expression<xgpu::Argument<1>> _2{};
static constexpr xgpu::Expression<xgpu::Argument<2>> _3{};
static constexpr xgpu::Expression<xgpu::Argument<3>> _4{};
}  // namespace placeholders

}  // namespace thrust

namespace std {
template <typename... T>
struct tuple_size<thrust::tuple<T...>> : integral_constant<size_t, sizeof...(T)> {};
template <size_t N, typename... T> struct tuple_element<N, thrust::tuple<T...>> {
  typedef typename thrust::tuple_element<N, thrust::tuple<T...>>::type type;
};
template <typename A, typename B>
struct tuple_size<thrust::pair<A, B>> : integral_constant<size_t, 2> {};
template <size_t N, typename A, typename B> struct tuple_element<N, thrust::pair<A, B>> {
  typedef typename thrust::tuple_element<N, thrust::pair<A, B>>::type type;
};
}  // namespace std

#endif
