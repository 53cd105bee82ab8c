// SPDX-License-Identifier: Apache-2.0
// The record: the line `assay: {json}` that opens the output of each test. Its schema is record.schema.json.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "assay/report/test_name.h"
#include "assay/report/verdict.h"

namespace assay {

inline constexpr int record_version = 1;
inline constexpr std::string_view record_prefix = "assay: ";

/// A measured ratio with its 95 % interval; dimensionless.
struct Speedup {
  double estimate = 0;
  double low = 0;
  double high = 0;
  double at_least = 0;  ///< one-sided 99 % lower bound; low in records that have none
};

/// One of the shapes that were timed; at_least holds for all shapes together (Holm).
struct ShapeTiming {
  std::map<std::string, std::int64_t> dims;
  std::optional<double> time_ns;
  std::optional<Speedup> speedup;
};

struct CaseCount {
  int planned = 0;
  int passed = 0;
};

/// Largest errors over all cases; nullopt where not finite or not measured. `scaled` is in units of `bound`'s
/// scale.
struct Errors {
  std::optional<double> max_abs, max_rel, scaled, bound;
  std::string where;
};

struct Record {
  SampleName sample;
  Stage stage = Stage::compile;
  Verdict verdict = Verdict::harness_error;
  std::string detail;  ///< may quote what a candidate caused: escape it before it is shown
  std::string category;
  int difficulty = 0;  ///< 1..5
  std::vector<std::string> suites;
  std::string tier;
  std::string machine;
  std::string profile;  ///< another system's rules that decided; empty: this project's

  std::optional<double> compile_ms;

  std::optional<CaseCount> cases;
  std::optional<Errors> errors;
  std::string seed;
  std::optional<bool> repeatable;

  std::string doubt;  ///< of an INCONCLUSIVE timing: "machine", "candidate" or "length"; empty in older records
  std::string effort;
  std::string cache;  ///< "warm" or "cold"; empty in older records
  std::string baseline;
  std::optional<int> launches, pairs;
  std::optional<double> time_ns, baseline_ns;  ///< medians, in nanoseconds
  std::optional<Speedup> speedup;
  std::vector<ShapeTiming> shapes;
  std::optional<double> gbps, gflops, efficiency;
};

/// The text is no record of this version's; what() names the field.
class RecordError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Reads the JSON after `assay: `. Fields unknown to this version are ignored; those of other stages may be
/// absent. Throws RecordError where a field is missing, of the wrong type or out of its range, and InputError
/// where the version is not record_version.
Record parse_record(std::string_view json);

}  // namespace assay
