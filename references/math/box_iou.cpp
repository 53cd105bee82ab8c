// SPDX-License-Identifier: Apache-2.0
// The proposed boxes' corners are parted into arrays of one number each, so that a loop over them vectorises.
#include <algorithm>
#include <vector>

#include "kernel.h"

extern "C" void box_iou(const float* boxes, const float* truth, float* overlap, int64_t N, int64_t M) {
  std::vector<float> left(N), top(N), right(N), bottom(N);
  for (int64_t n = 0; n < N; ++n) {
    const float* box = boxes + 4 * n;
    left[n] = std::min(box[0], box[2]), right[n] = std::max(box[0], box[2]);
    top[n] = std::min(box[1], box[3]), bottom[n] = std::max(box[1], box[3]);
  }
#pragma omp parallel for
  for (int64_t m = 0; m < M; ++m) {
    const float* box = truth + 4 * m;
    const float l = std::min(box[0], box[2]), r = std::max(box[0], box[2]), t = std::min(box[1], box[3]), b = std::max(box[1], box[3]);
    const float area = (r - l) * (b - t);
    for (int64_t n = 0; n < N; ++n) {
      const float width = std::max(std::min(r, right[n]) - std::max(l, left[n]), 0.0f);
      const float height = std::max(std::min(b, bottom[n]) - std::max(t, top[n]), 0.0f);
      const float common = width * height, both = area + (right[n] - left[n]) * (bottom[n] - top[n]) - common;
      overlap[m * N + n] = both > 0.0f ? common / both : 0.0f;
    }
  }
}
