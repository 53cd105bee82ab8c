// SPDX-License-Identifier: Apache-2.0
// Resize and Upsample: every output is a weighted sum of the inputs around one coordinate, axis by axis.
// Read ResizePlan (extents and scales from the node), then axis_taps (which inputs, which weights), then the
// two ways to apply them: nearest is a gather, the rest a sum for each axis.
#include <fmt/core.h>

#include <cmath>
#include <numeric>

#include "elementwise.h"
#include "interpolation.h"
#include "reduction.h"
#include "shape_list.h"
#include "strided.h"

namespace assay::oracle {
namespace {

struct Modes {
  std::string interpolation, coordinates, rounding;
  double cubic_a = -0.75, extrapolation = 0;
  bool exclude_outside = false, antialias = false;
};

struct AxisScale {
  std::int64_t in = 1, out = 1;
  double scale = 1;      ///< out / in where sizes are given, as given where scales are
  bool by_size = false;  ///< scale is a quotient, which a float kernel rounds
  double roi_start = 0, roi_end = 1;
};

/// Scalar for coordinates and weights: they carry errors over Bounded only.
template <class T>
using Weight = std::conditional_t<std::is_same_v<T, Bounded>, Bounded, double>;

double exactly(double x) { return x; }
/// An operation on exact operands whose result is a float makes no error in a float kernel either.
Bounded exactly(Bounded x) {
  const bool own_rounding_only = x.error == std::abs(x.value) && static_cast<double>(static_cast<float>(x.value)) == x.value;
  return own_rounding_only ? Bounded(x.value) : x;
}

template <class W>
W coordinate(const AxisScale& axis, const std::string& mode, std::int64_t o) {
  const W x(static_cast<double>(o)), half(0.5), in(static_cast<double>(axis.in)), one(1);
  const W scale = axis.by_size ? exactly(W(static_cast<double>(axis.out)) / in) : W(axis.scale);
  const double resized = axis.scale * static_cast<double>(axis.in);
  if (mode == "asymmetric") return exactly(x / scale);
  if (mode == "half_pixel") return exactly(exactly(exactly(x + half) / scale) - half);
  if (mode == "pytorch_half_pixel") return axis.out > 1 ? exactly(exactly(exactly(x + half) / scale) - half) : W(0);
  if (mode == "tf_half_pixel_for_nn") return exactly(exactly(x + half) / scale);
  if (mode == "align_corners") return resized == 1 ? W(0) : exactly(exactly(x * (in - one)) / W(resized - 1));
  if (mode == "half_pixel_symmetric") {
    const W offset = in * half * (one - W(static_cast<double>(axis.out)) / W(resized));
    return offset + exactly(exactly(exactly(x + half) / scale) - half);
  }
  const W start(axis.roi_start), end(axis.roi_end);  // tf_crop_and_resize
  if (resized == 1) return half * (start + end) * (in - one);
  return start * (in - one) + x * (end - start) * (in - one) / W(resized - 1);
}

/// For each output of one axis `count` inputs and their weights.
template <class W>
struct AxisTaps {
  std::int64_t count = 1;
  std::vector<std::int64_t> index;
  std::vector<W> weight;
  std::vector<std::uint8_t> extrapolated;
};

std::int64_t nearest_index(double x, const std::string& rounding) {
  if (rounding == "round_prefer_floor") return static_cast<std::int64_t>(std::ceil(x - 0.5));
  if (rounding == "round_prefer_ceil") return static_cast<std::int64_t>(std::floor(x + 0.5));
  return static_cast<std::int64_t>(rounding == "floor" ? std::floor(x) : std::ceil(x));
}

/// Weights from `first` past floor(x) on, for x at `ratio` past it; antialiasing widens the kernel by 1 /
/// scale.
template <class W>
std::vector<W> kernel_weights(W ratio, const AxisScale& axis, const Modes& modes, std::int64_t& first) {
  using std::abs;
  const bool cubic = modes.interpolation == "cubic";
  if (!modes.antialias || axis.scale >= 1) {
    first = cubic ? -1 : 0;
    if (!cubic) return {W(1) - ratio, ratio};
    const auto weights = cubic_weights(ratio, modes.cubic_a);
    return {weights.begin(), weights.end()};
  }
  first = static_cast<std::int64_t>(std::floor((cubic ? -2 : -1) / axis.scale)) + 1;
  std::vector<W> weights;
  W total(0);
  for (std::int64_t i = first; i <= 1 - first; ++i) {
    const W t = abs((W(static_cast<double>(i)) - ratio) * W(axis.scale));
    W weight(0);
    if (!cubic && (t < W(1) || open_between(t, W(1)))) weight = W(1) - t;
    if (cubic && t < W(2)) weight = cubic_weights(t < W(1) ? t : t - W(1), modes.cubic_a)[t < W(1) ? 1 : 0];
    weights.push_back(weight);
    total += weight;
  }
  for (W& weight : weights) weight /= total;
  return weights;
}

template <class W>
AxisTaps<W> axis_taps(const AxisScale& axis, const Modes& modes) {
  AxisTaps<W> taps;
  for (std::int64_t o = 0; o < axis.out; ++o) {
    const W x = coordinate<W>(axis, modes.coordinates, o);
    const double at = value_of(x);
    taps.extrapolated.push_back(modes.coordinates == "tf_crop_and_resize" && (at < 0 || at > static_cast<double>(axis.in - 1)));
    if (modes.interpolation == "nearest") {
      taps.index.push_back(std::clamp<std::int64_t>(nearest_index(at, modes.rounding), 0, axis.in - 1));
      continue;
    }
    const double floor = std::floor(at);
    std::int64_t first = 0;
    auto weights = kernel_weights<W>(exactly(x - W(floor)), axis, modes, first);
    first += static_cast<std::int64_t>(floor);
    if constexpr (std::is_same_v<W, Bounded>) {
      // Where the errors leave open on which side of an element x lies, one more before or behind has a weight that is almost 0.
      weights.insert(weights.begin(), Bounded(0, open_between(x, floor) ? x.error : 0));
      weights.push_back(Bounded(0, open_between(x, floor + 1) ? x.error : 0));
      --first;
    }
    taps.count = static_cast<std::int64_t>(weights.size());
    if (modes.exclude_outside) {
      W total(0);
      for (std::size_t i = 0; i < weights.size(); ++i) {
        const std::int64_t index = first + static_cast<std::int64_t>(i);
        if (index < 0 || index >= axis.in) weights[i] = W(0);
        total += weights[i];
      }
      for (W& weight : weights) weight /= total;
    }
    for (std::int64_t i = 0; i < taps.count; ++i) taps.index.push_back(std::clamp<std::int64_t>(first + i, 0, axis.in - 1));
    taps.weight.insert(taps.weight.end(), weights.begin(), weights.end());
  }
  return taps;
}

/// y[i] = sum over `count` taps of weight[t] * x[index[t] * inner + i], for `inner` elements i.
template <class T>
void combine_rows(const T* x, std::int64_t inner, const std::int64_t* index, const T* weight, std::int64_t count, T* y) {
  if constexpr (!std::is_same_v<T, Bounded>) {
    if (sum_order() == SumOrder::natural) {
      const auto row = [&](std::int64_t t) { return x + index[t] * inner; };
      if (count == 2) {
        for (std::int64_t i = 0; i < inner; ++i) y[i] = weight[0] * row(0)[i] + weight[1] * row(1)[i];
        return;
      }
      for (std::int64_t i = 0; i < inner; ++i) y[i] = weight[0] * row(0)[i];
      for (std::int64_t t = 1; t < count; ++t)
        for (std::int64_t i = 0; i < inner; ++i) y[i] += weight[t] * row(t)[i];
      return;
    }
  }
  for (std::int64_t i = 0; i < inner; ++i) y[i] = sum<T>(count, [&](std::int64_t t) -> T { return weight[t] * x[index[t] * inner + i]; });
}

/// The same along the last dimension, where each output has its own taps: y[o] for one row.
template <class T>
void combine_columns(const T* x, const std::int64_t* index, const T* weight, std::int64_t count, std::int64_t outputs, T* y) {
  if (count == 2) {
    for (std::int64_t o = 0; o < outputs; ++o, index += 2, weight += 2) y[o] = weight[0] * x[index[0]] + weight[1] * x[index[1]];
    return;
  }
  for (std::int64_t o = 0; o < outputs; ++o, index += count, weight += count) {
    T total = weight[0] * x[index[0]];
    for (std::int64_t t = 1; t < count; ++t) total += weight[t] * x[index[t]];
    y[o] = total;
  }
}

/// One axis of [outer, in, inner] resized to [outer, out, inner].
template <class T>
void resize_axis(const T* x, std::int64_t outer, std::int64_t inner, const AxisScale& axis, const AxisTaps<Weight<T>>& taps, T* y) {
  std::vector<T> weights(taps.weight.size());
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = static_cast<T>(taps.weight[i]);
  for (std::int64_t r = 0; r < outer; ++r) {
    if constexpr (!std::is_same_v<T, Bounded>) {
      if (inner == 1 && sum_order() == SumOrder::natural) {
        combine_columns(x + r * axis.in, taps.index.data(), weights.data(), taps.count, axis.out, y + r * axis.out);
        continue;
      }
    }
    for (std::int64_t o = 0; o < axis.out; ++o)
      combine_rows(x + r * axis.in * inner, inner, taps.index.data() + o * taps.count, weights.data() + o * taps.count, taps.count,
                   y + (r * axis.out + o) * inner);
  }
}

template <class T>
void resize_smoothly(const Tensor<T>& x, const std::vector<AxisScale>& axes, const std::vector<AxisTaps<Weight<T>>>& taps,
                     const std::vector<std::size_t>& resized, Tensor<T>& y) {
  Tensor<T> from = x;
  Shape shape = x.shape();
  if (resized.empty()) std::copy(x.begin(), x.end(), y.begin());
  for (std::size_t n = 0; n < resized.size(); ++n) {
    const std::size_t d = resized[resized.size() - 1 - n];  // the last axis first: later ones then work on whole rows
    const auto at = shape.begin() + static_cast<std::ptrdiff_t>(d);
    const std::int64_t outer = element_count({shape.begin(), at}), inner = element_count({at + 1, shape.end()});
    shape[d] = axes[d].out;
    Tensor<T> to = n + 1 == resized.size() ? y : Tensor<T>(shape);
    resize_axis(from.data(), outer, inner, axes[d], taps[d], to.data());
    from = to;
  }
}

template <class E, class W>
void resize_nearest(const Tensor<E>& x, const std::vector<AxisTaps<W>>& taps, Tensor<E>& y) {
  const Shape& out = y.shape();
  const Strides strides = row_major_strides(x.shape());
  const std::int64_t width = out.back(), rows = width == 0 ? 0 : static_cast<std::int64_t>(y.size()) / width;
  const std::vector<std::int64_t>& columns = taps.back().index;
  for (std::int64_t r = 0; r < rows; ++r) {
    std::int64_t rest = r, base = 0;
    for (std::size_t d = out.size() - 1; d-- > 0; rest /= out[d])
      base += taps[d].index[static_cast<std::size_t>(rest % out[d])] * strides[d];
    const E* from = x.data() + base;
    E* to = y.data() + r * width;
    for (std::int64_t i = 0; i < width; ++i) to[i] = from[columns[static_cast<std::size_t>(i)]];
  }
}

template <class E, class W>
void extrapolate(const std::vector<AxisTaps<W>>& taps, E value, Tensor<E>& y) {
  const Shape& out = y.shape();
  for (std::size_t i = 0; i < y.size(); ++i) {
    auto rest = static_cast<std::int64_t>(i);
    for (std::size_t d = out.size(); d-- > 0; rest /= out[d])
      if (taps[d].extrapolated[static_cast<std::size_t>(rest % out[d])] != 0) y[i] = value;
  }
}

template <class C>
void resize(C& call, const std::vector<AxisScale>& axes, const Modes& modes) {
  using T = typename C::Scalar;
  std::vector<AxisTaps<Weight<T>>> taps;
  std::vector<std::size_t> resized;
  Shape out;
  double flops = 0;
  for (std::size_t d = 0; d < axes.size(); ++d) {
    call.require(axes[d].in > 0 || axes[d].out == 0, "cannot resize an empty dimension");
    const bool same = axes[d].scale == 1 && axes[d].in == axes[d].out && modes.coordinates != "tf_crop_and_resize";
    Modes here = modes;
    if (same) here.interpolation = "nearest", here.coordinates = "asymmetric", here.rounding = "floor";
    else resized.push_back(d);
    taps.push_back(axis_taps<Weight<T>>(axes[d], here));
    flops += same ? 0 : 2.0 * static_cast<double>(taps.back().count);
    out.push_back(axes[d].out);
  }
  call.require(!axes.empty(), "X must have at least one dimension");
  call.flops(modes.interpolation == "nearest" ? 0 : flops * static_cast<double>(element_count(out)));
  const bool crop = modes.coordinates == "tf_crop_and_resize";
  if (modes.interpolation != "nearest") {
    Tensor<T>& y = call.template output_like<T>(0, out);
    resize_smoothly(call.reals(0), axes, taps, resized, y);
    if (crop) extrapolate(taps, static_cast<T>(modes.extrapolation), y);
    return;
  }
  call.visit(0, [&](const auto& x) {
    using E = std::decay_t<decltype(x[0])>;
    auto& y = call.template output_like<E>(0, out);
    resize_nearest(x, taps, y);
    if constexpr (std::is_same_v<E, T>)
      if (crop) extrapolate(taps, static_cast<T>(modes.extrapolation), y);
  });
}

template <class C>
Modes read_modes(const C& call) {
  const bool first_version = call.opset() < 11;  // Resize 10 knew the coordinates and rounding of Upsample alone
  Modes modes;
  modes.interpolation = call.text("mode", "nearest");
  if (modes.interpolation == "bilinear") modes.interpolation = "linear";
  modes.coordinates = call.text("coordinate_transformation_mode", first_version ? "asymmetric" : "half_pixel");
  modes.rounding = call.text("nearest_mode", first_version ? "floor" : "round_prefer_floor");
  modes.cubic_a = call.real("cubic_coeff_a", -0.75);
  modes.extrapolation = call.real("extrapolation_value", 0.0);
  modes.exclude_outside = call.integer("exclude_outside", 0) != 0;
  modes.antialias = call.integer("antialias", 0) != 0;
  const auto known = [&](const std::string& name, const std::string& value, std::initializer_list<const char*> values) {
    call.require(std::find(values.begin(), values.end(), value) != values.end(), fmt::format("{} '{}' is not known", name, value));
  };
  known("mode", modes.interpolation, {"nearest", "linear", "cubic"});
  known("nearest_mode", modes.rounding, {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"});
  known("coordinate_transformation_mode", modes.coordinates,
        {"half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners", "asymmetric", "tf_half_pixel_for_nn",
         "tf_crop_and_resize"});
  return modes;
}

void scale_axis(AxisScale& axis, double scale) {
  axis.scale = scale;
  // ONNX's shape inference multiplies in float.
  axis.out = static_cast<std::int64_t>(std::floor(static_cast<float>(axis.in) * static_cast<float>(scale)));
}

/// Sets the extents from `sizes`; keep_aspect_ratio_policy makes them one scale.
template <class C>
void size_axes(const C& call, const std::vector<std::int64_t>& sizes, const std::vector<std::size_t>& chosen,
               std::vector<AxisScale>& axes) {
  const std::string policy = call.text("keep_aspect_ratio_policy", "stretch");
  call.require(policy == "stretch" || policy == "not_larger" || policy == "not_smaller",
               "keep_aspect_ratio_policy '" + policy + "' is not known");
  double common = 0;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    AxisScale& axis = axes[chosen[i]];
    axis.out = sizes[i];
    axis.by_size = true;
    axis.scale = static_cast<double>(sizes[i]) / static_cast<double>(axis.in);
    const bool better = policy == "not_larger" ? axis.scale < common : axis.scale > common;
    if (i == 0 || better) common = axis.scale;
  }
  if (policy == "stretch") return;
  for (const std::size_t d : chosen) {
    axes[d].by_size = false;
    axes[d].scale = common;
    axes[d].out = static_cast<std::int64_t>(std::floor(common * static_cast<double>(axes[d].in) + 0.5));
  }
}

/// X resampled at the coordinates that coordinate_transformation_mode gives, linearly, by cubic convolution
/// or from the nearest element; scales or sizes say how large Y is. ONNX Resize, opset 10 (roi, sizes and
/// cubic since 11, axes and antialias since 18, half_pixel_symmetric since 19). Inputs are finite: weights of
/// 0 make NaN of infinities.
const bool resize_operator = define({.name = "Resize", .since = 10}, [](auto& call) {
  const Modes modes = read_modes(call);
  const Shape& shape = call.shape(0);
  std::vector<AxisScale> axes(shape.size());
  std::vector<std::size_t> chosen(shape.size());
  std::iota(chosen.begin(), chosen.end(), std::size_t{0});
  chosen = axis_list(call, call.input_count(), shape.size()).value_or(chosen);
  for (std::size_t d = 0; d < shape.size(); ++d) axes[d].in = axes[d].out = shape[d];
  const std::size_t scales_at = call.opset() < 11 ? 1 : 2;
  // Read where they matter, and known where they do not.
  call.ignore({"keep_aspect_ratio_policy"});
  call.ignore_input(1);
  const bool has_scales = call.has_input(scales_at) && call.reals(scales_at).size() > 0;
  call.require(has_scales != call.has_input(3), "needs scales or sizes, not both");
  if (modes.coordinates == "tf_crop_and_resize") {
    const auto& roi = call.reals(1);
    call.require(roi.size() == 2 * chosen.size(), "roi needs a start and an end for each axis");
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      axes[chosen[i]].roi_start = value_of(roi[i]);
      axes[chosen[i]].roi_end = value_of(roi[chosen.size() + i]);
    }
  }
  if (has_scales) {
    const auto& scales = call.reals(scales_at);
    call.require(scales.size() == chosen.size(), "scales needs one value for each axis");
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      call.require(value_of(scales[i]) > 0, "a scale is not positive");
      scale_axis(axes[chosen[i]], value_of(scales[i]));
    }
  } else {
    const auto sizes = call.integer_list(3);
    call.require(sizes.size() == chosen.size(), "sizes needs one value for each axis");
    size_axes(call, sizes, chosen, axes);
  }
  resize(call, axes, modes);
});

/// Resize by scales with asymmetric coordinates, downwards rounding. ONNX Upsample, opset 7 (scales an input
/// since 9).
const bool upsample = define({.name = "Upsample", .since = 7}, [](auto& call) {
  Modes modes = read_modes(call);
  modes.coordinates = "asymmetric";
  modes.rounding = "floor";
  const Shape& shape = call.shape(0);
  std::vector<double> scales;
  if (call.has_input(1))
    for (const auto& scale : call.reals(1)) scales.push_back(value_of(scale));
  else scales = call.real_list("scales");
  call.require(scales.size() == shape.size(), "scales needs one value for each dimension");
  std::vector<AxisScale> axes(shape.size());
  for (std::size_t d = 0; d < shape.size(); ++d) {
    axes[d].in = shape[d];
    scale_axis(axes[d], scales[d]);
  }
  resize(call, axes, modes);
});

}  // namespace
}  // namespace assay::oracle
