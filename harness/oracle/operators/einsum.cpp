// SPDX-License-Identifier: Apache-2.0
// Einsum: sums of products over labelled dimensions. Operands are joined two at a time, left to right; each
// join is a stack of matrix products over [shared and kept | left's own | summed] x [.. | summed | right's
// own].
#include <fmt/core.h>

#include <algorithm>

#include "elementwise.h"
#include "product.h"
#include "reduction.h"
#include "strided.h"

namespace assay::oracle {
namespace {

/// A tensor whose dimensions carry labels, each once: letters, and from 128 on the dimensions of the
/// ellipsis.
template <class T>
struct Labelled {
  std::vector<int> labels;
  Tensor<T> tensor;

  std::int64_t extent(int label) const {
    const auto at = std::find(labels.begin(), labels.end(), label);
    return at == labels.end() ? 1 : tensor.shape()[static_cast<std::size_t>(at - labels.begin())];
  }
  bool has(int label) const { return std::find(labels.begin(), labels.end(), label) != labels.end(); }
};

struct Equation {
  std::vector<std::vector<int>> terms;
  std::vector<int> output;
};

constexpr int ellipsis = 128;

/// Labels of one term; an ellipsis of `width` dimensions ends at label ellipsis + widest - 1: it aligns to
/// the right.
template <class C>
std::vector<int> read_term(const C& call, const std::string& term, std::size_t width, std::size_t widest) {
  std::vector<int> labels;
  for (std::size_t i = 0; i < term.size(); ++i) {
    if (term[i] == '.') {
      call.require(term.substr(i, 3) == "...", "equation has a stray '.'");
      for (std::size_t d = widest - width; d < widest; ++d) labels.push_back(ellipsis + static_cast<int>(d));
      i += 2;
    } else {
      call.require(std::isalpha(static_cast<unsigned char>(term[i])) != 0, "equation has a label that is no letter");
      labels.push_back(term[i]);
    }
  }
  return labels;
}

template <class C>
Equation read_equation(const C& call) {
  std::string text = call.text("equation");
  std::erase(text, ' ');
  const std::size_t arrow = text.find("->");
  std::vector<std::string> terms(1);
  for (const char c : text.substr(0, arrow)) {
    if (c == ',') terms.emplace_back();
    else terms.back().push_back(c);
  }
  if (terms.size() != call.input_count()) call.fail(fmt::format("equation names {} operands of {}", terms.size(), call.input_count()));
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const bool dots = terms[i].find("...") != std::string::npos;
    const std::size_t letters = terms[i].size() - (dots ? 3 : 0), rank = call.shape(i).size();
    if (letters > rank || (!dots && letters != rank))
      call.fail(fmt::format("term '{}' does not fit operand {} of shape {}", terms[i], i, to_string(call.shape(i))));
    widths.push_back(rank - letters);
  }
  const std::size_t widest = *std::max_element(widths.begin(), widths.end());
  Equation equation;
  for (std::size_t i = 0; i < terms.size(); ++i) equation.terms.push_back(read_term(call, terms[i], widths[i], widest));
  if (arrow != std::string::npos) {
    equation.output = read_term(call, text.substr(arrow + 2), widest, widest);
    return equation;
  }
  // Implicit output: the ellipsis, then every label that occurs once, in alphabetical order.
  std::map<int, int> uses;
  for (const auto& term : equation.terms)
    for (const int label : term) ++uses[label];
  for (std::size_t d = 0; d < widest; ++d) equation.output.push_back(ellipsis + static_cast<int>(d));
  for (const auto& [label, count] : uses)
    if (label < ellipsis && count == 1) equation.output.push_back(label);
  return equation;
}

/// Operand i with repeated labels reduced to their diagonal.
template <class T>
Labelled<T> read_operand(const Call<T>& call, std::size_t i, const std::vector<int>& term) {
  const Tensor<T>& x = call.reals(i);
  const Strides strides = row_major_strides(x.shape());
  Labelled<T> operand;
  Shape extents;
  Strides from;
  for (std::size_t d = 0; d < term.size(); ++d) {
    const auto seen = std::find(operand.labels.begin(), operand.labels.end(), term[d]);
    if (seen == operand.labels.end()) {
      operand.labels.push_back(term[d]);
      extents.push_back(x.shape()[d]);
      from.push_back(strides[d]);
      continue;
    }
    const auto at = static_cast<std::size_t>(seen - operand.labels.begin());
    call.require(extents[at] == x.shape()[d], "a label repeated in one term has two extents");
    from[at] += strides[d];
  }
  operand.tensor = x;
  if (operand.labels.size() == term.size()) return operand;
  operand.tensor = Tensor<T>(extents);
  copy_strided(extents, x.data(), from, operand.tensor.data(), row_major_strides(extents));
  return operand;
}

/// x with exactly `labels`, in that order, of the given extents; one that x lacks, or holds with extent 1, is
/// repeated.
template <class T>
Tensor<T> arranged(const Labelled<T>& x, const std::vector<int>& labels, const Shape& extents) {
  if (x.labels == labels && x.tensor.shape() == extents) return x.tensor;
  const Strides strides = row_major_strides(x.tensor.shape());
  Strides from;
  for (const int label : labels) {
    const auto at = static_cast<std::size_t>(std::find(x.labels.begin(), x.labels.end(), label) - x.labels.begin());
    from.push_back(at == x.labels.size() || x.tensor.shape()[at] == 1 ? 0 : strides[at]);
  }
  Tensor<T> out(extents);
  copy_strided(extents, x.tensor.data(), from, out.data(), row_major_strides(extents));
  return out;
}

/// Sums away the labels that nothing else needs.
template <class T>
Labelled<T> sum_out(const Labelled<T>& x, const std::vector<int>& needed) {
  std::vector<std::size_t> axes;
  Labelled<T> out;
  for (std::size_t d = 0; d < x.labels.size(); ++d) {
    if (std::find(needed.begin(), needed.end(), x.labels[d]) == needed.end()) axes.push_back(d);
    else out.labels.push_back(x.labels[d]);
  }
  if (axes.empty()) return x;
  const ReductionPlan plan(x.tensor.shape(), axes);
  out.tensor = Tensor<T>(plan.kept);
  plan.run([&](std::size_t o, std::int64_t base) {
    out.tensor[o] = sum<T>(static_cast<std::int64_t>(plan.reduced_offsets.size()),
                           [&](std::int64_t i) { return x.tensor.data()[base + plan.reduced_offsets[static_cast<std::size_t>(i)]]; });
  });
  return out;
}

/// The product of two operands, summed over the labels they share that are not `needed` later.
template <class T>
Labelled<T> join(const Call<T>& call, Labelled<T> a, Labelled<T> b, const std::vector<int>& needed, double& flops) {
  const auto with = [](std::vector<int> labels, const std::vector<int>& more) {
    labels.insert(labels.end(), more.begin(), more.end());
    return labels;
  };
  a = sum_out(a, with(needed, b.labels));
  b = sum_out(b, with(needed, a.labels));
  std::vector<int> stack, left, summed, right;
  for (const int label : a.labels) {
    const bool kept = std::find(needed.begin(), needed.end(), label) != needed.end();
    (b.has(label) ? kept ? stack : summed : left).push_back(label);
  }
  for (const int label : b.labels)
    if (!a.has(label)) right.push_back(label);
  const auto extents = [&](const std::vector<int>& labels) {
    Shape shape;
    for (const int label : labels) {
      const std::int64_t x = a.extent(label), y = b.extent(label);
      if (x != y && x != 1 && y != 1) call.fail(fmt::format("a label has extents {} and {}", x, y));
      shape.push_back(x == 1 ? y : x);
    }
    return shape;
  };
  const std::vector<int> a_labels = with(with(stack, left), summed), b_labels = with(with(stack, summed), right);
  const Tensor<T> x = arranged(a, a_labels, extents(a_labels)), y = arranged(b, b_labels, extents(b_labels));
  Labelled<T> out;
  out.labels = with(with(stack, left), right);
  out.tensor = Tensor<T>(extents(out.labels));
  const std::int64_t m = element_count(extents(left)), k = element_count(extents(summed)), n = element_count(extents(right));
  const std::int64_t count = element_count(extents(stack));
  flops += 2.0 * static_cast<double>(count) * static_cast<double>(m) * static_cast<double>(k) * static_cast<double>(n);
  for (std::int64_t s = 0; s < count; ++s)
    multiply_matrices(row_major(x.data() + s * m * k, m, k), row_major(y.data() + s * k * n, k, n), out.tensor.data() + s * m * n);
  return out;
}

/// Products of the operands' elements with equal labels, summed over the labels that the output does not
/// name; "..." are broadcast dimensions, a label repeated in one term its diagonal. ONNX Einsum, opset 12.
const bool einsum = define({.name = "Einsum", .since = 12, .splits = true}, [](auto& call) {
  using T = typename std::decay_t<decltype(call)>::Scalar;
  const Equation equation = read_equation(call);
  double flops = 0;
  Labelled<T> result = read_operand(call, 0, equation.terms[0]);
  for (std::size_t i = 1; i < equation.terms.size(); ++i) {
    std::vector<int> needed = equation.output;
    for (std::size_t later = i + 1; later < equation.terms.size(); ++later)
      needed.insert(needed.end(), equation.terms[later].begin(), equation.terms[later].end());
    result = join(call, result, read_operand(call, i, equation.terms[i]), needed, flops);
  }
  call.flops(std::max(flops, static_cast<double>(result.tensor.size())));
  result = sum_out(result, equation.output);
  Shape out;
  Strides from;
  const Strides strides = row_major_strides(result.tensor.shape());
  for (const int label : equation.output) {
    const auto at = static_cast<std::size_t>(std::find(result.labels.begin(), result.labels.end(), label) - result.labels.begin());
    call.require(at < result.labels.size(), "the output names a label that no operand has");
    out.push_back(result.tensor.shape()[at]);
    from.push_back(strides[at]);
  }
  Tensor<T>& y = call.template output_like<T>(0, out);
  copy_strided(out, result.tensor.data(), from, y.data(), row_major_strides(out));
});

}  // namespace
}  // namespace assay::oracle
