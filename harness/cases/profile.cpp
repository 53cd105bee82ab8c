// SPDX-License-Identifier: Apache-2.0
// Sources: KernelBench v0.1 (uniform inputs, allclose with atol = rtol = 1e-4, 1e-2 for 16-bit types) and v0
// (normal inputs, 1e-2); MobileKernelBench, by way of MNN's comparison (largest difference over largest
// magnitude); NPUEval (allclose whose relative part is taken of the candidate's own output, integers
// included); TritonBench (what two programs print is compared, and 342 of 350 tests print nothing); GEAK, which judges TritonBench's
// operators by allclose with atol = 1e-3 and rtol = 1e-1.
#include "assay/cases/profile.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "assay/oracle/storage.h"
#include "assay/spec/cases.h"
#include "assay/spec/half.h"

namespace assay::cases {
namespace {

/// |got - right| <= absolute + relative |reference|, equal infinities included; a NaN is close to nothing.
bool all_close(const std::vector<double>& got, const std::vector<double>& right, const std::vector<double>& reference, double absolute,
               double relative) {
  for (std::size_t i = 0; i < got.size(); ++i)
    if (!(got[i] == right[i] || std::abs(got[i] - right[i]) <= absolute + relative * std::abs(reference[i]))) return false;
  return true;
}

bool kernelbench(const std::vector<double>& got, const std::vector<double>& right, bool half) {
  const double tolerance = half ? 1e-2 : 1e-4;
  return all_close(got, right, right, tolerance, tolerance);
}

bool kernelbench_v0(const std::vector<double>& got, const std::vector<double>& right, bool) {
  return all_close(got, right, right, 1e-2, 1e-2);
}

bool mobilekernelbench(const std::vector<double>& got, const std::vector<double>& right, bool) {
  double largest = 1e-4, difference = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (!std::isfinite(got[i])) return false;
    largest = std::max(largest, std::abs(right[i]));
    difference = std::max(difference, std::abs(got[i] - right[i]));
  }
  return difference <= 1e-4 * largest;
}

bool npueval(const std::vector<double>& got, const std::vector<double>& right, bool) { return all_close(got, right, got, 1e-2, 1e-2); }

bool geak(const std::vector<double>& got, const std::vector<double>& right, bool) { return all_close(got, right, right, 1e-3, 1e-1); }

bool tritonbench(const std::vector<double>&, const std::vector<double>&, bool) { return true; }

std::vector<double> as_doubles(spec::ElementType type, const spec::Shape& shape, const void* data) {
  const oracle::Value<double> value = oracle::load_value<double>(type, shape, data);
  return std::visit([](const auto& tensor) { return std::vector<double>(tensor.begin(), tensor.end()); }, value.elements);
}

std::vector<double> right_numbers(const ExpectedTensor& expected) {
  if (expected.values.empty()) return {expected.exact.begin(), expected.exact.end()};
  std::vector<double> numbers(expected.values.begin(), expected.values.end());
  for (double& x : numbers) x = spec::stored_as(x, expected.type);
  return numbers;
}

}  // namespace

const std::vector<Profile>& profiles() {
  static const spec::InputInit uniform{"uniform", {{"low", 0}, {"high", 1}}}, normal{"normal"};
  static const std::vector<Profile> all = {
      {"geak", "N(0,1)", "|y - o| <= 1e-3 + 1e-1 |o|", 1, normal, geak},
      {"kernelbench", "U[0,1)", "|y - o| <= 1e-4 (1 + |o|), 1e-2 for 16-bit types", 5, uniform, kernelbench},
      {"kernelbench-v0", "N(0,1)", "|y - o| <= 1e-2 (1 + |o|)", 5, normal, kernelbench_v0},
      {"mobilekernelbench", "U[0,1)", "max |y - o| <= 1e-4 max |o|", 1, uniform, mobilekernelbench},
      {"npueval", "N(0,1)", "|y - o| <= 1e-2 (1 + |y|)", 1, normal, npueval},
      {"tritonbench", "N(0,1)", "any output of a call that ends", 1, normal, tritonbench},
  };
  return all;
}

const Profile& find_profile(const std::string& name) {
  const auto found = std::ranges::find(profiles(), name, &Profile::name);
  if (found != profiles().end()) return *found;
  std::vector<std::string> names;
  for (const Profile& profile : profiles()) names.push_back(profile.name);
  throw std::runtime_error(fmt::format("profile: unknown '{}'. known: {}", name, fmt::join(names, " ")));
}

namespace {

/// The rows that the task serves, where `target` is a suite; else its timing shapes, which draw as ever.
std::vector<spec::Case> places_of(const spec::Task& task, const Profile& profile, const std::string& target) {
  if (const auto rows = task.rows.find(target); rows != task.rows.end()) return rows->second;
  std::vector<spec::Case> places;
  if (const auto timing = task.timing.find(target); timing != task.timing.end())
    for (const spec::DimRanges& shape : timing->second) places.push_back({fmt::format("timing_{}", places.size()), shape, {}});
  if (places.empty())
    throw std::runtime_error(fmt::format("profile {}: task {} has no timing: {}, whose shape it tests", profile.name, task.name, target));
  return places;
}

/// Of inputs and outputs: more are drawn once, since all draws of a shape are kept, with float64 results.
constexpr std::size_t kMostRepeated = std::size_t{64} << 20;

std::map<std::string, spec::InputInit> inputs_of(const spec::Task& task, const Profile& profile, const spec::Case& place) {
  std::map<std::string, spec::InputInit> inputs = place.inputs;
  for (const spec::TensorSpec& input : task.model.inputs)
    if (spec::is_drawn_normal(task, input)) inputs.try_emplace(input.name, profile.data);
  return inputs;
}

}  // namespace

CaseFile prepare_cases(const spec::Task& task, const Profile& profile, const Seed& seed, const std::string& target) {
  CaseFile file{seed, profile.name, {}, {}};
  for (const spec::Case& place : places_of(task, profile, target)) {
    const auto dims = draw_dims(place, seed);
    const auto inputs = inputs_of(task, profile, place);
    for (int trial = 1; trial <= profile.trials; ++trial) {
      const std::string name = fmt::format("{}, trial {}", place.name, trial);
      file.cases.push_back(prepare_case(task, name, dims, draw_inputs(task, inputs, dims, seed, name), {}));
      if (bytes_of(file.cases.back()) > kMostRepeated) break;
    }
  }
  return file;
}

CaseFile prepare_timing(const spec::Task& task, const Profile& profile, const Seed& seed, const std::string& target) {
  CaseFile file{seed, profile.name, {}, {}};
  for (const spec::Case& place : places_of(task, profile, target)) {
    const auto dims = draw_dims(place, seed);
    const auto inputs = inputs_of(task, profile, place);
    file.timing.push_back(
        {dims, layout_of(prepare_case(task, "layout", dims, draw_inputs(task, inputs, dims, seed, "layout"), {})), {}, {}, {}, inputs});
  }
  return file;
}

Comparison compare_by(const std::string& profile, const PreparedCase& expected, const std::vector<Bytes>& outputs) {
  if (profile.empty()) return compare(expected, outputs);
  const Profile& rules = find_profile(profile);
  Comparison result;
  for (std::size_t t = 0; t < expected.outputs.size(); ++t) {
    const ExpectedTensor& tensor = expected.outputs[t];
    const std::vector<double> got = as_doubles(tensor.type, tensor.shape, outputs.at(t).data()), right = right_numbers(tensor);
    for (std::size_t i = 0; i < got.size(); ++i)
      if (const double difference = std::abs(got[i] - right[i]); !(difference <= result.max_abs)) result.max_abs = difference;
    if (rules.accepts(got, right, spec::is_short_real(tensor.type))) continue;
    result.accepted = false;
    result.where = expected.name + ": " + tensor.name;
    if (result.detail.empty()) result.detail = fmt::format("{}: {} does not hold ({})", result.where, rules.tolerance, rules.name);
  }
  return result;
}

}  // namespace assay::cases
