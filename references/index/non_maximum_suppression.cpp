// SPDX-License-Identifier: Apache-2.0
// Taken boxes lie in arrays of one number each, which a loop compares with a candidate without branches, some at a time.
#include <algorithm>
#include <numeric>
#include <vector>

#include "kernel.h"

namespace {

struct Boxes {
  std::vector<float> left, top, right, bottom;

  explicit Boxes(int64_t most) : left(most), top(most), right(most), bottom(most) {}

  void set(int64_t i, const float* box) {
    left[i] = std::min(box[0], box[2]), right[i] = std::max(box[0], box[2]);
    top[i] = std::min(box[1], box[3]), bottom[i] = std::max(box[1], box[3]);
  }

  /// Whether box i overlaps any box from `begin` to `end` by one half or more.
  bool hidden(int64_t i, int64_t begin, int64_t end) const {
    const float l = left[i], t = top[i], r = right[i], b = bottom[i], area = (r - l) * (b - t);
    int any = 0;
#pragma omp simd reduction(| : any)
    for (int64_t j = begin; j < end; ++j) {
      const float width = std::max(std::min(r, right[j]) - std::max(l, left[j]), 0.0f);
      const float height = std::max(std::min(b, bottom[j]) - std::max(t, top[j]), 0.0f);
      const float common = width * height, both = area + (right[j] - left[j]) * (bottom[j] - top[j]);
      any |= (common > 0.0f) & (3.0f * common >= both);
    }
    return any != 0;
  }
};

}  // namespace

extern "C" void non_maximum_suppression(const float* boxes, const float* scores, int32_t* selected, int32_t* count, int64_t N, int64_t M) {
  std::vector<int32_t> order(N);
  std::iota(order.begin(), order.end(), 0);
  order.erase(std::remove_if(order.begin(), order.end(), [=](int32_t i) { return !(scores[i] > 0.05f); }), order.end());
  std::stable_sort(order.begin(), order.end(), [=](int32_t i, int32_t j) { return scores[i] > scores[j]; });
  constexpr int64_t piece = 64;
  Boxes taken(M + 1);  // and the candidate
  int64_t found = 0;
  for (const int32_t i : order) {
    if (found == M) break;
    taken.set(found, boxes + 4 * i);
    bool hidden = false;
    for (int64_t begin = 0; begin < found && !hidden; begin += piece) hidden = taken.hidden(found, begin, std::min(begin + piece, found));
    if (!hidden) selected[found++] = i;
  }
  std::fill(selected + found, selected + M, 0);
  *count = static_cast<int32_t>(found);
}
