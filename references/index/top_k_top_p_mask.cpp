// SPDX-License-Identifier: Apache-2.0
// Nothing is sorted: selection finds the k-th largest, and selection by weight the last place that goes. Each halves what is left.
#include <algorithm>
#include <limits>
#include <vector>

#include "blocks/vector_math.h"
#include "kernel.h"

namespace {

struct Entry {
  float logit, power;
  int64_t column;
};

constexpr auto ascending = [](const Entry& a, const Entry& b) { return a.logit < b.logit || (a.logit == b.logit && a.column < b.column); };

/// How many entries go from the front of the order, but for the last: those up to which the powers add up to at most `limit`. They are in
/// front afterwards.
int64_t select_by_weight(std::vector<Entry>& entries, double limit) {
  auto begin = entries.begin(), end = entries.end();
  double before = 0;
  while (end - begin > 1) {
    const auto middle = begin + (end - begin) / 2;
    std::nth_element(begin, middle, end, ascending);
    double sum = before;
    for (auto e = begin; e < middle; ++e) sum += e->power;
    if (sum <= limit) before = sum, begin = middle;
    else end = middle;
  }
  return begin - entries.begin();
}

}  // namespace

extern "C" void top_k_top_p_mask(const float* logits, const int64_t* k, const float* p, float* y, int64_t N, int64_t V) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
#pragma omp parallel
  {
    std::vector<float> values(V), powers;
    std::vector<Entry> entries;
#pragma omp for schedule(dynamic)
    for (int64_t n = 0; n < N; ++n) {
      const float* x = logits + n * V;
      float* out = y + n * V;
      std::copy_n(x, V, values.begin());
      std::nth_element(values.begin(), values.end() - k[n], values.end());
      const float least = values[V - k[n]];
      float top = least;
      for (int64_t v = 0; v < V; ++v) top = std::max(top, x[v]);
      for (int64_t v = 0; v < V; ++v) values[v] = blocks::exp(x[v] - top);
      entries.clear();
      double sum = 0;
      for (int64_t v = 0; v < V; ++v)
        if (x[v] >= least) {
          entries.push_back({x[v], values[v], v});
          sum += values[v];
        }
      const int64_t gone = select_by_weight(entries, (1 - p[n]) * sum);
      std::fill_n(out, V, -infinity);
      for (auto e = entries.begin() + gone; e < entries.end(); ++e) out[e->column] = e->logit;
    }
  }
}
