// SPDX-License-Identifier: Apache-2.0
// Reals as scaled integers: QuantizeLinear, DequantizeLinear, DynamicQuantizeLinear, QLinearMatMul,
// QLinearConv. real = (integer - zero point) * scale; rounding is half to even, then saturation to the
// integer type.
#include <fmt/core.h>

#include <cmath>
#include <limits>

#include "convolution.h"
#include "stacked_product.h"
#include "zero_point.h"

namespace assay::oracle {
namespace {

struct Range {
  double low, high;
};

template <class C>
Range range_of(const C& call, ElementType type) {
  if (info(type).element_class != ElementClass::integer) call.fail(fmt::format("cannot quantise to {}", info(type).onnx_name));
  const double span = std::ldexp(1.0, static_cast<int>(8 * size_of(type)));
  const bool is_unsigned = type == ElementType::u8 || type == ElementType::u16 || type == ElementType::u32 || type == ElementType::u64;
  return is_unsigned ? Range{0, span - 1} : Range{-span / 2, span / 2 - 1};
}

template <class T>
std::int64_t quantised(T scaled, std::int64_t zero, Range range) {
  return static_cast<std::int64_t>(std::clamp(std::nearbyint(value_of(scaled)) + static_cast<double>(zero), range.low, range.high));
}

/// Whether x's error leaves open which integer it rounds to.
template <class T>
std::uint8_t rounds_openly(T scaled) {
  if constexpr (std::is_same_v<T, Bounded>) return nearbyint(scaled).error > 0 ? 1 : 0;
  else return 0;
}

/// Which scale belongs to an element: one for all, one per index of `axis`, or one per block of it.
struct ScaleIndex {
  std::int64_t extent = 1, inner = 1, block = 1, blocks = 1;
  bool single = false;

  std::size_t operator()(std::size_t element) const {
    if (single) return 0;
    const auto i = static_cast<std::int64_t>(element);
    if (block == 0) return static_cast<std::size_t>(i / inner % extent);
    return static_cast<std::size_t>((i / inner / extent * blocks + i / inner % extent / block) * inner + i % inner);
  }
};

template <class C>
ScaleIndex scale_index(const C& call) {
  const Shape &x = call.shape(0), &scale = call.shape(1);
  ScaleIndex index;
  call.ignore({"axis", "block_size", "saturate", "precision"});  // one scale needs no axis; the others are of float8
  index.single = element_count(scale) == 1 && scale.size() <= 1;
  if (index.single) return index;
  const std::size_t axis = call.axis(call.integer("axis", 1), x.size());
  index.extent = x[axis];
  index.inner = element_count({x.begin() + static_cast<std::ptrdiff_t>(axis) + 1, x.end()});
  index.block = call.integer("block_size", 0);
  Shape expected{x[axis]};
  if (index.block > 0) {
    index.blocks = (x[axis] + index.block - 1) / index.block;
    expected = x;
    expected[axis] = index.blocks;
  }
  if (scale != expected) call.fail(fmt::format("scale must be one number or {}, got {}", to_string(expected), to_string(scale)));
  return index;
}

/// Zero points (input 2) as a lookup beside the scales; none stands for 0.
template <class C>
const Integers* zero_points(const C& call) {
  if (!call.has_input(2)) return nullptr;
  call.require(call.shape(2) == call.shape(1), "zero point must have scale's shape");
  return &call.integers(2);
}

/// y = saturate(round(x / scale) + zero). scale and zero: scalars, one per index of `axis`, or one per block.
/// The type is zero's, or output_dtype's, or uint8. ONNX QuantizeLinear, opset 10 (axis since 13, blocks
/// since 21).
const bool quantize_linear = define({.name = "QuantizeLinear", .since = 10}, [](auto& call) {
  ElementType type = call.has_input(2) ? call.type(2) : ElementType::u8;
  if (const std::int64_t wanted = call.integer("output_dtype", 0); wanted != 0 && !call.has_input(2)) {
    const ElementTypeInfo* found = element_type_from_onnx(static_cast<int>(wanted));
    call.require(found != nullptr, "output_dtype is not supported");
    type = found->type;
  }
  const Range range = range_of(call, type);
  const ScaleIndex index = scale_index(call);
  const auto& scales = call.reals(1);
  const Integers* zeros = zero_points(call);
  Integers& y = call.integers_out(0, call.shape(0), type);
  call.flops(3.0 * static_cast<double>(y.size()));
  const auto& x = call.reals(0);
  std::vector<std::uint8_t> open(y.size());
  for (std::size_t i = 0; i < y.size(); ++i) {
    const std::size_t s = index(i);
    const auto scaled = x[i] / scales[s];
    y[i] = quantised(scaled, zeros == nullptr ? 0 : (*zeros)[s], range);
    open[i] = rounds_openly(scaled);
  }
  call.leave_open(0, std::move(open));
});

/// y = (x - zero) * scale, in scale's type or output_dtype. ONNX DequantizeLinear, opset 10 (axis since 13,
/// blocks since 21).
const bool dequantize_linear = define({.name = "DequantizeLinear", .since = 10}, [](auto& call) {
  using T = typename std::decay_t<decltype(call)>::Scalar;
  const ScaleIndex index = scale_index(call);
  const Tensor<T>& scales = call.reals(1);
  const Integers* zeros = zero_points(call);
  const Integers& x = call.integers(0);
  ElementType type = call.type(1);
  if (const std::int64_t wanted = call.integer("output_dtype", 0); wanted != 0) {
    const ElementTypeInfo* found = element_type_from_onnx(static_cast<int>(wanted));
    call.require(found != nullptr && found->element_class == ElementClass::real, "output_dtype must be a real type");
    type = found->type;
  }
  Tensor<T>& y = call.template output<T>(0, x.shape(), type);
  const std::vector<std::uint8_t>& open = call.open(0);
  call.flops(2.0 * static_cast<double>(y.size()));
  for (std::size_t i = 0; i < y.size(); ++i) {
    const std::size_t s = index(i);
    T steps = static_cast<T>(static_cast<double>(x[i] - (zeros == nullptr ? 0 : (*zeros)[s])));
    if constexpr (std::is_same_v<T, Bounded>) {
      if (!open.empty() && open[i] == 1) steps = either(steps, Bounded(steps.value + 1));
      if (!open.empty() && open[i] > 1) steps = {steps.value, std::numeric_limits<double>::infinity()};
    }
    y[i] = steps * scales[s];
  }
});

/// Scale and zero point that map [min(0, min x), max(0, max x)] to uint8, and x quantised by them: y, scale,
/// zero. ONNX DynamicQuantizeLinear, opset 11.
const bool dynamic_quantize_linear = define({.name = "DynamicQuantizeLinear", .since = 11}, [](auto& call) {
  using T = typename std::decay_t<decltype(call)>::Scalar;
  const Tensor<T>& x = call.reals(0);
  T low = T(0), high = T(0);
  for (const T& e : x) {
    if (e < low) low = e;
    if (e > high) high = e;
  }
  const Range range = range_of(call, ElementType::u8);
  // Scale is an output in float, so x is divided by the float: over double too, or ties would fall the other
  // way.
  T scale = static_cast<T>(static_cast<float>(value_of((high - low) / T(255))));
  if (scale == T(0)) scale = T(1);  // all zeros: any scale maps them to the zero point
  const std::int64_t zero = quantised(-low / scale, 0, range);
  Integers& y = call.integers_out(0, x.shape(), ElementType::u8);
  call.flops(5.0 * static_cast<double>(x.size()));
  std::vector<std::uint8_t> open(x.size(), rounds_openly(-low / scale));
  for (std::size_t i = 0; i < x.size(); ++i) {
    y[i] = quantised(x[i] / scale, zero, range);
    open[i] |= rounds_openly(x[i] / scale);
  }
  call.leave_open(0, std::move(open));
  if (call.wants(1)) call.template output_like<T>(1, {})[0] = scale;
  if (!call.wants(2)) return;
  call.integers_out(2, {}, ElementType::u8)[0] = zero;
  call.leave_open(2, {rounds_openly(-low / scale)});
});

/// y = saturate(round(sum * a_scale * b_scale / y_scale) + y_zero) for int32 sums [.., channels, below];
/// scale inputs at `a_scale`, `b_scale`, `y_scale`; b's may be one per channel.
template <class C>
void requantise(C& call, const Integers& sums, std::int64_t channels, std::int64_t below, std::array<std::size_t, 3> scales) {
  const auto &a = call.reals(scales[0]), &b = call.reals(scales[1]), &out = call.reals(scales[2]);
  const std::size_t zero_at = scales[2] + 1;
  const std::int64_t zero = call.integers(zero_at)[0];
  call.require(a.size() == 1 && out.size() == 1, "a's and y's scales must be one number each");
  call.require(b.size() == 1 || static_cast<std::int64_t>(b.size()) == channels, "b's scale must be one number or one per channel");
  const Range range = range_of(call, call.type(zero_at));
  Integers& y = call.integers_out(0, sums.shape(), call.type(zero_at));
  std::vector<std::uint8_t> open(y.size());
  for (std::size_t i = 0; i < y.size(); ++i) {
    const std::size_t s = b.size() == 1 ? 0 : static_cast<std::size_t>(static_cast<std::int64_t>(i) / below % channels);
    using T = typename C::Scalar;
    const T scaled = static_cast<T>(static_cast<double>(sums[i])) * (a[0] * b[s] / out[0]);
    y[i] = quantised(scaled, zero, range);
    open[i] = rounds_openly(scaled);
  }
  call.leave_open(0, std::move(open));
}

/// MatMul of quantised operands, quantised again: a, a_scale, a_zero, b, b_scale, b_zero, y_scale, y_zero.
/// ONNX QLinearMatMul, opset 10.
const bool qlinear_matmul = define({.name = "QLinearMatMul", .since = 10}, [](auto& call) {
  const StackedProduct plan = plan_product(call, call.shape(0), call.shape(3));
  const std::size_t a_rank = call.shape(0).size();
  const Integers a = centred(call, 0, 2, a_rank < 2 ? a_rank : a_rank - 2), b = centred(call, 3, 5, call.shape(3).size() - 1);
  Integers sums(plan.out);
  multiply_stack(plan, a.data(), b.data(), sums.data());
  call.flops(product_flops(plan));
  requantise(call, sums, plan.columns, 1, {1, 4, 6});
});

/// Conv of quantised operands, quantised again: x, x_scale, x_zero, w, w_scale, w_zero, y_scale, y_zero,
/// int32 bias of scale x_scale * w_scale; w's scale and zero point may be one per filter. ONNX QLinearConv,
/// opset 10.
const bool qlinear_conv = define({.name = "QLinearConv", .since = 10}, [](auto& call) {
  const Convolution c = read_convolution(call, call.shape(0), call.shape(3));
  const Integers x = centred(call, 0, 2, call.shape(0).size()), w = centred(call, 3, 5, 0);
  Integers sums(c.output_shape());
  const std::int64_t filters = c.groups * c.filters, plane = element_count(c.window.output);
  const bool biased = call.has_input(8);
  if (biased) {
    const Integers& bias = call.integers(8);
    call.require(bias.shape() == Shape{filters}, "bias must hold one number for each filter");
    for (std::int64_t p = 0; p < c.batch * filters; ++p)
      std::fill_n(sums.data() + p * plane, plane, bias[static_cast<std::size_t>(p % filters)]);
  }
  convolve(c, x.data(), w.data(), sums.data(), biased);
  call.flops(c.flops());
  requantise(call, sums, filters, plane, {1, 4, 6});
});

}  // namespace
}  // namespace assay::oracle
