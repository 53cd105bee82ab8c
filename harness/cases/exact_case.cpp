// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <span>

#include "assay/cases/expected.h"
#include "assay/oracle/storage.h"
#include "assay/spec/draw.h"

namespace assay::cases {
namespace {

using spec::Task, spec::TensorSpec;

/// Below float32's 2^24 by a factor that leaves room for kernels that add operands first (Strassen's).
constexpr double kLargestSum = 0x1p22;

/// How large the integers of the data and of every other real input are, and the share of the data that is not 0. From the
/// widest on: the first whose sums stay small is taken.
struct IntegerDraw {
  double data, others, density;
  double step = 1;  ///< between the data's integers: 2 leaves 0 out of -1, 0 and 1
};
/// Twelve bits: one more than TensorFloat-32 and float16 hold. Sparse before narrow: what is left shows lost bits all the same.
constexpr IntegerDraw kPlain[] = {{4095, 1, 1}, {4095, 1, 1. / 4}, {4095, 1, 1. / 16}, {4095, 1, 1. / 64}, {1023, 1, 1}, {255, 1, 1},
                                  {63, 1, 1},   {15, 1, 1},        {3, 1, 1},          {1, 1, 1},          {1, 1, 1, 2}};
/// Nine bits on both sides of a product: the parts that a split into pairs of bfloat16 drops are integers too.
constexpr IntegerDraw kBothWide[] = {
    {511, 511, 1. / 4}, {511, 511, 1. / 16}, {511, 511, 1. / 32}, {511, 511, 1. / 64}, {511, 511, 1. / 256}};

bool has_structure(const Task& task, const TensorSpec& input) { return spec::find_draw(task.inputs.at(input.name).kind) != nullptr; }

spec::InputInit integers_up_to(double amplitude, double density, double step) {
  return {"integer", {{"low", -amplitude}, {"high", amplitude}, {"density", density}, {"step", step}}};
}

/// The first input that is data takes the integers of data, every other real one the others'; those that promise a structure keep it.
std::map<std::string, spec::InputInit> integer_inits(const Task& task, const IntegerDraw& draw) {
  std::map<std::string, spec::InputInit> inits;
  bool first = true;
  for (const TensorSpec& input : task.model.inputs) {
    if (!spec::is_real(input.type) || has_structure(task, input)) continue;
    const bool data = first && task.inputs.at(input.name).role != "weight";
    inits[input.name] = data ? integers_up_to(draw.data, draw.density, draw.step) : integers_up_to(draw.others, 1, 1);
    first = first && !data;
  }
  return inits;
}

/// Masks are of integers; rotations are not, and no sum with them is exact.
bool structures_are_of_integers(const Task& task, const std::vector<spec::Shape>& shapes, const std::vector<Bytes>& inputs) {
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const TensorSpec& spec = task.model.inputs[i];
    if (!spec::is_real(spec.type) || !has_structure(task, spec)) continue;
    const auto value = oracle::load_value<double>(spec.type, shapes[i], inputs[i].data());
    if (!std::ranges::all_of(std::get<oracle::Tensor<double>>(value.elements), [](double x) { return x == std::floor(x); })) return false;
  }
  return true;
}

bool has_short_reals(const std::vector<TensorSpec>& specs) { return std::ranges::any_of(specs, spec::is_short_real, &TensorSpec::type); }

double largest_sum(const PreparedCase& prepared) {
  double largest = 0;
  for (const ExpectedTensor& output : prepared.outputs)
    for (std::size_t i = 0; i < output.values.size(); ++i) largest = std::max({largest, std::abs(output.values[i]), output.scales[i]});
  return largest;
}

/// As long products are of integers with 0 among them.
bool is_all_zero(const PreparedCase& prepared) {
  return std::ranges::all_of(prepared.outputs, [](const ExpectedTensor& output) {
    return std::ranges::all_of(output.values, [](double value) { return value == 0; });
  });
}

bool has_exact_cases(const Task& task) {
  return std::ranges::any_of(task.model.inputs, spec::is_real, &TensorSpec::type) &&
         std::ranges::any_of(task.model.outputs, spec::is_real, &TensorSpec::type) && !task.model.compute &&
         !has_short_reals(task.model.inputs) && !has_short_reals(task.model.outputs) &&
         !oracle::any_operator(task.model, [](const oracle::OperatorInfo& used) { return used.transforms; });
}

std::span<const IntegerDraw> draws_of(IntegerKind kind) {
  return kind == IntegerKind::plain ? std::span<const IntegerDraw>(kPlain) : kBothWide;
}

}  // namespace

std::optional<PreparedCase> prepare_exact_case(const Task& task, const Seed& seed, const ExactCase& wanted) {
  const auto draws = draws_of(wanted.kind);
  if (!has_exact_cases(task) || wanted.first_draw >= draws.size()) return {};
  if (wanted.kind == IntegerKind::both_wide && std::ranges::count_if(task.model.inputs, spec::is_real, &TensorSpec::type) < 2) return {};
  for (const IntegerDraw& draw : draws.subspan(wanted.first_draw)) {
    auto inputs = draw_inputs(task, integer_inits(task, draw), wanted.dims, seed, wanted.name);
    if (!structures_are_of_integers(task, spec::concrete_shapes(task.model.inputs, wanted.dims), inputs)) return {};
    oracle::left_integers = false;
    PreparedCase prepared = prepare_case(task, wanted.name, wanted.dims, std::move(inputs), {});
    if (oracle::left_integers) return {};
    if (largest_sum(prepared) >= kLargestSum || is_all_zero(prepared)) continue;
    prepared.draw = static_cast<std::size_t>(&draw - draws.data());
    return prepared;
  }
  return {};
}

bool gives_the_same(const Task& task, const PreparedCase& exact, const std::vector<oracle::SumOrder>& orders) {
  return std::ranges::all_of(orders,
                             [&](oracle::SumOrder order) { return compare(exact, evaluate_honestly(task, exact, order)).accepted; });
}

}  // namespace assay::cases
