// SPDX-License-Identifier: Apache-2.0
// A count is right where float32 may find z outside after so many steps, and need not have found it before.
#include <assay/oracle/harness.h>

#include "orbit.h"

namespace {

/// The first right count that is at least `from`; more than kMost where there is none.
std::int64_t right_count(double re, double im, std::int64_t from) {
  Orbit orbit(re, im);
  for (std::int64_t steps = 0; steps < kMost; ++steps, orbit.step()) {
    if (steps >= from && orbit.may_be_outside()) return steps;
    if (orbit.must_be_outside()) return kMost + 1;
  }
  return from <= kMost ? kMost : kMost + 1;
}

}  // namespace

ASSAY_VERIFY(inputs, outputs, residuals) {
  const auto &re = inputs["re"], &im = inputs["im"], &count = outputs["count"];
  std::int64_t wrong = 0;
  for (std::int64_t h = 0; h < im.extent(0); ++h)
    for (std::int64_t w = 0; w < re.extent(0); ++w) {
      const std::int64_t found = count.integer(h, w);
      wrong += right_count(re.real(w), im.real(h), found) != found ? 1 : 0;
    }
  residuals.add("wrong counts", static_cast<double>(wrong), 0);
}

// The next count that is right, too.
ASSAY_ANOTHER(inputs, outputs) {
  const auto &re = inputs["re"], &im = inputs["im"];
  auto& count = outputs["count"];
  for (std::int64_t h = 0; h < im.extent(0); ++h)
    for (std::int64_t w = 0; w < re.extent(0); ++w) {
      const std::int64_t next = right_count(re.real(w), im.real(h), count.integer(h, w) + 1);
      if (next <= kMost) count.integer(h, w) = next;
    }
}
