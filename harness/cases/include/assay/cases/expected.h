// SPDX-License-Identifier: Apache-2.0
// What a case's outputs must be, and how far an honest kernel may be from it.
//
// A real output element y is measured against the float64 oracle o in units of u s,
//   E = |y - o| / (u s + 2^-126),
// where s is the element's own scale from running error analysis (Bounded) and u = 2^-24 (2^-53, and 2^-1022
// beside it, for double outputs). Accepted is
//   max E <= 4 max(E_ref, 4)  and  rms E <= 4 max(rms_ref, 1),
// where E_ref is the worst that float32 evaluations of the model in several legal summation orders show on the
// same inputs (float64 ones where the output is double).
//
// Of a float16 or bfloat16 output its own rounding is free: half a unit in the last place, and what rounding intermediate results to
// their 16-bit types may change. What is exact but for that must be rounded right. Where the model says `compute:`, o is rounded after
// each operator, and accepted is what kernels give that round at all of these places, at some or at none (assay/oracle/rounding.h).
// Integers and booleans are exact, unless the errors of what they are computed from leave them open (a rounding at a tie, a comparison of
// equals). NaN and infinities must agree in kind and place, except where such an evaluation itself leaves the type's range.
//
// Running error analysis rather than a second evaluation on magnitudes, since it propagates through every
// operator by its own derivative: the scale after exp or a normalisation is not that of the magnitudes' image. Where it has become
// useless after some layers, honest evaluations calibrate it (scales.h); docs/bounds.md has the statistics.
#pragma once

#include <cmath>
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "assay/cases/inputs.h"
#include "assay/cases/nearness.h"
#include "assay/oracle/evaluate.h"
#include "assay/oracle/rounding.h"
#include "assay/spec/task.h"

namespace assay::cases {

/// Of the arithmetic that an output's errors are measured in.
struct Precision {
  double roundoff;         ///< u
  double smallest_normal;  ///< a kernel may flush subnormal results to zero
};
inline Precision precision_of(spec::ElementType type) {
  return type == spec::ElementType::f64 ? Precision{0x1p-53, 0x1p-1022} : Precision{0x1p-24, 0x1p-126};
}

/// E of one element: what |y - o| exceeds `slack` by, in units of u s. NaN where it cannot be told.
inline double scaled_error(double y, double o, double scale, double slack, Precision precision) {
  const double distance = std::abs(y - o);
  const double excess = distance <= slack ? 0 : distance - slack;
  return excess / (precision.roundoff * scale + precision.smallest_normal);
}

struct ExpectedTensor {
  std::string name;
  spec::ElementType type = spec::ElementType::f32;
  spec::Shape shape;
  oracle::Elements<double> values;                     ///< reals before rounding to the output's type; infinities where they leave it
  oracle::Elements<double> scales;                     ///< s of each; infinity: any value is accepted
  oracle::Elements<double> slack;                      ///< distance that is free: of short reals, and of integers that errors leave
                                                       ///< open (Value::open); empty: none
  oracle::Elements<std::int64_t> exact;                ///< integers and booleans
  double max_bound = 0, rms_bound = 0;                 ///< in units of u s; both 0: bitwise
  std::optional<std::size_t> in_place = std::nullopt;  ///< the input that it is written over

  std::size_t bytes() const { return static_cast<std::size_t>(spec::element_count(shape)) * spec::size_of(type); }
  double slack_at(std::size_t i) const { return slack.empty() ? 0 : slack[i]; }
};

class Verifier;

struct PreparedCase {
  std::string name;
  std::map<std::string, std::int64_t> dims;  ///< all, also those that only outputs have
  std::vector<std::int64_t> dim_values;      ///< in the C interface's order
  std::vector<Bytes> inputs;
  std::vector<ExpectedTensor> outputs;
  double flops = 0, scattered_bytes = 0;  ///< oracle::Cost
  std::size_t draw = 0;                   ///< of an exact case: which integers it took
  /// Decides in place of `outputs`, which are one right answer among others; not kept in files (verify_cases).
  std::shared_ptr<const Verifier> verifier = nullptr;
};

/// Views `inputs` as values of an evaluation over T, which must not outlive them.
template <class T>
std::vector<oracle::Value<T>> as_values(const std::vector<spec::TensorSpec>& specs, const std::vector<spec::Shape>& shapes,
                                        const std::vector<Bytes>& inputs);

/// The orders that bounds are learnt from.
inline const std::vector<oracle::SumOrder> kLearntOrders = {oracle::SumOrder::natural,  oracle::SumOrder::sequential,
                                                            oracle::SumOrder::reversed, oracle::SumOrder::pairwise,
                                                            oracle::SumOrder::fused,    oracle::SumOrder::split};

/// Evaluates the oracle, its error scales and, for the bounds, the model in each of `orders`. Where `orders`
/// is empty the bounds are left 0, to be taken from another draw of the same shape.
PreparedCase prepare_case(const spec::Task& task, const std::string& name, std::map<std::string, std::int64_t> dims,
                          std::vector<Bytes> inputs, const std::vector<oracle::SumOrder>& orders);

/// The same for a case that has its name, inputs and their dimensions: fills in the rest.
void set_expected(const spec::Task& task, PreparedCase& prepared, const std::vector<oracle::SumOrder>& orders);

/// Of inputs and outputs.
std::size_t bytes_of(const PreparedCase& entry);
/// What is the same in every draw of a shape: `prepared` without inputs and values.
PreparedCase layout_of(PreparedCase prepared);

/// The model evaluated as an honest kernel does, in float32 (float64 where an output is double) with sums in
/// `order`; the outputs as it would store them. `rounding` is how far it takes a model's `compute:` at its word.
std::vector<Bytes> evaluate_honestly(const spec::Task& task, const PreparedCase& prepared, oracle::SumOrder order,
                                     oracle::Rounding rounding = oracle::Rounding::every);

/// The largest error of each output in such an evaluation, in units of u s, before it is stored; 0 where all is exact.
std::vector<double> worst_errors(const spec::Task& task, const PreparedCase& prepared, oracle::SumOrder order);

/// Which integers: large data against -1, 0 and 1, or nine bits on both sides of products, with data that is mostly 0.
enum class IntegerKind { plain, both_wide };

struct ExactCase {
  std::string name;
  IntegerKind kind = IntegerKind::plain;
  std::map<std::string, std::int64_t> dims;
  std::size_t first_draw = 0;  ///< the widest integers that are tried: PreparedCase::draw of a case like it
};

/// A case on integers that are small enough for every sum, in any order, to be exact in float32: outputs must
/// be the same numbers. Reduced precision shows at once, however long the sums are. Nothing where the model's
/// arithmetic leaves the integers or its kernels may transform (OperatorInfo::transforms).
std::optional<PreparedCase> prepare_exact_case(const spec::Task& task, const Seed& seed, const ExactCase& wanted);

/// Whether float32 evaluations in each of `orders` give the numbers of an exact case.
bool gives_the_same(const spec::Task& task, const PreparedCase& exact, const std::vector<oracle::SumOrder>& orders);

struct ErrorBounds {
  double max, rms;  ///< in units of u s
};

/// A shape that candidates are timed on.
struct TimingShape {
  std::map<std::string, std::int64_t> dims;
  PreparedCase layout;                                     ///< a draw's dimensions, sizes, bounds and cost; no inputs, no values
  std::vector<Nearness> near;                              ///< of each of that draw's outputs
  std::vector<ExactCase> exact;                            ///< cases on integers that there are at this shape
  std::map<std::string, std::vector<ErrorBounds>> probes;  ///< bounds on the values of each of the task's probes()
  std::map<std::string, spec::InputInit> inputs = {};      ///< over the task's own, of calls that are no probes
};

/// What a fixture of a task writes: one the cases, for the stage test; one the timing shapes, for the stage bench.
struct CaseFile {
  Seed seed;
  std::string profile;  ///< whose rules decide; empty: this project's own
  std::vector<PreparedCase> cases;
  std::vector<TimingShape> timing;
};
/// Every correctness case of `task` drawn from `seed`, one after the other: those of a large model are too much to hold at once.
void each_case(const spec::Task& task, const Seed& seed, const std::function<void(PreparedCase)>& use);
/// Every correctness case of `task` drawn from `seed`.
CaseFile prepare_cases(const spec::Task& task, const Seed& seed);
/// The timing shapes of `target` drawn from `seed`, and the bounds there; none where the task has none for the target.
CaseFile prepare_timing(const spec::Task& task, const Seed& seed, const std::string& target = "cpu");

/// Replaces `file` at once, so that a reader sees the old one or the new one.
void save_cases(const CaseFile& cases, const std::filesystem::path& file);
void write_cases(const CaseFile& cases, std::ostream& out);
/// Throws std::runtime_error where the file is missing or damaged.
CaseFile load_cases(const std::filesystem::path& file);
/// The same of the next `bytes` bytes of a stream; `file` is what messages call it.
CaseFile read_cases(std::istream& in, std::uint64_t bytes, const std::filesystem::path& file);

struct Comparison {
  bool accepted = true;
  double max_abs = 0, max_rel = 0;  ///< largest absolute and relative error
  double scaled = 0, bound = 0;     ///< largest E and what it may be, of the output nearest to its bound
  std::string where = {};           ///< of the largest E, or of the first wrong element
  std::string detail = {};          ///< where not accepted: output, index, got, expected, error, bound
  std::string unverifiable = {};    ///< where verify.cpp fails on these outputs and not on right ones: how
};

/// Has the cases of a file be judged by `task`'s verify.cpp, where it has one.
void verify_cases(const spec::Task& task, CaseFile& cases);

/// Compares raw outputs, one after the other, with what the case expects. Every element is visited.
Comparison compare(const PreparedCase& expected, const std::vector<Bytes>& outputs);

}  // namespace assay::cases
