// SPDX-License-Identifier: Apache-2.0
// A value together with the error that honest arithmetic may leave in it: running error analysis in units of the unit
// roundoff u (Wilkinson; Higham, "Accuracy and Stability of Numerical Algorithms", 2nd ed., section 3.3).
// Evaluating a model over Bounded gives, for each output element, the scale that its error is measured in:
// |z| for one rounded operation, sum|x| for a sum, (|A||B|) for a product of matrices, propagated through the graph.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace assay::oracle {

struct Bounded {
  double value = 0;
  double error = 0;  ///< bound on the absolute error, in units of u; 0 where the value is not finite,
                     ///< infinite where nothing is known of a finite value

  Bounded() = default;
  /// An exact value: an input or a constant.
  Bounded(double exact) : value(exact) {}  // NOLINT: constants mix with Bounded in operator definitions
  Bounded(double v, double e) : value(v), error(!std::isfinite(v) ? 0 : e >= 0 ? e : std::numeric_limits<double>::infinity()) {}
};

/// Largest number of the arithmetic that honest kernels use, on this thread: float32's, or double's if an output is double.
inline thread_local double largest_number = std::numeric_limits<float>::max();
/// Whether a sum of terms of this total magnitude leaves the range of honest arithmetic in some legal order.
inline bool overflows_in_some_order(double magnitude) { return magnitude > largest_number; }

/// Set on this thread by a quotient, a root or a transcendental function. Without one, results from integers are the same in
/// every order and every precision from float32 on, as long as all sums of magnitudes stay below 2^24.
inline thread_local bool left_integers = false;

/// A sum whose finite terms overflow in some order: nothing is known of it. With an infinite term it may be a NaN, too.
inline Bounded unknown_sum(double value) { return {std::isinf(value) ? 0 : value, std::numeric_limits<double>::infinity()}; }

inline Bounded unknown() { return {0, std::numeric_limits<double>::infinity()}; }

constexpr double kRoundoff = 0x1p-24;  ///< u of float32
/// Units of an error, on this thread, up to which results are accepted at least.
inline thread_local double accepted_units = 16;
/// How far an honest argument may be off.
inline double reach(Bounded x) {
  if (overflows_in_some_order(x.error)) return std::numeric_limits<double>::infinity();  // it may have been infinite on its way
  return x.error == 0 ? 0 : accepted_units * kRoundoff * x.error;
}
/// Whether the errors leave open which of a and b is larger. Exact numbers, equal or not, leave nothing open.
inline bool open_between(Bounded a, Bounded b) {
  const double room = reach(a) + reach(b);
  return room > 0 && std::abs(a.value - b.value) <= room;
}

/// Result of one rounded operation whose operands' errors contribute `propagated`.
inline Bounded rounded(double value, double propagated) { return {value, propagated + std::abs(value)}; }

inline Bounded operator-(Bounded a) { return {-a.value, a.error}; }
/// A sum or a difference. An infinity and a finite term that may overflow (its error has its magnitude) give an infinity or a NaN.
inline Bounded added(double value, double propagated) {
  return std::isinf(value) && overflows_in_some_order(propagated) ? unknown_sum(value) : rounded(value, propagated);
}
inline Bounded operator+(Bounded a, Bounded b) { return added(a.value + b.value, a.error + b.error); }
inline Bounded operator-(Bounded a, Bounded b) { return added(a.value - b.value, a.error + b.error); }
/// Whether honest arithmetic has an infinity in place of this number.
inline bool overflowed(double value) { return std::isfinite(value) && std::abs(value) > largest_number; }
/// f(x) where x may have become an infinity, and f's value is none: an infinity, a NaN or anything else is honest.
inline Bounded of_overflowed(double x, Bounded y) {
  return overflowed(x) && std::abs(y.value) <= largest_number ? unknown_sum(y.value) : y;
}
/// An infinity that comes of one, where the errors leave open the sign of the other operand.
inline bool leaves_open(double value, Bounded a, Bounded b) {
  return std::isinf(value) && ((std::isinf(a.value) && open_between(b, 0)) || (std::isinf(b.value) && open_between(a, 0)));
}
inline Bounded operator*(Bounded a, Bounded b) {
  const double value = a.value * b.value;
  if (leaves_open(value, a, b)) return unknown();
  const Bounded product = rounded(value, std::abs(a.value) * b.error + std::abs(b.value) * a.error);
  return of_overflowed(a.value, of_overflowed(b.value, product));
}
inline Bounded operator/(Bounded a, Bounded b) {
  left_integers = true;
  const double quotient = a.value / b.value;
  if (leaves_open(quotient, a, b)) return unknown();
  // Divided by an infinity it is 0.
  const double lost = overflowed(b.value) ? std::abs(quotient) * 0x1p24 : 0;
  return of_overflowed(a.value, rounded(quotient, std::max(lost, (a.error + std::abs(quotient) * b.error) / std::abs(b.value))));
}
inline Bounded& operator+=(Bounded& a, Bounded b) { return a = a + b; }
inline Bounded& operator-=(Bounded& a, Bounded b) { return a = a - b; }
inline Bounded& operator*=(Bounded& a, Bounded b) { return a = a * b; }
inline Bounded& operator/=(Bounded& a, Bounded b) { return a = a / b; }

// Comparisons decide by value, as the float64 oracle does.
inline bool operator<(Bounded a, Bounded b) { return a.value < b.value; }
inline bool operator>(Bounded a, Bounded b) { return a.value > b.value; }
inline bool operator<=(Bounded a, Bounded b) { return a.value <= b.value; }
inline bool operator>=(Bounded a, Bounded b) { return a.value >= b.value; }
inline bool operator==(Bounded a, Bounded b) { return a.value == b.value; }
inline bool operator!=(Bounded a, Bounded b) { return a.value != b.value; }

/// f(x) given |f'(x)|: first-order propagation and one rounding.
inline Bounded through(double value, double slope, Bounded x) {
  left_integers = true;
  return rounded(value, x.error == 0 ? 0 : std::abs(slope) * x.error);
}

inline Bounded abs(Bounded x) { return {std::abs(x.value), x.error}; }
inline Bounded sqrt(Bounded x) {
  left_integers = true;
  const double root = std::sqrt(x.value);
  // Near 0 the slope is unbounded; sqrt(error) bounds the change there.
  return of_overflowed(x.value, rounded(root, root > 0 ? 0.5 * x.error / root : std::sqrt(x.error)));
}
/// `y` = f(x) of a function that grows faster than a line. Where an honest argument may lie 1 or more away, the slope at x says little of
/// what becomes of it: as much is accepted as f changes on the way there.
template <class Growth>
Bounded grown(Bounded x, Bounded y, Growth f) {
  const double room = reach(x);
  if (room < 1) return y;
  const double change = std::max(std::abs(f(x.value + room) - y.value), std::abs(f(x.value - room) - y.value));
  return {y.value, std::max(y.error, change / (accepted_units * kRoundoff))};
}
inline Bounded exp(Bounded x) {
  const double y = std::exp(x.value);
  return grown(x, through(y, y, x), [](double v) { return std::exp(v); });
}
inline Bounded expm1(Bounded x) {
  return grown(x, through(std::expm1(x.value), std::exp(x.value), x), [](double v) { return std::expm1(v); });
}
inline Bounded log(Bounded x) { return of_overflowed(x.value, through(std::log(x.value), 1 / x.value, x)); }
inline Bounded log1p(Bounded x) { return of_overflowed(x.value, through(std::log1p(x.value), 1 / (1 + x.value), x)); }
inline Bounded sin(Bounded x) { return through(std::sin(x.value), std::cos(x.value), x); }
inline Bounded cos(Bounded x) { return through(std::cos(x.value), std::sin(x.value), x); }
inline Bounded tan(Bounded x) {
  const double y = std::tan(x.value);
  return through(y, 1 + y * y, x);
}
inline Bounded asin(Bounded x) { return through(std::asin(x.value), 1 / std::sqrt(1 - x.value * x.value), x); }
inline Bounded acos(Bounded x) { return through(std::acos(x.value), 1 / std::sqrt(1 - x.value * x.value), x); }
inline Bounded sinh(Bounded x) {
  return grown(x, through(std::sinh(x.value), std::cosh(x.value), x), [](double v) { return std::sinh(v); });
}
inline Bounded cosh(Bounded x) {
  return grown(x, through(std::cosh(x.value), std::sinh(x.value), x), [](double v) { return std::cosh(v); });
}
inline Bounded asinh(Bounded x) { return through(std::asinh(x.value), 1 / std::hypot(1, x.value), x); }
inline Bounded acosh(Bounded x) { return through(std::acosh(x.value), 1 / std::sqrt(x.value * x.value - 1), x); }
inline Bounded atanh(Bounded x) { return through(std::atanh(x.value), 1 / (1 - x.value * x.value), x); }
inline Bounded pow(Bounded x, Bounded y) {
  left_integers = true;
  const double z = std::pow(x.value, y.value);
  const double by_base = x.error == 0 || x.value == 0 ? 0 : std::abs(z * y.value / x.value) * x.error;
  const double by_exponent = y.error == 0 || x.value <= 0 ? 0 : std::abs(z * std::log(x.value)) * y.error;
  // pow is computed as exp(y log x): an error of one u in the logarithm is amplified by |y log x|.
  const double amplified = x.value == 0 ? 0 : std::abs(y.value * std::log(std::abs(x.value))) * std::abs(z);
  return of_overflowed(x.value, of_overflowed(y.value, rounded(z, by_base + by_exponent + amplified)));
}

// Steps. An honest argument may lie on the other side of a step; what it then gives differs by the whole
// jump. The jump becomes part of the scale, as jump / u: one honest jump is then one unit of scaled error, so
// that it is accepted and widens no other element's bound.

/// Set on this thread where a jump has become part of a scale: it is then no error that honest evaluations must show.
inline thread_local bool met_step = false;

inline bool open_between(double, double) { return false; }
inline bool open_between(float, float) { return false; }
/// `chosen` where the errors leave open that `other` is the right branch of a function with a step.
inline Bounded either(Bounded chosen, Bounded other) {
  met_step = true;
  if (chosen.value != other.value && std::isinf(chosen.value)) return unknown_sum(other.value);
  return {chosen.value, std::max(chosen.error, other.error) + std::abs(chosen.value - other.value) / kRoundoff};
}
inline double either(double chosen, double) { return chosen; }
inline float either(float chosen, float) { return chosen; }
/// The value of a step function (floor, ceil, ...) over all that the argument may be.
template <class Step>
Bounded stepped(Bounded x, Step step) {
  const double value = step(x.value);
  if (x.error == 0) return value;
  const double low = step(x.value - reach(x)), high = step(x.value + reach(x)), jump = std::abs(high - low);
  met_step |= jump > 0;
  // An honest argument may still lie where the step gives a number, or the other infinity.
  if (!std::isfinite(value) && (std::isfinite(low) || std::isfinite(high) || low != high))
    return unknown_sum(std::isfinite(low) ? low : high);
  return {value, jump / kRoundoff};
}
inline Bounded floor(Bounded x) {
  return stepped(x, [](double v) { return std::floor(v); });
}
inline Bounded ceil(Bounded x) {
  return stepped(x, [](double v) { return std::ceil(v); });
}
inline Bounded nearbyint(Bounded x) {
  return stepped(x, [](double v) { return std::nearbyint(v); });
}
inline Bounded trunc(Bounded x) {
  return stepped(x, [](double v) { return std::trunc(v); });
}
/// `y` = f(x) of a function that rises about 0 and is flat elsewhere. An honest argument that may lie far on the other side of 0 may have
/// gone all the way, which is a step then.
template <class Rise>
Bounded risen(Bounded x, Bounded y, Rise f) {
  const double room = reach(x);
  if (room < 1) return y;
  const double jump = (f(x.value + room) - f(x.value - room)) / kRoundoff;
  met_step |= jump > y.error;
  return {y.value, jump + 4 * std::abs(y.value)};
}
inline Bounded atan(Bounded x) {
  return risen(x, through(std::atan(x.value), 1 / (1 + x.value * x.value), x), [](double v) { return std::atan(v); });
}
inline Bounded tanh(Bounded x) {
  const double y = std::tanh(x.value);
  return risen(x, through(y, 1 - y * y, x), [](double v) { return std::tanh(v); });
}
inline Bounded erf(Bounded x) {
  const double slope = 1.1283791670955126 * std::exp(-x.value * x.value);  // 2 / sqrt(pi)
  return risen(x, through(std::erf(x.value), slope, x), [](double v) { return std::erf(v); });
}
inline Bounded fmod(Bounded x, Bounded y) {
  const double whole = std::abs(std::trunc(x.value / y.value));
  // The quotient's step at an integer is a jump by y.
  const Bounded quotient(x.value / y.value, (x.error + whole * y.error) / std::abs(y.value));
  return {std::fmod(x.value, y.value), x.error + whole * y.error + std::abs(y.value) * trunc(quotient).error};
}
inline bool isnan(Bounded x) { return std::isnan(x.value); }
inline bool isinf(Bounded x) { return std::isinf(x.value); }
inline bool isfinite(Bounded x) { return std::isfinite(x.value); }
inline bool signbit(Bounded x) { return std::signbit(x.value); }

/// The plain number behind a scalar of any evaluation.
inline double value_of(double x) { return x; }
inline double value_of(float x) { return x; }
inline double value_of(Bounded x) { return x.value; }

}  // namespace assay::oracle
