// SPDX-License-Identifier: Apache-2.0
// ONNX normalisations by mean and variance: Layer-, RMS-, Instance-, Group- and BatchNormalization,
// MeanVarianceNormalization. Variances are population variances, taken around the mean in a second pass. LRN
// and LpNormalization are in response.cpp.
#include <fmt/core.h>

#include "elementwise.h"
#include "reduction.h"

namespace assay::oracle {
namespace {

template <class T>
struct Moments {
  T mean, variance;
};

template <class T, class At>
Moments<T> moments(std::int64_t count, At&& at) {
  const T n = static_cast<T>(static_cast<double>(count));
  const T mean = sum<T>(count, at) / n;
  const T squares = sum<T>(count, [&](std::int64_t k) {
    const T d = at(k) - mean;
    return d * d;
  });
  return {mean, squares / n};
}

template <class T>
T inverse_deviation(T variance, double epsilon) {
  using std::sqrt;
  return T(1) / sqrt(variance + static_cast<T>(epsilon));
}

/// Input i broadcast to `shape`.
template <class T>
Tensor<T> expanded(const Call<T>& call, std::size_t i, const Shape& shape) {
  const Tensor<T>& from = call.reals(i);
  if (from.shape() == shape) return from;
  call.require(broadcast_shapes({from.shape(), shape}) == shape,
               fmt::format("input {} {} does not broadcast to {}", i, to_string(from.shape()), to_string(shape)));
  Tensor<T> to(shape);
  zip(from, from, to, [](T x, T) { return x; });
  return to;
}

/// y = (x - mean) / sqrt(variance + epsilon) * scale + bias over the dimensions from `axis` (-1) on; scale
/// and bias have their shape. Outputs 1 and 2, optional: mean and 1 / sqrt(variance + epsilon).
/// LayerNormalization, opset 17. `centred` false: without mean and bias, by the root of the mean square.
/// RMSNormalization, opset 23.
template <class T>
void layer_normalization(Call<T>& call, bool centred) {
  const Tensor<T>& x = call.reals(0);
  const std::size_t axis = call.axis(call.integer("axis", -1), x.rank());
  const double epsilon = call.real("epsilon", 1e-5);
  const AxisView view(x.shape(), axis, x.rank());
  const Shape normalized(x.shape().begin() + static_cast<std::ptrdiff_t>(axis), x.shape().end());
  const Tensor<T> scale = expanded(call, 1, normalized);
  const bool biased = centred && call.has_input(2);
  const Tensor<T> bias = biased ? expanded(call, 2, normalized) : scale;
  Tensor<T>& y = call.template output_like<T>(0, x.shape());
  Shape set_shape = x.shape();
  std::fill(set_shape.begin() + static_cast<std::ptrdiff_t>(axis), set_shape.end(), 1);
  const ElementTypeInfo* stash = element_type_from_onnx(static_cast<int>(call.integer("stash_type", 1)));
  call.require(stash != nullptr, "attribute stash_type is no floating-point type");
  Tensor<T>* means = call.wants(1) ? &call.template output<T>(1, set_shape, stash->type) : nullptr;
  Tensor<T>* deviations = call.wants(2) ? &call.template output<T>(2, set_shape, stash->type) : nullptr;
  call.flops((centred ? 8 : 4) * static_cast<double>(x.size()));
  for (std::int64_t o = 0; o < view.outer; ++o) {
    const T* from = x.data() + o * view.extent;
    T* to = y.data() + o * view.extent;
    T mean = T(0), inverse;
    if (centred) {
      const Moments<T> m = moments<T>(view.extent, [from](std::int64_t k) { return from[k]; });
      mean = m.mean;
      inverse = inverse_deviation(m.variance, epsilon);
    } else {
      const T squares = sum<T>(view.extent, [from](std::int64_t k) { return from[k] * from[k]; });
      inverse = inverse_deviation(squares / static_cast<T>(static_cast<double>(view.extent)), epsilon);
    }
    const T *s = scale.data(), *b = bias.data();
    if (biased)
      for (std::int64_t k = 0; k < view.extent; ++k) to[k] = (from[k] - mean) * inverse * s[k] + b[k];
    else if (centred)
      for (std::int64_t k = 0; k < view.extent; ++k) to[k] = (from[k] - mean) * inverse * s[k];
    else
      for (std::int64_t k = 0; k < view.extent; ++k) to[k] = from[k] * inverse * s[k];
    if (means != nullptr) (*means)[static_cast<std::size_t>(o)] = mean;
    if (deviations != nullptr) (*deviations)[static_cast<std::size_t>(o)] = inverse;
  }
}

/// x [N, C, ...] in `groups` sets of channels for each of N; scale and bias per channel [C], or per group
/// [groups].
template <class T>
void normalize_groups(Call<T>& call, std::int64_t groups) {
  const Tensor<T>& x = call.reals(0);
  call.require(x.rank() >= 2, "x must have at least the dimensions [N, C], got " + to_string(x.shape()));
  const std::int64_t channels = x.shape()[1];
  call.require(groups > 0 && channels % groups == 0, fmt::format("{} channels are no multiple of {} groups", channels, groups));
  const Tensor<T>&scale = call.reals(1), &bias = call.reals(2);
  const auto parameters = static_cast<std::int64_t>(scale.size());
  call.require(scale.shape() == bias.shape() && (parameters == channels || parameters == groups),
               fmt::format("scale {} and bias {} must be [C], or [num_groups]", to_string(scale.shape()), to_string(bias.shape())));
  const double epsilon = call.real("epsilon", 1e-5);
  const std::int64_t spatial = AxisView(x.shape(), 1).inner, per_group = channels / groups, extent = per_group * spatial;
  Tensor<T>& y = call.template output_like<T>(0, x.shape());
  call.flops(8 * static_cast<double>(x.size()));
  for (std::int64_t set = 0; set < x.shape()[0] * groups; ++set) {
    const T* from = x.data() + set * extent;
    const Moments<T> m = moments<T>(extent, [from](std::int64_t k) { return from[k]; });
    const T inverse = inverse_deviation(m.variance, epsilon);
    for (std::int64_t c = 0; c < per_group; ++c) {
      const std::int64_t group = set % groups;
      const auto p = static_cast<std::size_t>(parameters == channels ? group * per_group + c : group);
      const T factor = inverse * scale[p], shift = bias[p];
      T* to = y.data() + set * extent + c * spatial;
      for (std::int64_t i = 0; i < spatial; ++i) to[i] = (from[c * spatial + i] - m.mean) * factor + shift;
    }
  }
}

/// Mean and variance of channel c of x [N, C, ...]: sums of rows, then the sum of these.
template <class T>
Moments<T> channel_moments(const Tensor<T>& x, const AxisView& view, std::int64_t c) {
  const T n = static_cast<T>(static_cast<double>(view.outer * view.inner));
  const auto total = [&](auto term) {
    return sum<T>(view.outer, [&](std::int64_t o) {
      const T* row = x.data() + (o * view.extent + c) * view.inner;
      return sum<T>(view.inner, [row, term](std::int64_t i) { return term(row[i]); });
    });
  };
  const T mean = total([](T element) { return element; }) / n;
  const T squares = total([mean](T element) {
    const T d = element - mean;
    return d * d;
  });
  return {mean, squares / n};
}

/// One product and one sum for each element, as every framework folds it. Where x is normalised before it is scaled, as ONNX writes it,
/// more leaves float32's range.
template <class T>
struct FoldedChannel {
  T mean, inverse_deviation, factor, shift;

  FoldedChannel(T channel_mean, T inverse, T scale, T bias)
      : mean(channel_mean), inverse_deviation(inverse), factor(scale * inverse), shift(bias - channel_mean * factor) {}
  T operator()(T x) const {
    const T y = x * factor + shift;
    if constexpr (std::is_same_v<T, Bounded>) {
      const double deviation = x.value - mean.value;
      return of_overflowed(deviation, of_overflowed(deviation * inverse_deviation.value, y));
    } else {
      return y;
    }
  }
};

/// x [N, C, ...], scale, bias, mean, variance [C] -> y like x. With training_mode = 1 (opset 14) the batch's
/// own moments normalise, and outputs 1 and 2 are momentum * given + (1 - momentum) * batch's. Opset 9.
template <class T>
void batch_normalization(Call<T>& call) {
  const Tensor<T>& x = call.reals(0);
  call.require(x.rank() >= 1, "x must have at least one dimension");
  // A single dimension is [N] of one channel.
  const AxisView view = x.rank() == 1 ? AxisView(Shape{x.shape()[0], 1}, 1) : AxisView(x.shape(), 1);
  for (std::size_t i = 1; i < 5; ++i)
    call.require(call.shape(i) == Shape{view.extent},
                 fmt::format("input {} must have shape [C] = [{}], got {}", i, view.extent, to_string(call.shape(i))));
  if (call.opset() < 14) call.ignore({"is_test", "spatial"});
  const bool training = call.integer("training_mode", 0) != 0;
  call.require(training || !call.wants(1), "outputs after the first need attribute training_mode = 1");
  const double epsilon = call.real("epsilon", 1e-5), momentum = call.real("momentum", 0.9);
  const Tensor<T>&scale = call.reals(1), &bias = call.reals(2), &mean = call.reals(3), &variance = call.reals(4);
  Tensor<T>& y = call.template output_like<T>(0, x.shape());
  Tensor<T>* running_mean = call.wants(1) ? &call.template output_like<T>(1, mean.shape(), 3) : nullptr;
  Tensor<T>* running_variance = call.wants(2) ? &call.template output_like<T>(2, mean.shape(), 4) : nullptr;
  call.flops((training ? 7 : 2) * static_cast<double>(x.size()));
  std::vector<FoldedChannel<T>> channels;
  for (std::int64_t c = 0; c < view.extent; ++c) {
    const auto i = static_cast<std::size_t>(c);
    const Moments<T> used = training ? channel_moments(x, view, c) : Moments<T>{mean[i], variance[i]};
    const auto blend = [momentum](T given, T batch) { return given * static_cast<T>(momentum) + batch * static_cast<T>(1 - momentum); };
    if (running_mean != nullptr) (*running_mean)[i] = blend(mean[i], used.mean);
    if (running_variance != nullptr) (*running_variance)[i] = blend(variance[i], used.variance);
    channels.emplace_back(used.mean, inverse_deviation(used.variance, epsilon), scale[i], bias[i]);
  }
  if (view.inner == 1) {
    for (std::int64_t o = 0; o < view.outer; ++o)
      for (std::int64_t c = 0; c < view.extent; ++c) {
        const std::int64_t at = o * view.extent + c;
        y[at] = channels[static_cast<std::size_t>(c)](x[at]);
      }
    return;
  }
  for (std::int64_t row = 0; row < view.outer * view.extent; ++row) {
    const auto c = static_cast<std::size_t>(row % view.extent);
    const FoldedChannel<T> channel = channels[c];
    const T* from = x.data() + row * view.inner;
    T* to = y.data() + row * view.inner;
    for (std::int64_t i = 0; i < view.inner; ++i) to[i] = channel(from[i]);
  }
}

/// (x - mean) / (deviation + 1e-9) over `axes` ([0, 2, 3]). Opset 13.
template <class T>
void mean_variance_normalization(Call<T>& call) {
  using std::sqrt;
  const Tensor<T>& x = call.reals(0);
  std::vector<std::size_t> axes;
  for (const std::int64_t axis : call.integer_list("axes", {0, 2, 3})) axes.push_back(call.axis(axis, x.rank()));
  const ReductionPlan plan(x.shape(), axes);
  Tensor<T>& y = call.template output_like<T>(0, x.shape());
  call.flops(7 * static_cast<double>(x.size()));
  plan.run([&](std::size_t, std::int64_t origin) {
    const auto count = static_cast<std::int64_t>(plan.reduced_offsets.size());
    const auto place = [&](std::int64_t k) { return origin + plan.reduced_offsets[static_cast<std::size_t>(k)]; };
    const Moments<T> m = moments<T>(count, [&](std::int64_t k) { return x.data()[place(k)]; });
    const T deviation = sqrt(m.variance) + static_cast<T>(1e-9);
    for (std::int64_t k = 0; k < count; ++k) y.data()[place(k)] = (x.data()[place(k)] - m.mean) / deviation;
  });
}

const bool defined[] = {
    define({.name = "LayerNormalization", .since = 17, .reads_all = true}, [](auto& call) { layer_normalization(call, true); }),
    define({"RMSNormalization", Specials::finite, 23}, [](auto& call) { layer_normalization(call, false); }),
    define({"InstanceNormalization", Specials::finite, 6},
           [](auto& call) { normalize_groups(call, call.shape(0).size() < 2 ? 1 : call.shape(0)[1]); }),
    define({"GroupNormalization", Specials::finite, 18}, [](auto& call) { normalize_groups(call, call.integer("num_groups")); }),
    define({"BatchNormalization", Specials::finite, 9}, [](auto& call) { batch_normalization(call); }),
    define({"MeanVarianceNormalization", Specials::finite, 9}, [](auto& call) { mean_variance_normalization(call); }),
};

}  // namespace
}  // namespace assay::oracle
