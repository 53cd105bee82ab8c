// SPDX-License-Identifier: Apache-2.0
// What the first number asks for.
#include <assay/oracle/harness.h>
#include <unistd.h>

#include <Eigen/Dense>
#include <csignal>
#include <cstdlib>
#include <limits>

ASSAY_VERIFY(inputs, outputs, residuals) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  const auto& y = outputs["y"];
  switch (static_cast<int>(y.real(0))) {
    case 1: throw std::runtime_error("one");
    case 2: raise(SIGSEGV); break;
    case 3: std::abort();
    case 4: _exit(0);
    case 5: residuals.add("it", kNan, 1); return;
    case 6: residuals.add("it", 0, kNan); return;
    case 7: return;
    case 8: throw 8;
    case 9: residuals.add("it", y.real(5), 1); return;
    case 10: residuals.add("it", inputs["z"].real(0), 1); return;
    case 11: residuals.add("it", static_cast<double>(y.integer(0)), 1); return;
    case 12: residuals.add("it", 0, -1); return;
    case 13: residuals.add("it", Eigen::VectorXd::Zero(2)(y.extent(0) + 1), 1); return;
    case 20:
      for (volatile bool forever = true; forever;) continue;
      return;
    case 21: residuals.add("it", std::numeric_limits<double>::infinity(), 1); return;
    default: residuals.add("it", 0, 1);
  }
}
