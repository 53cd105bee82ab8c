// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "assay/judge/expected.h"
#include "assay/oracle/storage.h"

namespace assay {
namespace {

/// Below float32's 2^24 by a factor that leaves room for kernels that add operands first (Strassen's).
constexpr double kLargestSum = 0x1p22;
constexpr double kLargestInput = 4095;  // twelve bits: one more than TensorFloat-32 and float16 hold

bool is_real(const TensorSpec& spec) { return info(spec.type).element_class == ElementClass::real; }

InputInit integers_up_to(double amplitude) {
  return {"integer", {{"low", -amplitude}, {"high", amplitude}}, "", false, ""};
}

/// The first input that is data takes large integers, every other real one -1, 0 and 1, so that products stay
/// small.
std::map<std::string, InputInit> integer_inits(const Task& task, double amplitude) {
  std::map<std::string, InputInit> inits;
  bool large = true;
  for (const TensorSpec& input : task.model.inputs) {
    if (!is_real(input)) continue;
    const bool data = task.inputs.at(input.name).role != "weight";
    inits[input.name] = integers_up_to(large && data ? amplitude : 1);
    large = large && !data;
  }
  return inits;
}

bool may_transform(const Graph& graph) {
  return std::ranges::any_of(graph.nodes, [](const Node& node) {
    const Operator* definition = find_operator(node.op_type, node.domain);
    return definition == nullptr || definition->info.transforms;
  });
}

bool has_halves(const std::vector<TensorSpec>& specs) {
  return std::ranges::any_of(specs,
                             [](const TensorSpec& spec) { return is_real(spec) && size_of(spec.type) == 2; });
}

double largest_sum(const PreparedCase& prepared) {
  double largest = 0;
  for (const ExpectedTensor& output : prepared.outputs)
    for (std::size_t i = 0; i < output.values.size(); ++i)
      largest = std::max({largest, std::abs(output.values[i]), output.scales[i]});
  return largest;
}

/// Whether each legal order gives the oracle's numbers, in float32.
bool all_orders_agree(const Task& task, const PreparedCase& prepared) {
  return std::ranges::all_of(kLearntOrders, [&](SumOrder order) {
    return compare(prepared, evaluate_honestly(task, prepared, order)).accepted;
  });
}

}  // namespace

std::optional<PreparedCase> prepare_exact_case(const Task& task, std::uint64_t seed) {
  const bool any_real =
      std::ranges::any_of(task.model.inputs, is_real) && std::ranges::any_of(task.model.outputs, is_real);
  if (!any_real || has_halves(task.model.inputs) || has_halves(task.model.outputs) ||
      may_transform(task.model))
    return {};
  const Case& shapes = task.cases.size() > 1 ? task.cases[1] : task.cases.front();
  for (double amplitude = kLargestInput; amplitude >= 1; amplitude = std::floor(amplitude / 4)) {
    const auto dims = draw_dims(shapes, seed);
    auto inputs = draw_inputs(task, integer_inits(task, amplitude), dims, seed, "exact");
    left_integers = false;
    PreparedCase prepared = prepare_case(task, "exact", dims, std::move(inputs), {});
    if (left_integers) return {};
    if (largest_sum(prepared) < kLargestSum) {
      if (!all_orders_agree(task, prepared)) return {};
      return prepared;
    }
  }
  return {};
}

}  // namespace assay
