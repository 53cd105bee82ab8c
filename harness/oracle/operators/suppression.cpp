// SPDX-License-Identifier: Apache-2.0
// Boxes of detectors: NonMaxSuppression.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "elementwise.h"

namespace assay::oracle {
namespace {

template <class T>
struct Box {
  T top, left, bottom, right;
  T area() const { return (bottom - top) * (right - left); }
};

/// Any two opposite corners (y1, x1, y2, x2), or where `centred` (x, y, width, height).
template <class T>
Box<T> read_box(const T* b, bool centred) {
  if (!centred) return {minimum(b[0], b[2]), minimum(b[1], b[3]), maximum(b[0], b[2]), maximum(b[1], b[3])};
  const T half_width = b[2] / T(2), half_height = b[3] / T(2);
  return {b[1] - half_height, b[0] - half_width, b[1] + half_height, b[0] + half_width};
}

/// Intersection over union; 0 where either box is empty.
template <class T>
T overlap(const Box<T>& a, const Box<T>& b) {
  const T height = minimum(a.bottom, b.bottom) - maximum(a.top, b.top), width = minimum(a.right, b.right) - maximum(a.left, b.left);
  if (!(height > T(0)) || !(width > T(0)) || !(a.area() > T(0)) || !(b.area() > T(0))) return T(0);
  const T common = height * width;
  return common / (a.area() + b.area() - common);
}

template <class C>
double scalar_or(const C& call, std::size_t i, double fallback) {
  if (!call.has_input(i)) return fallback;
  call.require(call.reals(i).size() == 1, fmt::format("input {} must be one number", i));
  return value_of(call.reals(i)[0]);
}

/// For each batch entry and class the boxes of highest score, each of which overlaps none taken before by
/// more than iou_threshold: triples (batch, class, box). boxes [B, N, 4], scores [B, C, N],
/// max_output_boxes_per_class (0, the default: none), iou_threshold (0), score_threshold (none) -> [K, 3]
/// int64. Of equal scores the first box goes first. ONNX NonMaxSuppression, opset 10.
const bool suppression = define({.name = "NonMaxSuppression", .since = 10}, [](auto& call) {
  using T = typename std::decay_t<decltype(call)>::Scalar;
  const Shape &boxes = call.shape(0), &scores = call.shape(1);
  if (boxes.size() != 3 || boxes[2] != 4 || scores.size() != 3 || scores[0] != boxes[0] || scores[2] != boxes[1])
    call.fail(fmt::format("boxes must be [B, N, 4] and scores [B, C, N], got {} and {}", to_string(boxes), to_string(scores)));
  const bool centred = call.integer("center_point_box", 0) != 0, scored = call.has_input(4);
  std::int64_t most = 0;
  if (call.has_input(2)) {
    const auto given = call.integer_list(2);
    call.require(given.size() == 1 && given[0] >= 0, "max_output_boxes_per_class must be one integer of 0 or more");
    most = given[0];
  }
  const T threshold = T(scalar_or(call, 3, 0)), least = T(scalar_or(call, 4, 0));
  const std::int64_t count = boxes[1];
  std::vector<std::int64_t> taken;
  double compared = 0;
  bool open = false;
  for (std::int64_t b = 0; b < scores[0]; ++b)
    for (std::int64_t c = 0; c < scores[1]; ++c) {
      const T* score = call.reals(1).data() + (b * scores[1] + c) * count;
      std::vector<std::int64_t> order;
      for (std::int64_t i = 0; i < count; ++i) {
        open = open || (scored && open_between(score[i], least));
        if (!scored || score[i] > least) order.push_back(i);
      }
      std::stable_sort(order.begin(), order.end(), [&](auto i, auto j) { return score[i] > score[j]; });
      for (std::size_t i = 1; i < order.size(); ++i) open = open || open_between(score[order[i - 1]], score[order[i]]);
      std::vector<Box<T>> kept;
      for (const std::int64_t i : order) {
        if (static_cast<std::int64_t>(kept.size()) >= most) break;
        const Box<T> box = read_box(call.reals(0).data() + (b * count + i) * 4, centred);
        bool hidden = false;
        for (const Box<T>& before : kept) {
          const T shared = overlap(before, box);
          open = open || open_between(shared, threshold);
          hidden = hidden || shared > threshold;
          ++compared;
        }
        if (hidden) continue;
        kept.push_back(box);
        taken.insert(taken.end(), {b, c, i});
      }
    }
  call.flops(12 * compared);
  Integers& out = call.integers_out(0, {static_cast<std::int64_t>(taken.size()) / 3, 3});
  std::copy(taken.begin(), taken.end(), out.begin());
  if (open) call.leave_all_open();
});

}  // namespace
}  // namespace assay::oracle
