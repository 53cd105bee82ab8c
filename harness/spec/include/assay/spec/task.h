// SPDX-License-Identifier: Apache-2.0
// A task: what a kernel must compute, and on which inputs it is tested and timed. Read from tasks/<category>/<name>/task.yaml.
#pragma once

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "assay/spec/error.h"
#include "assay/spec/graph.h"

namespace assay::spec {

/// Inputs and outputs of a task, and its symbolic dimensions: what a call carries to a box.
inline constexpr std::size_t kMostTensors = 1024, kMostDims = 1024;

/// Extents that a dimension may take: low, low + step, ..., at most high. A constant has low == high.
struct DimRange {
  std::int64_t low = 1;
  std::int64_t high = 1;
  std::int64_t step = 1;
  bool constant() const { return low == high; }
  bool operator==(const DimRange&) const = default;
};

/// How an input's elements are drawn. Distributions: normal (mean, std), uniform (low, high), kaiming (fan_in), integer
/// (low, high), bernoulli (p), constant (value), zeros, ones. Structures: see assay/spec/draw.h. Classes of values: special (NaN and
/// infinities as the model's operators allow, zeros of both signs, extremes), special_finite, log_uniform, large and subnormal (random
/// sign, exponents from low to high), cancellation (x and almost -x, shuffled), ties (five values), sorted and reversed (along the last
/// axis), spikes (mostly zero), mixed (slices along the first axis, each of another class), extremes (of the integer type).
struct InputInit {
  std::string kind = {};                          ///< "normal", "uniform", "special", "index", ...
  std::map<std::string, double> numbers = {};     ///< kind's parameters: mean, std, low, high, p, value, fan_in, ...
  std::map<std::string, std::string> names = {};  ///< those that are extents ("V", "M * 16"), other inputs, words
  std::string role = {};                          ///< "weight": a trained parameter, not data
  SourceLocation location = {};                   ///< in task.yaml, where it stands there
};

using DimRanges = std::map<std::string, DimRange>;

struct Case {
  std::string name;
  std::map<std::string, DimRange> dims;     ///< every free dimension
  std::map<std::string, InputInit> inputs;  ///< over the task's own
};

/// Published suites, and the rows of each that a task serves; none of a suite that has no rows of its own.
using SuiteRows = std::map<std::string, std::vector<std::string>>;

/// What admission finds against a task, and why the task is right all the same.
struct Waiver {
  std::string alteration;  ///< as `assay admit` prints it
  std::string why;
  SourceLocation location;
};

/// C++ of a task's own, in the folder harness/ beside task.yaml (of a family's task: in <category>/<task>/harness/).
struct TaskHarness {
  std::filesystem::path folder;
  bool oracle = false;            ///< oracle.cpp says what the outputs are, in place of the model's body
  bool verify = false;            ///< verify.cpp says whether outputs are right; the oracle's are one right answer among others
  std::filesystem::path library;  ///< what they have become; empty: nobody says
};

struct Task {
  std::string name;
  std::string category;
  std::string summary;
  int difficulty = 1;  ///< 1 (one elementwise operator) .. 5
  SuiteRows suites;
  Graph model;
  std::string model_text;
  std::string degenerate;              ///< why the task cannot be admitted and is kept all the same; empty for others
  std::string torch;                   ///< the same in PyTorch; may be empty
  std::vector<std::string> dims;       ///< all symbolic dimensions in order of first appearance
  std::vector<std::string> free_dims;  ///< those of inputs and attributes, which a case chooses; the others follow from evaluation
  /// Output -> input: it is written over that input, and the kernel gets one pointer for both, called as the input.
  std::map<std::size_t, std::size_t> in_place;
  TaskHarness harness;
  std::map<std::string, DimRange> dim_ranges;
  std::map<std::string, InputInit> inputs;  ///< for every input, the default where task.yaml says nothing
  std::vector<Case> cases;                  ///< the usual ones and the task's own
  std::vector<Waiver> waivers;
  std::map<std::string, double> bound_factors;           ///< by output: how many times an honest kernel's error is accepted, where not 4
  std::map<std::string, std::vector<DimRanges>> timing;  ///< target ("cpu", "gpu", a suite) -> shapes, each with every free dimension
  std::map<std::string, std::vector<Case>>
      rows;  ///< suite -> the rows that the task serves, as they were published, at each shape; none twice

  bool has_own_buffer(std::size_t output) const { return !in_place.contains(output); }
  bool is_overwritten(std::size_t input) const {
    return std::ranges::any_of(in_place, [input](const auto& pair) { return pair.second == input; });
  }
  /// What kernel.h calls the output's buffer.
  const std::string& buffer_name(std::size_t output) const {
    return has_own_buffer(output) ? model.outputs[output].name : model.inputs[in_place.at(output)].name;
  }
};

/// Where a task stands: <category>/<task>/task.yaml, or one of a family's, <category>/<family>.yaml#<task>.
struct TaskFile {
  std::filesystem::path file;
  std::string member;                  ///< of a family; else empty
  std::filesystem::path library = {};  ///< TaskHarness::library; no part of the name

  TaskFile() = default;
  TaskFile(const std::filesystem::path& path);
  TaskFile(const std::string& path) : TaskFile(std::filesystem::path(path)) {}
  TaskFile(const char* path) : TaskFile(std::filesystem::path(path)) {}
  std::string text() const { return member.empty() ? file.string() : file.string() + "#" + member; }
};

/// The folder harness/ of the task, which may be missing.
std::filesystem::path harness_folder(const TaskFile& from);

/// Reads and checks a task; its category and, where it is of no family, its name are its folders'. Throws SpecError: file, line,
/// column, what to do.
Task load_task(const TaskFile& from);
/// The same of a task that load_task() has accepted before, in a third of the time: libonnx's checks are left out.
Task load_checked_task(const TaskFile& from);
/// The same of text that is in memory already; `from` names the task, and messages.
Task parse_task(const std::string& text, const TaskFile& from);

/// What the file says of this task, as YAML, and the sources in its folder harness/: of a family nothing that other tasks alone have.
/// Throws SpecError where it cannot be read.
std::string own_text(const TaskFile& from);

/// The extents of `specs` with every symbolic dimension bound by `dims`; std::out_of_range where one is not, SpecError where an
/// expression has no value.
std::vector<Shape> concrete_shapes(const std::vector<TensorSpec>& specs, const Dims& dims);

/// What kernel.h looks like on a backend.
struct KernelTypes {
  std::map<std::string, std::string> names;  ///< "float16", "bfloat16", "float8_e4m3" -> the compiler's own type, where it has one
  std::vector<std::string> headers;          ///< that declare them: "cuda_bf16.h"
  std::string stream;                        ///< type of a last parameter, in whose order the kernel works; empty: there is none
};

/// kernel.h: the one function that a candidate implements, with a comment that says what it computes. Tensors of short reals are
/// pointers to float16, bfloat16, float8_e4m3 and float8_e5m2, which it defines: as the compiler's own type, or else as the bits, and in
/// C++, but for float16, as a class that converts to float and back.
std::string kernel_header(const Task& task, const KernelTypes& types = {});

/// The stub that every candidate of the task is linked with: calls the function from a uniform argument vector,
/// `assay_call(void* const* tensors, const int64_t* dims, void* stream)`.
std::string kernel_stub(const Task& task, const KernelTypes& types = {});

/// "extern "C" void relu(const float* x, float* y, int64_t N);" without the linkage specification.
std::string kernel_signature(const Task& task, const KernelTypes& types = {});

}  // namespace assay::spec
