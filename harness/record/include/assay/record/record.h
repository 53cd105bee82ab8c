// SPDX-License-Identifier: Apache-2.0
// The record: what one stage found out about one candidate. A judge writes it as the line `assay: {json}` that opens the output of
// a test (output.h), a report reads it there. Its schema is record.schema.json, which CMake writes beside the library.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "assay/record/speedup.h"
#include "assay/record/test_name.h"
#include "assay/record/tier.h"
#include "assay/record/verdict.h"

namespace assay::record {

inline constexpr int record_version = 1;

/// Whose noise leaves a timing INCONCLUSIVE. machine: others on it, whoever is timed. candidate: its own launches disagree, and the
/// baseline's beside them do not. length: a call is too short to be told from an empty one.
enum class Doubt { none, machine, candidate, length };
std::string_view name(Doubt doubt);
std::optional<Doubt> doubt_named(std::string_view name);

/// Of device code: what it was built for, as its runtime says. The last two are of its timing.
struct Device {
  std::string platform, name, version, driver;
  std::string kind;      ///< "cpu", "gpu" or "other"
  std::string selector;  ///< what the backend's program takes to choose it
  std::uint64_t work_group = 0, local_bytes = 0;
  std::vector<std::uint64_t> work_items;
  std::optional<double> copy_gbps, gflops;  ///< peaks of a device with memory of its own

  bool operator==(const Device&) const = default;
};

/// Of a GPU, as its driver tells; `throttled` says what holds its clocks down.
struct DeviceState {
  double sm_mhz = 0, memory_mhz = 0, watts = 0, celsius = 0;
  std::vector<std::string> throttled;

  bool operator==(const DeviceState&) const = default;
};

struct CaseCount {
  int planned = 0;
  int passed = 0;

  bool operator==(const CaseCount&) const = default;
};

/// Largest errors over all cases; nullopt where not finite or not measured. `scaled` is in units of `bound`'s
/// scale.
struct Errors {
  std::optional<double> max_abs, max_rel, scaled, bound;
  std::string where;

  bool operator==(const Errors&) const = default;
};

/// One of the shapes that were timed; at_least holds for all shapes together (Holm).
struct ShapeTiming {
  std::map<std::string, std::int64_t> dims;
  std::optional<double> time_ns, baseline_ns;
  std::optional<Speedup> speedup;

  bool operator==(const ShapeTiming&) const = default;
};

/// That each side was told to use (OMP_NUM_THREADS).
struct Threads {
  int candidate = 1, baseline = 1;

  bool operator==(const Threads&) const = default;
};

/// What others did on the machine during a timing.
struct Noise {
  double steal = 0;                      ///< share of the processors' time that the hypervisor gave to others, 0..1
  double load = 0;                       ///< load average at the start
  std::int64_t switches = 0;             ///< times that the judge was taken off its processor
  std::optional<double> pressure;        ///< share of the time in which some task of the machine waited for a processor
  std::optional<double> baseline_drift;  ///< largest over smallest median of the baseline's launches, a twentieth at either end left out

  bool operator==(const Noise&) const = default;
};

struct Record {
  SampleName sample;
  Stage stage = Stage::compile;
  Verdict verdict = Verdict::harness_error;
  std::string detail = "the stage did not finish";  ///< may quote what a candidate caused: escape it before it is shown
  std::string category;
  int difficulty = 1;  ///< 1..5
  std::vector<std::string> suites;
  Tier tier = Tier::none;
  std::string machine;
  std::string profile;    ///< another system's rules that decided; empty: this project's
  std::string trust;      ///< "in-process" or "guarded" (trust_text); empty: nothing of the judge's shares a process with the candidate
  bool vacuous = false;   ///< the problem's test passes a solution that does nothing
  bool no_bench = false;  ///< the problem has no stage bench
  std::optional<Device> device;

  std::optional<double> compile_ms;

  std::optional<CaseCount> cases;
  std::optional<Errors> errors;
  std::string seed;
  std::optional<bool> repeatable;

  Doubt doubt = Doubt::none;  ///< of an INCONCLUSIVE timing; none in older records
  std::string effort;
  std::string target;  ///< which of the task's timing shapes: "cpu", "gpu" or a suite's name; empty in older records
  std::string cache;   ///< "warm" or "cold"; empty in older records
  std::optional<int> launches, pairs;
  std::optional<double> device_ns;                         ///< by the device's own clock; what decides is time_ns
  std::optional<double> judge_ns;                          ///< of batches: mean of a call by the judge's clock, less an empty batch's
  std::optional<DeviceState> device_before, device_after;  ///< of the first batch and the last
  std::optional<double> time_ns, baseline_ns;              ///< medians, in nanoseconds
  std::optional<double> overhead_ns;                       ///< of an empty call; taken off both times where the judge's clock decides
  std::optional<Speedup> speedup;
  std::optional<Folds> folds;  ///< nullopt in older records
  std::vector<ShapeTiming> shapes;
  std::optional<double> gbps, gflops, efficiency;
  std::string baseline;
  std::optional<Threads> threads;
  std::optional<Noise> noise;

  bool operator==(const Record&) const = default;
};

/// `detail` is made harmless() and cut to 2,000 bytes.
void set_verdict(Record& record, Verdict verdict, const std::string& detail = "");

/// JSON has no NaN or infinity: they become null.
nlohmann::ordered_json to_json(const Record& record);

/// The text is no record of this version's; what() names the field.
class RecordError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The record is of another version than record_version.
class VersionError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Reads the JSON after `assay: `. Fields unknown to this version are ignored; those of other stages may be
/// absent. Throws RecordError where a field is missing, of the wrong type or out of its range, else VersionError.
Record parse_record(std::string_view json);
/// The same of JSON that is a part of another.
Record read_record(const nlohmann::json& json);

/// "in-process: the test shares a process with the candidate".
std::string trust_text(const std::string& trust);

/// What a device's program says of its device. Throws RecordError as parse_record does.
Device read_device(const nlohmann::json& json);

}  // namespace assay::record
