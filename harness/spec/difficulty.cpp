// SPDX-License-Identifier: Apache-2.0
#include "assay/spec/difficulty.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <string_view>

namespace assay::spec {
namespace {

using Names = std::set<std::string, std::less<>>;

/// They move elements, to places that shapes and constants say.
const Names kCopies{"BitCast",      "Cast",    "CastLike", "CenterCropPad", "Concat",    "DepthToSpace",    "Dropout",
                    "Expand",       "Flatten", "Identity", "Pad",           "Reshape",   "ReverseSequence", "Slice",
                    "SpaceToDepth", "Split",   "Squeeze",  "Tile",          "Transpose", "Trilu",           "Unsqueeze"};
/// Each result needs several elements.
const Names kPasses{
    "AffineGrid", "Col2Im", "Compress", "CumProd",  "CumSum",  "GridSample", "LRN", "MaxUnpool", "NegativeLogLikelihoodLoss",
    "NonZero",    "OneHot", "Resize",   "RoiAlign", "Upsample"};
/// A pass needs what another found, or elements are put in order.
const Names kTwoPasses{"Hardmax", "LogSoftmax", "Softmax", "SoftmaxCrossEntropyLoss", "TopK", "Unique"};
const Names kLoops{"DFT", "Det", "GRU", "LSTM", "LinearAttention", "NonMaxSuppression", "RNN", "STFT"};

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

class Counter {
 public:
  /// `outer`: data that a body reads from around it.
  explicit Counter(const Graph& graph, const std::map<std::string, int>& outer = {}) : graph_(graph) {
    for (const auto& [name, passes] : outer) passes_before_[name] = 0;
    for (const TensorSpec& input : graph.inputs) passes_before_[input.name] = 0;
  }

  Work count() {
    for (const Node& node : graph_.nodes) {
      if (node.op_type == "Shape" || node.op_type == "Size" || !reads_data(node)) continue;
      int before = 0;
      for (const std::string& name : node.inputs)
        if (is_data(name)) before = std::max(before, passes_before_[name]);
      const int passes = before + add(node);
      for (const std::string& name : node.outputs) passes_before_[name] = passes;
      work_.passes = std::max(work_.passes, passes);
    }
    return work_;
  }

 private:
  bool reads_data(const Node& node) const {
    return has_bodies(node) || std::ranges::any_of(node.inputs, [&](const std::string& name) { return is_data(name); });
  }
  static bool has_bodies(const Node& node) { return node.op_type == "If" || node.op_type == "Loop" || node.op_type == "Scan"; }
  bool is_data(const std::string& name) const { return passes_before_.contains(name); }
  bool is_data(const Node& node, std::size_t input) const { return input < node.inputs.size() && is_data(node.inputs[input]); }

  /// Counts the node; the passes that it makes.
  int add(const Node& node) {
    const std::string& op = node.op_type;
    if (kCopies.contains(op)) return 0;
    if (has_bodies(node)) return add_bodies(node);
    if (op.starts_with("Gather")) return is_data(node, 1) ? 1 : 0;
    if (op.starts_with("Scatter")) return is_data(node, 1) ? 2 : 0;  // writes may meet
    if (op == "BatchNormalization" && !node.attributes.contains("training_mode")) return 1;
    if (kTwoPasses.contains(op) || op.ends_with("Normalization")) return 2;
    if (kPasses.contains(op) || op.starts_with("Reduce") || op.starts_with("Arg") || op.ends_with("Pool")) return 1;
    if (op == "Philox") return work_.points += 10, 0;  // its rounds
    if (op == "Einsum") return add_einsum(node);
    if (op == "Gemm" || contains(op, "MatMul") || contains(op, "Conv")) return add_product(node);
    if (op == "Attention" || op == "FlexAttention") return work_.products += 2, 0;
    if (kLoops.contains(op)) return ++work_.loops, 0;
    return ++work_.points, 0;
  }

  /// A product with one vector, with constants or of single channels is a pass.
  int add_product(const Node& node) {
    const std::size_t first = contains(node.op_type, "QLinear") ? 3 : 1;  // behind a scale and a zero point
    if (is_vector(node, 0) || is_vector(node, first) || !is_data(node, 0) || !is_data(node, first)) return 1;
    if (contains(node.op_type, "Conv") && is_of_one_channel(node, first)) return 1;
    ++work_.products;
    return 0;
  }

  /// A product where each of two operands has an index of the result to itself; else sums of terms, or terms alone.
  int add_einsum(const Node& node) {
    const auto equation = std::get<std::string>(node.attributes.at("equation"));
    const std::string inputs = equation.substr(0, equation.find('-')), result = equation.substr(equation.find('>') + 1);
    const std::string first = inputs.substr(0, inputs.find(',')), others = inputs.substr(first.size());
    const auto has_its_own = [&](const std::string& one, const std::string& other) {
      return std::ranges::any_of(one, [&](char c) { return std::isalpha(c) && contains(result, {&c, 1}) && !contains(other, {&c, 1}); });
    };
    const bool sums = std::ranges::any_of(inputs, [&](char c) { return std::isalpha(c) && !contains(result, {&c, 1}); });
    if (sums && has_its_own(first, others) && has_its_own(others, first)) return ++work_.products, 0;
    work_.points += node.inputs.size() > 1;
    return sums;
  }

  /// Steps of points alone are a scan, which can be made in two passes.
  int add_bodies(const Node& node) {
    Work inside;
    for (const auto& [name, attribute] : node.attributes) {
      const auto* body = std::get_if<std::shared_ptr<const Graph>>(&attribute);
      if (body == nullptr) continue;
      const Work one = Counter(**body, passes_before_).count();
      inside = {inside.points + one.points, std::max(inside.passes, one.passes), inside.products + one.products, inside.loops + one.loops};
    }
    work_.points += inside.points, work_.products += inside.products, work_.loops += inside.loops;
    if (node.op_type == "If") return inside.passes;
    if (inside.passes + inside.products + inside.loops == 0) return 2;
    ++work_.loops;
    return inside.passes;
  }

  const TensorSpec* input_spec(const Node& node, std::size_t input) const {
    const auto found = std::ranges::find(graph_.inputs, input < node.inputs.size() ? node.inputs[input] : "", &TensorSpec::name);
    return found == graph_.inputs.end() ? nullptr : &*found;
  }
  bool is_vector(const Node& node, std::size_t input) const {
    const TensorSpec* spec = input_spec(node, input);
    return spec != nullptr &&
           (spec->shape.size() == 1 || (spec->shape.size() == 2 && (spec->shape[0].value == 1 || spec->shape[1].value == 1)));
  }
  bool is_of_one_channel(const Node& node, std::size_t weights) const {
    const TensorSpec* spec = input_spec(node, weights);
    return spec != nullptr && spec->shape.size() > 1 && spec->shape[1].value == 1;
  }

  const Graph& graph_;
  std::map<std::string, int> passes_before_;  ///< of values that depend on elements
  Work work_;
};

}  // namespace

Work count_work(const Graph& model) { return Counter(model).count(); }

int difficulty_of(const Work& work) {
  if (work.products > 2) return 5;
  if (work.products == 2 || work.loops > 0) return 4;
  if (work.products == 1) return work.passes > 0 || work.points > 0 ? 4 : 3;
  const bool is_formula = work.points > 4;
  if (work.passes > 1 || (work.passes == 1 && is_formula)) return 3;
  return work.passes == 1 || is_formula ? 2 : 1;
}

}  // namespace assay::spec
