// SPDX-License-Identifier: Apache-2.0
#include <assay/oracle/harness.h>

#include "orbit.h"

ASSAY_ORACLE(inputs, outputs) {
  const auto &re = inputs["re"], &im = inputs["im"];
  auto& count = outputs["count"];
  for (std::int64_t h = 0; h < im.extent(0); ++h)
    for (std::int64_t w = 0; w < re.extent(0); ++w) {
      Orbit orbit(re.real(w), im.real(h));
      std::int64_t steps = 0;
      for (; steps < kMost && !orbit.outside(); ++steps) orbit.step();
      count.integer(h, w) = steps;
    }
}
