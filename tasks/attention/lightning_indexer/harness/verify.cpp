// SPDX-License-Identifier: Apache-2.0
// No place twice, and none whose score is below the K-th largest by more than float32 may confuse.
#include <assay/oracle/harness.h>

#include <algorithm>
#include <cmath>
#include <functional>

ASSAY_VERIFY(inputs, outputs, residuals) {
  const auto &q = inputs["q"], &k = inputs["k"], &weights = inputs["weights"], &index = outputs["index"];
  const std::int64_t batch = index.extent(0), tokens = index.extent(1), groups = index.extent(2), count = index.extent(3);
  const std::int64_t keys = k.extent(1), depth = k.extent(3), share = q.extent(2) / groups;
  const auto queries = q.reals(), rows = k.reals();
  double worst = 0;
  std::vector<double> scores(static_cast<std::size_t>(keys)), sorted;
  for (std::int64_t b = 0; b < batch; ++b)
    for (std::int64_t n = 0; n < tokens; ++n)
      for (std::int64_t g = 0; g < groups; ++g) {
        double scale = 0;
        for (std::int64_t s = 0; s < keys; ++s) {
          const double* key = &rows[static_cast<std::size_t>(((b * keys + s) * groups + g) * depth)];
          double score = 0, magnitude = 0;
          for (std::int64_t h = g * share; h < (g + 1) * share; ++h) {
            const double* query = &queries[static_cast<std::size_t>(((b * tokens + n) * groups * share + h) * depth)];
            double sum = 0, sizes = 0;
            for (std::int64_t d = 0; d < depth; ++d) {
              sum += query[d] * key[d];
              sizes += std::abs(query[d] * key[d]);
            }
            score += weights.real(b, n, h) * std::max(sum, 0.0);
            magnitude += std::abs(weights.real(b, n, h)) * sizes;
          }
          scores[static_cast<std::size_t>(s)] = score;
          scale = std::max(scale, magnitude);
        }
        sorted = scores;
        std::ranges::nth_element(sorted, sorted.begin() + (count - 1), std::greater());
        std::vector<bool> taken(static_cast<std::size_t>(keys));
        for (std::int64_t i = 0; i < count; ++i) {
          const auto at = static_cast<std::size_t>(index.index(keys, b, n, g, i));
          if (taken[at]) residuals.refuse("place " + std::to_string(at) + " is taken twice");
          taken[at] = true;
          if (scale > 0) worst = std::max(worst, (sorted[static_cast<std::size_t>(count - 1)] - scores[at]) / scale);
        }
      }
  residuals.add("score below the last that should be taken", worst, 2e-6);
}

// The same places, the last first.
ASSAY_ANOTHER(inputs, outputs) {
  auto& index = outputs["index"];
  const std::int64_t count = index.extent(3);
  for (std::int64_t b = 0; b < index.extent(0); ++b)
    for (std::int64_t n = 0; n < index.extent(1); ++n)
      for (std::int64_t g = 0; g < index.extent(2); ++g)
        for (std::int64_t i = 0; i < count / 2; ++i) std::swap(index.integer(b, n, g, i), index.integer(b, n, g, count - 1 - i));
}
