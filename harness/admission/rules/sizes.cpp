// SPDX-License-Identifier: Apache-2.0
// Shapes: those of the cases must differ and be large enough to show a loop's second round, those of the timing large enough to time.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "assay/oracle/evaluate.h"
#include "rules.h"

namespace assay::admission {
namespace {

using spec::DimRanges, spec::Task, spec::element_count;

/// In the inputs and outputs of a case that shows more than one round of a loop, and how many of the cases do.
constexpr double kLeastElements = 64, kLeastShare = 0.25;
/// A call of less is over in some microseconds on one core: what it takes to start one is as long.
constexpr double kLeastBytes = 64 << 10, kLeastFlops = 1 << 20;

/// The extents of `dim` that the cases have; a drawn one has two at least.
std::set<std::int64_t> extents_of(const Task& task, const std::string& dim) {
  std::set<std::int64_t> extents;
  for (const spec::Case& entry : task.cases)
    if (const auto range = entry.dims.find(dim); range != entry.dims.end()) extents.insert({range->second.low, range->second.high});
  return extents;
}

/// Whether the task has shapes for `dim` that the cases have not.
bool is_timed_elsewhere(const Task& task, const std::string& dim, std::int64_t extent) {
  for (const auto& [target, shapes] : task.timing)
    for (const DimRanges& shape : shapes)
      if (const auto range = shape.find(dim); range != shape.end() && (range->second.low != extent || !range->second.constant()))
        return true;
  return false;
}

double elements_of(const std::vector<spec::TensorSpec>& specs, const std::map<std::string, std::int64_t>& dims) {
  double count = 0;
  for (const spec::Shape& shape : spec::concrete_shapes(specs, dims)) count += static_cast<double>(element_count(shape));
  return count;
}

double input_bytes(const Task& task, const std::map<std::string, std::int64_t>& dims) {
  double bytes = 0;
  const auto shapes = spec::concrete_shapes(task.model.inputs, dims);
  for (std::size_t i = 0; i < shapes.size(); ++i)
    bytes += static_cast<double>(element_count(shapes[i])) * static_cast<double>(spec::size_of(task.model.inputs[i].type));
  return bytes;
}

struct Work {
  double bytes = 0, flops = 0;
};

/// What a call at the least extents of `shape` moves and computes. Where the inputs alone are enough, nothing is evaluated.
Work least_work(const Task& task, const DimRanges& shape, const cases::Seed& seed) {
  std::map<std::string, std::int64_t> dims;
  for (const auto& [name, range] : shape) dims[name] = range.low;
  Work work{input_bytes(task, dims), 0};
  if (work.bytes >= kLeastBytes) return work;
  const auto inputs = cases::draw_inputs(task, {}, dims, seed, "least work");
  oracle::Cost cost;
  const auto outputs = oracle::evaluate<float>(
      task.model, dims, cases::as_values<float>(task.model.inputs, spec::concrete_shapes(task.model.inputs, dims), inputs), &cost);
  for (const oracle::Value<float>& output : outputs)
    work.bytes += static_cast<double>(element_count(output.shape())) * static_cast<double>(spec::size_of(output.type));
  work.flops = cost.flops;
  return work;
}

std::string dims_text(const DimRanges& shape) {
  std::vector<std::string> words;
  for (const auto& [name, range] : shape) words.push_back(fmt::format("{} = {}", name, range.low));
  return fmt::format("{}", fmt::join(words, ", "));
}

}  // namespace

void dimensions_vary(const Evidence& evidence, std::vector<Finding>& found) {
  const Task& task = evidence.task;
  for (const std::string& dim : task.free_dims) {
    const std::set<std::int64_t> extents = extents_of(task, dim);
    if (extents.size() != 1) continue;
    const std::int64_t extent = *extents.begin();
    const auto range = task.dim_ranges.find(dim);
    const bool ranges = range != task.dim_ranges.end() && !range->second.constant();
    const bool elsewhere = is_timed_elsewhere(task, dim, extent);
    if (!ranges && !elsewhere && extent != 1) continue;
    const std::string why =
        ranges || elsewhere ? fmt::format("{} in every case, though dims or timing give others. do: add a case of another extent", extent)
                            : "1 in every case. do: give it a range, or leave the dimension out of the shapes";
    found.push_back({fmt::format("dimension '{}' does not vary", dim), why, Finding::Excuse::none});
  }
}

void cases_are_large_enough(const Evidence& evidence, std::vector<Finding>& found) {
  const auto large = std::ranges::count_if(evidence.cases, [&](const DrawnCase& drawn) {
    double elements = elements_of(evidence.task.model.inputs, drawn.prepared.dims);
    for (const cases::ExpectedTensor& output : drawn.prepared.outputs) elements += static_cast<double>(element_count(output.shape));
    return elements >= kLeastElements;
  });
  const std::size_t all = evidence.cases.size();
  if (static_cast<double>(large) >= kLeastShare * static_cast<double>(all)) return;
  found.push_back({"cases too small",
                   fmt::format("{} of {} have {} elements or more in inputs and outputs, a quarter must. do: let dims reach further, "
                               "or add cases",
                               large, all, kLeastElements),
                   Finding::Excuse::none});
}

void timing_is_large_enough(const Evidence& evidence, std::vector<Finding>& found) {
  const Task& task = evidence.task;
  for (const auto& [target, shapes] : task.timing)
    for (const DimRanges& shape : shapes) {
      const Work work = least_work(task, shape, evidence.seed);
      if (work.bytes >= kLeastBytes || work.flops >= kLeastFlops) continue;
      found.push_back({fmt::format("timing shape of {} too small: {}", target, dims_text(shape)),
                       fmt::format("a call moves {:g} bytes and computes {:g} floating-point operations, {:g} or {:g} are needed. "
                                   "do: make it larger",
                                   work.bytes, work.flops, kLeastBytes, kLeastFlops),
                       Finding::Excuse::waiver});
    }
}

}  // namespace assay::admission
