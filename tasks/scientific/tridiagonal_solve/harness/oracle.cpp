// SPDX-License-Identifier: Apache-2.0
// By Thomas' algorithm. An honest kernel errs by some roundings of |inverse| (|matrix| |x| + |right|), element by element. Of a diagonally
// dominant matrix this is at most the solution, by the same algorithm, of the system with |diagonal|, -|lower| and -|upper|.
#include <assay/oracle/harness.h>

#include <cmath>
#include <vector>

namespace {

/// Solves one system in place of its right-hand side.
template <typename Lower, typename Diagonal, typename Upper>
void solve(const Lower& lower, const Diagonal& diagonal, const Upper& upper, std::vector<double>& x) {
  std::vector<double> ratio(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double pivot = i == 0 ? diagonal(i) : diagonal(i) - lower(i) * ratio[i - 1];
    ratio[i] = upper(i) / pivot;
    x[i] = (i == 0 ? x[i] : x[i] - lower(i) * x[i - 1]) / pivot;
  }
  for (std::size_t i = x.size() - 1; i-- > 0;) x[i] -= ratio[i] * x[i + 1];
}

}  // namespace

ASSAY_ORACLE(inputs, outputs) {
  const auto lower = inputs["lower"].reals(), diagonal = inputs["diagonal"].reals(), upper = inputs["upper"].reals(),
             right = inputs["right"].reals();
  const auto x = outputs["x"].reals(), scales = outputs["x"].scales();
  const auto n = static_cast<std::size_t>(inputs["right"].extent(1));
  for (std::size_t first = 0; first < right.size(); first += n) {
    std::vector<double> solution(&right[first], &right[first] + n), scale(n);
    solve([&](std::size_t i) { return lower[first + i]; }, [&](std::size_t i) { return diagonal[first + i]; },
          [&](std::size_t i) { return upper[first + i]; }, solution);
    for (std::size_t i = 0; i < n; ++i) {
      scale[i] = std::fabs(diagonal[first + i] * solution[i]) + std::fabs(right[first + i]);
      if (i > 0) scale[i] += std::fabs(lower[first + i] * solution[i - 1]);
      if (i + 1 < n) scale[i] += std::fabs(upper[first + i] * solution[i + 1]);
    }
    solve([&](std::size_t i) { return -std::fabs(lower[first + i]); }, [&](std::size_t i) { return std::fabs(diagonal[first + i]); },
          [&](std::size_t i) { return -std::fabs(upper[first + i]); }, scale);
    for (std::size_t i = 0; i < n; ++i) {
      x[first + i] = solution[i];
      scales[first + i] = scale[i];
    }
  }
}
