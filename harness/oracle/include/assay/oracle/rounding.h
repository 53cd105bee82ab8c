// SPDX-License-Identifier: Apache-2.0
// Models that say `compute: bfloat16` (Graph::compute): what an operator gives is rounded to the type where it arises.
//
// A kernel may do that, keep float32 from one operator to the next, or round at some of the places: it is right either way. Over Bounded
// the error then holds how far such kernels may be from the model's own number. A result that is off by p before its rounding, which
// itself moves it by r, is off by p + r in a kernel that does not round it, and by a whole number of places in one that does.
#pragma once

#include "assay/oracle/tensor.h"

namespace assay::oracle {

/// Where results are rounded: everywhere, as the model says; at places that chance picks; nowhere.
enum class Rounding { every, some, none };

/// Sets it for evaluations on this thread while the object lives.
class RoundingScope {
 public:
  explicit RoundingScope(Rounding rounding);
  ~RoundingScope();
  RoundingScope(const RoundingScope&) = delete;
  RoundingScope& operator=(const RoundingScope&) = delete;

 private:
  Rounding before_;
};

/// Over Bounded, while the object lives: errors hold what roundings may move, of which kMovedUnits units are accepted.
class MovedScope {
 public:
  MovedScope();
  ~MovedScope();
  MovedScope(const MovedScope&) = delete;
  MovedScope& operator=(const MovedScope&) = delete;

 private:
  bool before_;
  double units_before_;
};

/// Units of u that float32's own errors may take beside those roundings: what long sums of like numbers show, which decides near the
/// middle between two numbers of the type.
inline constexpr double kMovedUnits = 64;

/// Rounds `value`, which an operator has given, to its type.
template <class T>
void round_result(Value<T>& value);

}  // namespace assay::oracle
