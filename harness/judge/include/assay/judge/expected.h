// SPDX-License-Identifier: Apache-2.0
// What a case's outputs must be, and how far an honest float32 kernel may be from it.
//
// A real output element y is measured against the float64 oracle o in units of u * s, where s is the element's own scale
// from running error analysis (Bounded) and u = 2^-24:  E = |y - o| / (u s + 2^-126).
// Accepted is max E <= 4 max(E_ref, 4) and rms E <= 4 max(rms_ref, 1), where E_ref is the worst that float32 evaluations of
// the model in several legal summation orders show on the same inputs. Integers and booleans are exact; NaN and
// infinities must agree in kind and place, except where such an evaluation itself leaves float32's range.
#pragma once

#include <cmath>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "assay/judge/inputs.h"
#include "assay/oracle/evaluate.h"
#include "assay/spec/task.h"

namespace assay {

/// E of one element: the distance |y - o| in units of u s. NaN where it cannot be told.
inline double scaled_error(double y, double o, double scale) {
  constexpr double kUnitRoundoff = 0x1p-24;
  constexpr double kFlushed = 0x1p-126;  // the smallest normal: a kernel may flush subnormal results to zero
  return std::abs(y - o) / (kUnitRoundoff * scale + kFlushed);
}

struct ExpectedTensor {
  std::string name;
  ElementType type = ElementType::f32;
  Shape shape;
  std::vector<double> values;           ///< reals, rounded to infinity where float32 overflows
  std::vector<double> scales;           ///< s of each; infinity: any value is accepted
  std::vector<std::int64_t> exact;      ///< integers and booleans
  double max_bound = 0, rms_bound = 0;  ///< in units of u s

  std::size_t bytes() const { return static_cast<std::size_t>(element_count(shape)) * size_of(type); }
};

struct PreparedCase {
  std::string name;
  std::map<std::string, std::int64_t> dims;  ///< all, also those that only outputs have
  std::vector<std::int64_t> dim_values;      ///< in the C interface's order
  std::vector<Bytes> inputs;
  std::vector<ExpectedTensor> outputs;
  double flops = 0;
};

/// Views `inputs` as values of an evaluation over T; reals are converted exactly.
template <class T>
std::vector<Value<T>> as_values(const std::vector<TensorSpec>& specs, const std::vector<Shape>& shapes,
                                const std::vector<Bytes>& inputs);

/// Evaluates the oracle, its error scales and, for the bounds, float32 in each of `orders`. Where `orders` is empty the
/// bounds are left 0, to be taken from another draw of the same shape.
PreparedCase prepare_case(const Task& task, const std::string& name, std::map<std::string, std::int64_t> dims,
                          std::vector<Bytes> inputs, const std::vector<SumOrder>& orders);

struct ErrorBounds {
  double max, rms;  ///< in units of u s
};

/// Every correctness case of `task` drawn from `seed`, and each output's bounds at the CPU timing shape, whose inputs are
/// drawn afresh for each timed call.
struct CaseFile {
  std::uint64_t seed = 0;
  std::vector<PreparedCase> cases;
  std::vector<ErrorBounds> timing_bounds;  ///< empty where the task has no timing: cpu
};
CaseFile prepare_all(const Task& task, std::uint64_t seed);

/// Replaces `file` at once, so that a reader sees the old one or the new one.
void save_cases(const CaseFile& cases, const std::filesystem::path& file);
/// Throws std::runtime_error where the file is missing or damaged.
CaseFile load_cases(const std::filesystem::path& file);

struct Comparison {
  bool accepted = true;
  double max_abs = 0, max_rel = 0;  ///< largest absolute and relative error
  double scaled = 0, bound = 0;     ///< largest E and what it may be, of the output nearest to its bound
  std::string where;                ///< of the largest E, or of the first wrong element
  std::string detail;               ///< where not accepted: output, index, got, expected, error, bound
};

/// Compares raw outputs, one after the other, with what the case expects. Every element is visited.
Comparison compare(const PreparedCase& expected, const std::vector<Bytes>& outputs);

}  // namespace assay
