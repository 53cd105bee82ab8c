// SPDX-License-Identifier: Apache-2.0
// ONNX losses of a classification: scores [N, C, d1, ...], labels [N, d1, ...] (indices of classes), weights
// [C] optional. reduction "mean" (default; weighted, over the labels that count) or "sum": a scalar; "none":
// labels' shape.
#include <fmt/core.h>

#include "elementwise.h"
#include "reduction.h"
#include "softmax.h"

namespace assay::oracle {
namespace {

/// The loss of log-probabilities: for each label, -weight * its class.
template <class T>
void negative_log_likelihood(Call<T>& call, const Tensor<T>& log_probability) {
  const Integers& labels = call.integers(1);
  const Shape& shape = log_probability.shape();
  call.require(shape.size() >= 2, "scores must have at least the dimensions [N, C], got " + to_string(shape));
  const AxisView view(shape, 1);
  Shape label_shape = shape;
  label_shape.erase(label_shape.begin() + 1);
  call.require(labels.shape() == label_shape,
               fmt::format("labels must have shape {}, got {}", to_string(label_shape), to_string(labels.shape())));
  const bool weighted = call.has_input(2);
  call.require(!weighted || call.shape(2) == Shape{view.extent}, fmt::format("weights must have shape [C] = [{}]", view.extent));
  // No integer is ignored without the attribute.
  const bool ignores = call.has_attribute("ignore_index");
  const std::int64_t ignored = call.integer("ignore_index", 0);
  const auto weight = [&](std::int64_t n) {
    const std::int64_t label = labels.data()[n];
    if (ignores && label == ignored) return T(0);
    if (label < 0 || label >= view.extent) call.fail(fmt::format("label {} is outside [0, {})", label, view.extent));
    return weighted ? call.reals(2).data()[label] : T(1);
  };
  const auto loss = [&](std::int64_t n) {
    const T w = weight(n);
    if (value_of(w) == 0) return T(0);
    const std::int64_t o = n / view.inner, i = n % view.inner;
    const T l = -log_probability.data()[(o * view.extent + labels.data()[n]) * view.inner + i];
    return weighted ? w * l : l;
  };
  const auto count = static_cast<std::int64_t>(labels.size());
  const std::string reduction = call.text("reduction", "mean");
  if (reduction == "none") {
    Tensor<T>& out = call.template output_like<T>(0, label_shape);
    for (std::int64_t n = 0; n < count; ++n) out.data()[n] = loss(n);
    return;
  }
  call.require(reduction == "mean" || reduction == "sum", "attribute reduction must be none, sum or mean, got " + reduction);
  const T total = sum<T>(count, loss);
  call.template output_like<T>(0, Shape{})[0] = reduction == "sum" ? total : total / sum<T>(count, weight);
}

/// Opset 13.
template <class T>
void negative_log_likelihood_loss(Call<T>& call) {
  call.flops(2 * static_cast<double>(element_count(call.shape(1))));
  negative_log_likelihood(call, call.reals(0));
}

/// The negative log likelihood of LogSoftmax(scores), which output 1 (optional) gives. Opset 13.
template <class T>
void softmax_cross_entropy_loss(Call<T>& call) {
  const Tensor<T>& scores = call.reals(0);
  call.require(scores.rank() >= 2 && scores.size() > 0, "scores must be [N, C, ...], got " + to_string(scores.shape()));
  call.flops(5 * static_cast<double>(scores.size()));
  const auto evaluate = [&](Tensor<T>& log_probability) {
    softmax_along(scores, log_probability, AxisView(scores.shape(), 1), Scale::logarithm);
    negative_log_likelihood(call, log_probability);
  };
  if (call.wants(1)) return evaluate(call.template output_like<T>(1, scores.shape()));
  Tensor<T> log_probability(scores.shape());
  evaluate(log_probability);
}

const bool defined[] = {
    define({"NegativeLogLikelihoodLoss", Specials::finite, 12}, [](auto& call) { negative_log_likelihood_loss(call); }),
    define({"SoftmaxCrossEntropyLoss", Specials::finite, 12}, [](auto& call) { softmax_cross_entropy_loss(call); }),
};

}  // namespace
}  // namespace assay::oracle
