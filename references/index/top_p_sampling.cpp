// SPDX-License-Identifier: Apache-2.0
// Selection by weight finds the nucleus, and in it the token.
#include "blocks/by_weight.h"

#include "kernel.h"

extern "C" void top_p_sampling(const float* logits, const float* p, const float* u, int64_t* y, int64_t N, int64_t V) {
  const auto descending = [](const blocks::Token& a, const blocks::Token& b) {
    return a.logit > b.logit || (a.logit == b.logit && a.place < b.place);
  };
#pragma omp parallel
  {
    std::vector<float> powers(V);
    blocks::Tokens tokens(V);
#pragma omp for schedule(dynamic)
    for (int64_t n = 0; n < N; ++n) {
      const float* x = logits + n * V;
      float top = x[0];
      for (int64_t v = 1; v < V; ++v) top = std::max(top, x[v]);
      for (int64_t v = 0; v < V; ++v) powers[v] = blocks::exp(x[v] - top);
      double whole = 0;
      for (int64_t v = 0; v < V; ++v) {
        tokens[v] = {x[v], powers[v], v};
        whole += powers[v];
      }
      const double enough = p[n] * whole;
      const auto first = tokens.begin();
      const blocks::Front open = blocks::select_front(first, tokens.end(), descending, [=](double front) { return front < enough; });
      const double nucleus = open.sum + first[open.tokens].power, mark = u[n] * nucleus;
      const blocks::Front passed =
          blocks::select_front(first, first + open.tokens + 1, descending, [=](double front) { return front <= mark; });
      y[n] = first[passed.tokens].place;
    }
  }
}
