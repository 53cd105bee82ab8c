// SPDX-License-Identifier: Apache-2.0
// When the next request may start. Times are seconds of a steady clock, which the caller reads.
#pragma once

#include <optional>
#include <string_view>

#include "assay/generate/endpoint.h"

namespace assay::generate {

/// At most so many units per minute, with a burst of ten seconds' worth. One request may cost more than a burst: then the next waits
/// longer.
class Allowance {
 public:
  Allowance(double per_minute, double now);

  /// When `cost` units may be spent: now or later.
  double free_at(double cost, double now);
  void spend(double cost, double now);

 private:
  void refill(double now);

  double rate_, burst_, left_, last_;
};

/// Seconds before attempt number `attempt` + 1: doubled each time, capped, and spread by `random` in [0, 1).
double backoff(const Retries& retries, int attempt, double random);

/// Seconds that a header Retry-After asks for, which gives seconds or a date; nullopt: neither. `unix_now`: seconds since 1970.
std::optional<double> retry_after(std::string_view value, double unix_now);

}  // namespace assay::generate
