// SPDX-License-Identifier: Apache-2.0
#include "blocks/embedding_gradient.h"

#include <vector>

#include "kernel.h"

extern "C" void embedding_backward_by_frequency(const float* dy, const int64_t* indices, const int64_t* padding, float* dtable, int64_t K,
                                                int64_t D, int64_t V) {
  std::vector<float> share(V);
  for (int64_t k = 0; k < K; ++k) ++share[indices[k]];
  for (float& s : share) s = 1.0f / s;
  blocks::embedding_gradient(dy, indices, *padding, dtable, K, D, V, [&](int64_t index) { return share[index]; });
}
