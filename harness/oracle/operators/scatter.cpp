// SPDX-License-Identifier: Apache-2.0
// Writing through indices: ScatterElements (and its old name Scatter), ScatterND, with and without a
// reduction; TensorScatter.
#include <fmt/core.h>

#include <numeric>

#include "index_list.h"
#include "reduction.h"

namespace assay::oracle {
namespace {

enum class Reduction { none, add, mul, max, min };

template <class T>
Reduction read_reduction(const Call<T>& call) {
  const std::string name = call.text("reduction", "none");
  if (name == "none") return Reduction::none;
  if (name == "add") return Reduction::add;
  if (name == "mul") return Reduction::mul;
  if (name == "max") return Reduction::max;
  if (name == "min") return Reduction::min;
  call.fail("reduction '" + name + "' is not known");
}

/// y[target + e] = y[target + e] combined with updates[i * size + e], update by update.
template <class E, class Combine>
void combine_each(const std::vector<std::int64_t>& targets, std::int64_t size, const E* updates, E* y, Combine&& combine) {
  for (const std::int64_t target : targets)
    for (std::int64_t e = 0; e < size; ++e, ++updates) y[target + e] = static_cast<E>(combine(y[target + e], *updates));
}

/// The sums of Reduction::add as one sum for each target, so that their order and error scale are those of a
/// sum.
template <class T>
void add_by_target(const std::vector<std::int64_t>& targets, std::int64_t size, const T* updates, T* y) {
  std::vector<std::int64_t> order(targets.size());
  std::iota(order.begin(), order.end(), std::int64_t{0});
  const auto target = [&](std::int64_t i) { return targets[static_cast<std::size_t>(i)]; };
  std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) { return target(a) < target(b); });
  for (auto first = order.begin(); first != order.end();) {
    const auto last = std::find_if(first, order.end(), [&](std::int64_t i) { return target(i) != target(*first); });
    for (std::int64_t e = 0; e < size; ++e) {
      T& total = y[target(*first) + e];
      const T before = total;
      total = sum<T>(last - first + 1, [&](std::int64_t i) { return i == 0 ? before : updates[first[i - 1] * size + e]; });
    }
    first = last;
  }
}

/// The same over the scales of errors, whose sums have one order.
void add_by_target(const std::vector<std::int64_t>& targets, std::int64_t size, const Bounded* updates, Tensor<Bounded>& y) {
  std::vector<BoundedSum> sums(y.size());
  std::vector<std::int64_t> counts(y.size(), 1);
  for (std::size_t i = 0; i < y.size(); ++i) sums[i].add(y[i]);
  for (const std::int64_t target : targets)
    for (std::int64_t e = 0; e < size; ++e, ++updates) {
      const auto at = static_cast<std::size_t>(target + e);
      sums[at].add(*updates);
      ++counts[at];
    }
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = sums[i].total(counts[i]);
}

template <class E>
void scatter(Reduction reduction, const std::vector<std::int64_t>& targets, std::int64_t size, const E* updates, Tensor<E>& into) {
  E* y = into.data();
  switch (reduction) {
    case Reduction::none:
      for (const std::int64_t target : targets) std::copy_n(updates, size, y + target), updates += size;
      return;
    case Reduction::add:
      if constexpr (std::is_same_v<E, Bounded>) return add_by_target(targets, size, updates, into);
      else if constexpr (!std::is_integral_v<E>)
        if (sum_order() != SumOrder::natural) return add_by_target(targets, size, updates, y);
      return combine_each(targets, size, updates, y, [](E a, E b) { return a + b; });
    case Reduction::mul: return combine_each(targets, size, updates, y, [](E a, E b) { return a * b; });
    case Reduction::max: return combine_each(targets, size, updates, y, [](E a, E b) { return a < b ? b : a; });
    case Reduction::min: return combine_each(targets, size, updates, y, [](E a, E b) { return b < a ? b : a; });
  }
}

/// Output 0 = data with the updates (input 2) written at `targets`, `size` elements each.
template <class C>
void scatter_into_copy(C& call, const std::vector<std::int64_t>& targets, std::int64_t size) {
  const Reduction reduction = read_reduction(call);
  call.flops(reduction == Reduction::none ? 0.0 : static_cast<double>(element_count(call.shape(2))));
  call.visit(0, [&](const auto& data) {
    using E = std::decay_t<decltype(data[0])>;
    const auto* updates = std::get_if<Tensor<E>>(&call.input(2).elements);
    call.require(updates != nullptr, "updates must have data's element type");
    auto& y = call.template output_like<E>(0, data.shape());
    std::copy(data.begin(), data.end(), y.begin());
    scatter(reduction, targets, size, updates->data(), y);
  });
}

const auto scatter_elements = [](auto& call) {
  const std::size_t axis = call.axis(call.integer("axis", 0), call.shape(0).size());
  if (call.shape(1) != call.shape(2))
    call.fail(fmt::format("indices {} and updates {} must have one shape", to_string(call.shape(1)), to_string(call.shape(2))));
  scatter_into_copy(call, element_offsets(call, call.shape(0), 1, axis), 1);
};

/// Y = data, then Y[i, indices[i, j]] reduced with updates[i, j] along `axis`. Where indices repeat without a
/// reduction, the last update stays (ONNX leaves it open). ONNX ScatterElements, opset 11 (reductions since
/// 16, max and min since 18); Scatter, opset 9. Which of NaN and a number max keeps differs, so inputs hold
/// no NaN.
const bool element_scatters[] = {
    define({.name = "ScatterElements", .specials = Specials::infinite, .since = 11}, scatter_elements),
    define({.name = "Scatter", .specials = Specials::infinite, .since = 9}, scatter_elements),
};

/// Y = data, then the slice Y[indices[i]] reduced with the slice updates[i]. ONNX ScatterND, opset 11
/// (reductions as above).
const bool scatter_nd = define({.name = "ScatterND", .specials = Specials::infinite, .since = 11}, [](auto& call) {
  const Shape& data = call.shape(0);
  const Shape& index_shape = call.shape(1);
  const SliceOffsets slices = slice_offsets(call, data, 1, 0);
  Shape expected(index_shape.begin(), index_shape.end() - 1);
  expected.insert(expected.end(), data.end() - static_cast<std::ptrdiff_t>(slices.rank), data.end());
  if (call.shape(2) != expected) call.fail(fmt::format("updates must be {}, got {}", to_string(expected), to_string(call.shape(2))));
  scatter_into_copy(call, slices.offsets, slices.size);
});

/// present = past_cache with update written along `axis` (default -2) from write_indices[b] (default 0) on in
/// each batch entry; mode "circular" goes on at the front behind the end. past_cache [B, ..., S, ...], update
/// the same with L <= S -> present. ONNX TensorScatter, opset 24.
const bool tensor_scatter = define({.name = "TensorScatter", .specials = Specials::nan, .since = 24}, [](auto& call) {
  const Shape &past = call.shape(0), &update = call.shape(1);
  const std::size_t axis = call.axis(call.integer("axis", -2), past.size());
  call.require(axis > 0, "axis must not be the batch dimension");
  Shape expected = past;
  if (update.size() == past.size()) expected[axis] = update[axis];
  if (update != expected || update[axis] > past[axis])
    call.fail(fmt::format("update {} must be past_cache {} but for at most as many elements in dimension {}", to_string(update),
                          to_string(past), axis));
  const std::string mode = call.text("mode", "linear");
  call.require(mode == "linear" || mode == "circular", "mode must be linear or circular, got " + mode);
  std::vector<std::int64_t> from(static_cast<std::size_t>(past[0]), 0);
  if (call.has_input(2)) from = call.integer_list(2);
  call.require(static_cast<std::int64_t>(from.size()) == past[0], "write_indices needs one index for each batch entry");
  call.flops(0);
  const AxisView view(past, axis), part(update, axis);
  call.visit(0, [&](const auto& cache) {
    using E = std::decay_t<decltype(cache[0])>;
    const auto* updates = std::get_if<Tensor<E>>(&call.input(1).elements);
    call.require(updates != nullptr, "update must have past_cache's element type");
    auto& y = call.template output_like<E>(0, past);
    std::copy(cache.begin(), cache.end(), y.begin());
    for (std::int64_t o = 0; o < view.outer; ++o) {
      const std::int64_t first = from[static_cast<std::size_t>(o / (view.outer / past[0]))];
      const std::int64_t room = mode == "circular" ? view.extent : view.extent - part.extent + 1;
      call.require(first >= 0 && first < room, fmt::format("write index {} is outside [0, {})", first, room));
      for (std::int64_t k = 0; k < part.extent; ++k)
        std::copy_n(updates->data() + (o * part.extent + k) * view.inner, view.inner,
                    y.data() + (o * view.extent + (first + k) % view.extent) * view.inner);
    }
  });
});

}  // namespace
}  // namespace assay::oracle
