// SPDX-License-Identifier: Apache-2.0
// The iteration in float64, and how far a float32 kernel's may be from it after as many steps.
#pragma once

#include <cmath>
#include <cstdint>

constexpr std::int64_t kMost = 100;

class Orbit {
 public:
  Orbit(double re, double im) : re_(re), im_(im) {}

  bool outside() const { return norm() > 4; }
  /// Whether float32 may find |z| > 2, and whether it must. Once the error is above all bounds, and z NaN, it may and need not.
  bool may_be_outside() const { return !(norm() + blur() <= 4); }
  bool must_be_outside() const { return norm() - blur() > 4; }

  /// An error e of z becomes 2 |z| e + e^2 of its square; a few roundings of |z|^2 and |c| join it, in whatever order the terms are taken.
  void step() {
    error_ = 2 * size() * error_ + error_ * error_ + 12 * kUnit * (norm() + std::hypot(re_, im_));
    const double x = x_ * x_ - y_ * y_ + re_;
    y_ = 2 * x_ * y_ + im_;
    x_ = x;
  }

 private:
  static constexpr double kUnit = 0x1p-24;

  double norm() const { return x_ * x_ + y_ * y_; }
  double size() const { return std::sqrt(norm()); }
  double blur() const { return 2 * size() * error_ + error_ * error_ + 4 * kUnit * norm(); }

  double re_, im_, x_ = 0, y_ = 0, error_ = 0;
};
