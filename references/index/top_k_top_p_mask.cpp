// SPDX-License-Identifier: Apache-2.0
// Selection finds the k-th largest, and selection by weight what goes of those that stay.
#include "blocks/by_weight.h"

#include <limits>

#include "kernel.h"

extern "C" void top_k_top_p_mask(const float* logits, const int64_t* k, const float* p, float* y, int64_t N, int64_t V) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
#pragma omp parallel
  {
    std::vector<float> values(V);
    blocks::Tokens tokens;
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
      tokens.clear();
      double sum = 0;
      for (int64_t v = 0; v < V; ++v)
        if (x[v] >= least) {
          tokens.push_back({x[v], values[v], v});
          sum += values[v];
        }
      const auto ascending = [](const blocks::Token& a, const blocks::Token& b) {
        return a.logit < b.logit || (a.logit == b.logit && a.place < b.place);
      };
      const double limit = (1 - p[n]) * sum;
      const blocks::Front gone =
          blocks::select_front(tokens.begin(), tokens.end(), ascending, [=](double front) { return front <= limit; });
      std::fill_n(out, V, -infinity);
      for (auto t = tokens.begin() + gone.tokens; t < tokens.end(); ++t) out[t->place] = t->logit;
    }
  }
}
