// SPDX-License-Identifier: Apache-2.0
// Pooling over any number of spatial dimensions: MaxPool, AveragePool, LpPool, their global forms, MaxUnpool.
// X is [N, C, D1, ...], Y is [N, C, O1, ...]; planes are pooled one by one. The common poolings go tap by tap
// over whole rows, which vectorises; the rest collect each window's offsets first.
#include <fmt/core.h>

#include <limits>

#include "reduction.h"
#include "window.h"

namespace assay::oracle {
namespace {

template <class T>
Window read_pool(const Call<T>& call) {
  const Shape& x = call.shape(0);
  if (x.size() < 3) call.fail("X must be [N, C, D1, ...], got shape " + to_string(x));
  const Shape spatial(x.begin() + 2, x.end());
  const Shape kernel = call.integer_list("kernel_shape");
  if (kernel.size() != spatial.size() || *std::min_element(kernel.begin(), kernel.end()) < 1)
    call.fail(fmt::format("kernel_shape needs {} positive values, got {}", spatial.size(), to_string(kernel)));
  return read_window(call, spatial, kernel);
}

Shape pooled_shape(const Shape& x, const Shape& spatial) {
  Shape shape(x.begin(), x.begin() + 2);
  shape.insert(shape.end(), spatial.begin(), spatial.end());
  return shape;
}

double window_flops(const Shape& x, const Window& w) { return static_cast<double>(element_count(pooled_shape(x, w.output)) * w.taps()); }

/// step(output, input) for every tap inside the plane, row by row, the innermost loop over a row's outputs.
template <class E, class Step>
void pool_rows(const Window& w, const E* x, E* y, Step&& step) {
  for_each_row_tap(w, [&](std::int64_t, std::int64_t o, std::int64_t count, std::int64_t from) {
    step_along(y + o, x + from, count, w.stride.back(), step);
  });
}

/// body(output, offsets in the plane of the taps inside it, in row-major order).
template <class Body>
void for_each_window(const Window& w, Body&& body) {
  Shape o(w.rank(), 0);
  std::vector<std::int64_t> offsets;
  for (std::int64_t at = 0, count = element_count(w.output); at < count; ++at, advance(o, w.output)) {
    offsets.clear();
    Shape k(w.rank(), 0);
    do {
      std::int64_t offset = 0;
      bool inside = true;
      for (std::size_t d = 0; d < w.rank() && inside; ++d) {
        const std::int64_t position = w.position(d, o[d], k[d]);
        inside = position >= 0 && position < w.input[d];
        offset = offset * w.input[d] + position;
      }
      if (inside) offsets.push_back(offset);
    } while (advance(k, w.kernel));
    body(at, offsets);
  }
}

template <class E>
E least_value() {
  if constexpr (std::is_same_v<E, std::int64_t>) return std::numeric_limits<std::int64_t>::min();
  else return E(-std::numeric_limits<double>::infinity());
}

/// Digits are read last dimension first, so dimension 0 comes to weigh least.
std::int64_t column_major_offset(std::int64_t offset, const Shape& extents) {
  std::int64_t place = 0;
  for (std::size_t d = extents.size(); d-- > 0;) {
    place = place * extents[d] + offset % extents[d];
    offset /= extents[d];
  }
  return place;
}

template <class E, class C>
void max_pool_with_indices(C& call, const Window& w, const Tensor<E>& x, Tensor<E>& y) {
  const bool column_major = call.integer("storage_order", 0) != 0;
  Integers& indices = call.integers_out(1, y.shape());
  const std::int64_t in = element_count(w.input), out = element_count(w.output);
  const std::int64_t planes = x.shape()[0] * x.shape()[1];
  std::vector<std::uint8_t> open(std::is_same_v<E, Bounded> ? indices.size() : 0);
  for_each_window(w, [&](std::int64_t o, const std::vector<std::int64_t>& offsets) {
    if (offsets.empty()) call.fail("a window lies wholly in the padding");
    for (std::int64_t p = 0; p < planes; ++p) {
      const E* plane = x.data() + p * in;
      std::int64_t best = offsets.front();
      for (const std::int64_t offset : offsets)
        if (plane[offset] > plane[best]) best = offset;
      if constexpr (std::is_same_v<E, Bounded>)
        for (const std::int64_t offset : offsets)
          if (offset != best && open_between(plane[offset], plane[best])) open[static_cast<std::size_t>(p * out + o)] = 2;
      const auto at = static_cast<std::size_t>(p * out + o);
      y[at] = plane[best];
      indices[at] = p * in + (column_major ? column_major_offset(best, w.input) : best);
    }
  });
  call.leave_open(1, std::move(open));
}

/// Y = the largest element in each window, padding left out; Indices, if wanted, where it stands in X
/// flattened (the first of equals). ONNX MaxPool, opset 1 (dilations and ceil_mode since 10). A NaN's fate
/// differs between implementations, so inputs hold none.
const bool max_pool = define({.name = "MaxPool", .specials = Specials::infinite}, [](auto& call) {
  const Window w = read_pool(call);
  const Shape shape = pooled_shape(call.shape(0), w.output);
  call.ignore({"storage_order"});  // of the indices
  call.flops(window_flops(call.shape(0), w));
  call.visit(0, [&](const auto& x) {
    using E = std::decay_t<decltype(x[0])>;
    auto& y = call.template output_like<E>(0, shape);
    if (call.wants(1)) return max_pool_with_indices(call, w, x, y);
    const std::int64_t in = element_count(w.input), out = element_count(w.output);
    std::fill(y.begin(), y.end(), least_value<E>());
    for (std::int64_t p = 0; p < shape[0] * shape[1]; ++p)
      pool_rows(w, x.data() + p * in, y.data() + p * out, [](E& most, E value) { most = most < value ? value : most; });
  });
});

/// How many taps each output of dimension d averages over: those inside the input, or inside input and
/// padding.
std::vector<std::int64_t> divisors(const Window& w, std::size_t d, bool count_padding) {
  const std::int64_t low = count_padding ? -w.begin[d] : 0, high = w.input[d] + (count_padding ? w.end[d] : 0);
  std::vector<std::int64_t> counts(static_cast<std::size_t>(w.output[d]), 0);
  for (std::size_t o = 0; o < counts.size(); ++o)
    for (std::int64_t k = 0; k < w.kernel[d]; ++k) {
      const std::int64_t position = w.position(d, static_cast<std::int64_t>(o), k);
      counts[o] += position >= low && position < high;
    }
  return counts;
}

template <class T>
void sum_windows(const Window& w, const T* x, T* y) {
  if constexpr (!std::is_same_v<T, Bounded>) {
    if (sum_order() == SumOrder::natural) {
      std::fill_n(y, element_count(w.output), T(0));
      return pool_rows(w, x, y, [](T& total, T value) { total += value; });
    }
  }
  for_each_window(w, [&](std::int64_t o, const std::vector<std::int64_t>& offsets) {
    y[o] = sum<T>(static_cast<std::int64_t>(offsets.size()), [&](std::int64_t i) { return x[offsets[static_cast<std::size_t>(i)]]; });
  });
}

/// Y = the mean of each window; padding counts as zeros where count_include_pad, else is left out of the
/// mean. ONNX AveragePool, opset 1 (ceil_mode since 10, dilations since 19).
const bool average_pool = define({.name = "AveragePool", .specials = Specials::nan}, [](auto& call) {
  using T = typename std::decay_t<decltype(call)>::Scalar;
  const Window w = read_pool(call);
  const bool count_padding = call.integer("count_include_pad", 0) != 0;
  const Tensor<T>& x = call.reals(0);
  call.flops(window_flops(x.shape(), w));
  Tensor<T>& y = call.template output_like<T>(0, pooled_shape(x.shape(), w.output));
  std::vector<std::vector<std::int64_t>> counts;
  for (std::size_t d = 0; d < w.rank(); ++d) counts.push_back(divisors(w, d, count_padding));
  const std::int64_t in = element_count(w.input), out = element_count(w.output);
  Tensor<T> divisor(w.output);
  Shape o(w.rank(), 0);
  for (std::int64_t i = 0; i < out; ++i, advance(o, w.output)) {
    std::int64_t taps = 1;
    for (std::size_t d = 0; d < w.rank(); ++d) taps *= counts[d][static_cast<std::size_t>(o[d])];
    divisor.data()[i] = T(static_cast<double>(taps));
  }
  for (std::int64_t p = 0; p < x.shape()[0] * x.shape()[1]; ++p) {
    T* plane = y.data() + p * out;
    sum_windows(w, x.data() + p * in, plane);
    for (std::int64_t i = 0; i < out; ++i) plane[i] = plane[i] / divisor.data()[i];
  }
});

/// (sum |x|^p)^(1/p) over `count` elements at(0), at(1), ...
template <class T, class At>
T lp_norm(std::int64_t count, std::int64_t p, At&& at) {
  using std::abs, std::pow, std::sqrt;
  if (p == 1) return sum<T>(count, [&](std::int64_t i) -> T { return abs(at(i)); });
  if (p == 2) return sqrt(sum<T>(count, [&](std::int64_t i) -> T { return at(i) * at(i); }));
  const T power = static_cast<T>(static_cast<double>(p));
  const T total = sum<T>(count, [&](std::int64_t i) -> T { return pow(T(abs(at(i))), power); });
  return pow(total, T(1) / power);
}

/// Y = (sum over each window of |x|^p)^(1/p). ONNX LpPool, opset 2.
const bool lp_pool = define({.name = "LpPool", .specials = Specials::nan, .since = 2}, [](auto& call) {
  using T = typename std::decay_t<decltype(call)>::Scalar;
  const Window w = read_pool(call);
  const std::int64_t p = call.integer("p", 2);
  const Tensor<T>& x = call.reals(0);
  call.flops(2 * window_flops(x.shape(), w));
  Tensor<T>& y = call.template output_like<T>(0, pooled_shape(x.shape(), w.output));
  const std::int64_t in = element_count(w.input), out = element_count(w.output);
  for_each_window(w, [&](std::int64_t o, const std::vector<std::int64_t>& offsets) {
    for (std::int64_t plane = 0; plane < x.shape()[0] * x.shape()[1]; ++plane)
      y.data()[plane * out + o] = lp_norm<T>(static_cast<std::int64_t>(offsets.size()), p,
                                             [&](std::int64_t i) { return x.data()[plane * in + offsets[static_cast<std::size_t>(i)]]; });
  });
});

/// A pooling whose window is the whole plane: pool(count, elements of the plane) -> [N, C, 1, ...].
template <class C, class Pool>
void pool_planes(C& call, Pool&& pool) {
  using T = typename C::Scalar;
  const Tensor<T>& x = call.reals(0);
  call.require(x.rank() >= 3, "X must be [N, C, D1, ...], got shape " + to_string(x.shape()));
  call.flops(static_cast<double>(x.size()));
  Tensor<T>& y = call.template output_like<T>(0, pooled_shape(x.shape(), Shape(x.rank() - 2, 1)));
  const std::int64_t plane = y.size() == 0 ? 0 : static_cast<std::int64_t>(x.size() / y.size());
  for (std::size_t p = 0; p < y.size(); ++p) y[p] = pool(plane, x.data() + static_cast<std::int64_t>(p) * plane);
}

/// Mean, maximum and p-norm of each plane: [N, C, D1, ...] -> [N, C, 1, ...].
/// ONNX GlobalAveragePool, GlobalMaxPool (opset 1), GlobalLpPool (opset 2).
const bool global_pools[] = {
    define({.name = "GlobalAveragePool", .specials = Specials::nan},
           [](auto& call) {
             using T = typename std::decay_t<decltype(call)>::Scalar;
             pool_planes(call, [](std::int64_t count, const T* x) {
               return sum<T>(count, [x](std::int64_t i) { return x[i]; }) / T(static_cast<double>(count));
             });
           }),
    define({.name = "GlobalMaxPool", .specials = Specials::infinite},
           [](auto& call) {
             using T = typename std::decay_t<decltype(call)>::Scalar;
             pool_planes(call, [](std::int64_t count, const T* x) {
               T lanes[8];
               std::fill_n(lanes, 8, least_value<T>());
               std::int64_t i = 0;
               for (; i + 8 <= count; i += 8)
                 for (int l = 0; l < 8; ++l) lanes[l] = lanes[l] < x[i + l] ? x[i + l] : lanes[l];
               for (; i < count; ++i) lanes[0] = lanes[0] < x[i] ? x[i] : lanes[0];
               return *std::max_element(lanes, lanes + 8);
             });
           }),
    define({.name = "GlobalLpPool", .specials = Specials::nan, .since = 2},
           [](auto& call) {
             using T = typename std::decay_t<decltype(call)>::Scalar;
             const std::int64_t p = call.integer("p", 2);
             pool_planes(call, [p](std::int64_t count, const T* x) { return lp_norm<T>(count, p, [x](std::int64_t i) { return x[i]; }); });
           }),
};

/// Puts each x back where MaxPool's Indices say it came from, zero elsewhere. Output [N, C, ...] is the
/// smallest that MaxPool maps to X, or output_shape; indices count in the smallest. ONNX MaxUnpool, opset 9.
const bool max_unpool = define({.name = "MaxUnpool", .specials = Specials::nan, .since = 9}, [](auto& call) {
  using T = typename std::decay_t<decltype(call)>::Scalar;
  const Tensor<T>& x = call.reals(0);
  const Integers& indices = call.integers(1);
  call.require(x.rank() >= 3 && indices.shape() == x.shape(), "X and I must be [N, C, D1, ...] of one shape");
  const std::size_t rank = x.rank() - 2;
  const Shape kernel = spatial_list(call, "kernel_shape", rank, 1, 1), stride = spatial_list(call, "strides", rank, 1, 1);
  const Shape pads = spatial_list(call, "pads", 2 * rank, 0, 0);
  Shape inferred(x.shape().begin(), x.shape().begin() + 2);
  for (std::size_t d = 0; d < rank; ++d) inferred.push_back((x.shape()[d + 2] - 1) * stride[d] + kernel[d] - pads[d] - pads[rank + d]);
  const Shape shape = call.has_input(2) ? call.integer_list(2) : inferred;
  call.require(shape.size() == inferred.size(), "output_shape must have X's rank");
  Tensor<T>& y = call.template output_like<T>(0, shape);
  std::fill(y.begin(), y.end(), T(0));
  for (std::size_t i = 0; i < x.size(); ++i) {
    std::int64_t rest = indices[i], offset = 0, scale = 1;
    for (std::size_t d = shape.size(); d-- > 0; scale *= shape[d], rest /= inferred[d]) {
      const std::int64_t at = rest % inferred[d];
      call.require(at >= 0 && at < shape[d], "an index lies outside the output");
      offset += at * scale;
    }
    call.require(rest == 0, "an index lies outside the output");
    y.data()[offset] = x[i];
  }
});

}  // namespace
}  // namespace assay::oracle
