// SPDX-License-Identifier: Apache-2.0
// ONNX Softmax, LogSoftmax and Hardmax: x [any shape] -> y [same shape], normalised along `axis` (default -1)
// from opset 13 on; before, over the 2-D matrix that `axis` (default 1) splits x into. The maximum is
// subtracted before exp.
#include "softmax.h"

#include <Eigen/Core>

#include "elementwise.h"

namespace assay::oracle {
namespace {

template <class T>
AxisView softmax_view(const Call<T>& call) {
  const Shape& shape = call.shape(0);
  const bool flattens = call.opset() < 13;
  const std::int64_t given = call.integer("axis", flattens ? 1 : -1);
  // A scalar is a set of one.
  if (shape.empty()) return AxisView(Shape{1}, 0);
  // Flattening, an axis equal to the rank leaves sets of one element.
  const std::size_t axis = flattens && given == static_cast<std::int64_t>(shape.size()) ? shape.size() : call.axis(given, shape.size());
  return AxisView(shape, axis, flattens ? shape.size() : axis + 1);
}

/// The probabilities of a set of differences: each lies between what its least has beside the others' most, and the reverse.
void far_probabilities(std::int64_t extent, std::int64_t stride, Bounded* y) {
  left_integers = true;
  const auto at = [&](std::int64_t k) { return y[k * stride]; };
  const Spread spread = Spread::of(extent, at);
  const double total = sum<double>(extent, [&](std::int64_t k) { return std::exp(at(k).value); });
  for (std::int64_t k = 0; k < extent; ++k) {
    const auto i = static_cast<std::size_t>(k);
    const double p = std::exp(at(k).value) / total;
    const double least = 1 / (1 + std::exp(spread.high.log_rest(i) - spread.least[i]));
    const double most = 1 / (1 + std::exp(spread.low.log_rest(i) - spread.most[i]));
    y[k * stride] = {p, 4 * p + error_within(p, least, most)};
  }
}

/// One set of `view.extent` elements, `stride` apart.
template <class T>
void softmax_set(const T* x, T* y, std::int64_t extent, std::int64_t stride, Scale scale) {
  using std::exp;
  T top = x[0];
  for (std::int64_t k = 1; k < extent; ++k) top = maximum(top, x[k * stride]);
  // Softmax is the same for every shift, so the maximum's own error does not matter.
  top = exact(top);
  if (scale == Scale::logarithm) {
    const T total = log_sum_exp<T>(extent, [&](std::int64_t k) { return x[k * stride] - top; });
    for (std::int64_t k = 0; k < extent; ++k) y[k * stride] = (x[k * stride] - top) - total;
    return;
  }
  for (std::int64_t k = 0; k < extent; ++k) y[k * stride] = x[k * stride] - top;
  if constexpr (std::is_same_v<T, Bounded>)
    if (is_far<T>(extent, [&](std::int64_t k) { return y[k * stride]; })) return far_probabilities(extent, stride, y);
  for (std::int64_t k = 0; k < extent; ++k) y[k * stride] = exp(y[k * stride]);
  const T total = sum<T>(extent, [&](std::int64_t k) { return y[k * stride]; });
  for (std::int64_t k = 0; k < extent; ++k) y[k * stride] = y[k * stride] / total;
}

/// Float, one contiguous set: three vectorised passes.
void softmax_row(const float* x, float* y, std::int64_t extent, Scale scale) {
  const Eigen::Map<const Eigen::ArrayXf> from(x, extent);
  Eigen::Map<Eigen::ArrayXf> to(y, extent);
  const float top = from.maxCoeff();
  to = (from - top).exp();
  const float total = to.sum();
  if (scale == Scale::logarithm) to = (from - top) - std::log(total);
  else to *= 1 / total;
}

/// Float, a strided axis: every pass runs along the `inner` contiguous sets together.
void softmax_plane(const float* x, float* y, const AxisView& view, Scale scale) {
  using Row = Eigen::Map<const Eigen::ArrayXf>;
  const Eigen::Index n = view.inner;
  Eigen::ArrayXf top = Row(x, n), total = Eigen::ArrayXf::Zero(n);
  for (std::int64_t k = 1; k < view.extent; ++k) top = top.max(Row(x + k * n, n));
  for (std::int64_t k = 0; k < view.extent; ++k) {
    Eigen::Map<Eigen::ArrayXf> to(y + k * n, n);
    to = (Row(x + k * n, n) - top).exp();
    total += to;
  }
  if (scale == Scale::logarithm) total = total.log();
  else total = total.inverse();
  for (std::int64_t k = 0; k < view.extent; ++k) {
    Eigen::Map<Eigen::ArrayXf> to(y + k * n, n);
    if (scale == Scale::logarithm) to = (Row(x + k * n, n) - top) - total;
    else to *= total;
  }
}

template <class T>
void sets_along(const Tensor<T>& x, Tensor<T>& y, const AxisView& view, Scale scale) {
  if (x.size() == 0) return;
  const std::int64_t plane = view.extent * view.inner;
  for (std::int64_t o = 0; o < view.outer; ++o)
    for (std::int64_t i = 0; i < view.inner; ++i)
      softmax_set(x.data() + o * plane + i, y.data() + o * plane + i, view.extent, view.inner, scale);
}

template <class T>
void softmax(Call<T>& call, Scale scale) {
  const Tensor<T>& x = call.reals(0);
  call.flops(5 * static_cast<double>(x.size()));
  softmax_along(x, call.template output_like<T>(0, x.shape()), softmax_view(call), scale);
}

/// 1 at the first maximum along the axis, 0 elsewhere.
template <class T>
void hardmax(Call<T>& call) {
  const Tensor<T>& x = call.reals(0);
  const AxisView view = softmax_view(call);
  Tensor<T>& y = call.template output_like<T>(0, x.shape());
  std::fill(y.begin(), y.end(), T(0));
  if (x.size() == 0) return;
  for (std::int64_t o = 0; o < view.outer; ++o)
    for (std::int64_t i = 0; i < view.inner; ++i) {
      const std::int64_t origin = o * view.extent * view.inner + i;
      std::int64_t best = 0;
      for (std::int64_t k = 1; k < view.extent; ++k)
        if (x[origin + k * view.inner] > x[origin + best * view.inner]) best = k;
      y[origin + best * view.inner] = T(1);
      if constexpr (std::is_same_v<T, Bounded>)
        for (std::int64_t k = 0; k < view.extent; ++k) {
          const std::int64_t at = origin + k * view.inner, top = origin + best * view.inner;
          if (k == best || !open_between(x[at], x[top])) continue;
          y[at] = either(T(0), T(1));
          y[top] = either(T(1), T(0));
        }
    }
}

const bool defined[] = {
    // A row whose maximum is infinite is inf - inf.
    define({.name = "Softmax", .reads_all = true}, [](auto& call) { softmax(call, Scale::probability); }),
    define({.name = "LogSoftmax", .reads_all = true}, [](auto& call) { softmax(call, Scale::logarithm); }),
    define({"Hardmax", Specials::infinite}, [](auto& call) { hardmax(call); }),
};

}  // namespace

Exponentials::Exponentials(std::vector<double> x) : top_(*std::max_element(x.begin(), x.end())), powers_(std::move(x)) {
  for (double& power : powers_) total_ += power = std::exp(power - top_);
}

void softmax_along(const Tensor<double>& x, Tensor<double>& y, const AxisView& view, Scale scale) { sets_along(x, y, view, scale); }

void softmax_along(const Tensor<Bounded>& x, Tensor<Bounded>& y, const AxisView& view, Scale scale) { sets_along(x, y, view, scale); }

void softmax_along(const Tensor<float>& x, Tensor<float>& y, const AxisView& view, Scale scale) {
  if (sum_order() != SumOrder::natural) return sets_along(x, y, view, scale);
  const std::int64_t plane = view.extent * view.inner;
  if (plane == 0) return;
  for (std::int64_t o = 0; o < view.outer; ++o) {
    if (view.inner == 1) softmax_row(x.data() + o * plane, y.data() + o * plane, view.extent, scale);
    else softmax_plane(x.data() + o * plane, y.data() + o * plane, view, scale);
  }
}

}  // namespace assay::oracle
