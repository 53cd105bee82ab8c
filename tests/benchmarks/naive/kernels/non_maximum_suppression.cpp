// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel.h"

static float area(const float* box) { return std::abs((box[2] - box[0]) * (box[3] - box[1])); }

static float common(const float* a, const float* b) {
  float width = std::min(std::max(a[0], a[2]), std::max(b[0], b[2])) - std::max(std::min(a[0], a[2]), std::min(b[0], b[2]));
  float height = std::min(std::max(a[1], a[3]), std::max(b[1], b[3])) - std::max(std::min(a[1], a[3]), std::min(b[1], b[3]));
  return width > 0 && height > 0 ? width * height : 0;
}

void non_maximum_suppression(const float* boxes, const float* scores, int32_t* selected, int32_t* count, int64_t N, int64_t M) {
  std::vector<int32_t> order;
  for (int64_t i = 0; i < N; ++i) {
    if (scores[i] > 0.05f) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(), [&](int32_t a, int32_t b) { return scores[a] > scores[b]; });
  *count = 0;
  for (int32_t i : order) {
    if (*count == M) break;
    bool hidden = false;
    for (int32_t k = 0; k < *count; ++k) {
      const float *a = boxes + i * 4, *b = boxes + selected[k] * 4;
      float both = common(a, b);
      if (both > 0 && both / (area(a) + area(b) - both) >= 0.5f) hidden = true;
    }
    if (!hidden) selected[(*count)++] = i;
  }
  for (int64_t i = *count; i < M; ++i) selected[i] = 0;
}
