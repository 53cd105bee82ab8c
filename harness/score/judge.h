// SPDX-License-Identifier: Apache-2.0
// One sample through the stages: the programs that the build and CTest call, on files in a folder of the sample's own.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "assay/record/record.h"
#include "assay/score/sample.h"
#include "child.h"
#include "fixtures.h"

namespace assay::score {

/// What the stages found so far.
struct Judged {
  std::vector<record::Record> records;  ///< in the stages' order
  std::string diagnostics;              ///< of the compiler; may be shown
  double seconds = 0;                   ///< that stages have taken
  bool cut_off = false;                 ///< by the sample's deadline
  bool stopped = false;                 ///< by ours: there is no verdict

  bool passed() const {
    return !records.empty() && !stopped && !record::is_failure(records.back().verdict) &&
           records.back().verdict != record::Verdict::harness_error;
  }
};

/// Files of one sample. Their names are ours; nothing of them is the sample's but the bytes of its source.
class SampleFolder {
 public:
  /// Throws std::runtime_error where it cannot be made, or the source not written.
  SampleFolder(const std::filesystem::path& folder, const Sample& sample, const std::string& suffix);
  ~SampleFolder();
  SampleFolder(const SampleFolder&) = delete;
  SampleFolder& operator=(const SampleFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path source() const { return source_; }

 private:
  std::filesystem::path path_, source_;
};

class Judge {
 public:
  /// `program`: of the stages. `cpus`: where stages may run, empty for anywhere.
  Judge(std::filesystem::path program, std::vector<int> cpus) : program_(std::move(program)), cpus_(std::move(cpus)) {}

  /// A test that starts, reads its cases, and waits for its candidate: beside the compilation, where a processor has nothing else to do.
  /// nullptr where the problem brings its own test, which reads none.
  std::unique_ptr<Child> expect_test(const Fixture& fixture, const SampleFolder& folder) const;
  /// Compiles, and appends the record. `deadline`: seconds that all stages may take.
  void compile(const Fixture& fixture, const SampleFolder& folder, double deadline, const StopSign& stop, Judged& judged) const;
  /// Tests or times what was compiled; `begun` is the test, where it waits already.
  void run(record::Stage stage, const Fixture& fixture, const SampleFolder& folder, double deadline, const StopSign& stop, Judged& judged,
           std::unique_ptr<Child> begun = nullptr) const;

 private:
  std::unique_ptr<Child> start(const std::vector<std::string>& argv, bool is_told) const;
  EndedChild wait_for(Child& child, double deadline, double cap, const StopSign& stop, Judged& judged) const;

  std::filesystem::path program_;
  std::vector<int> cpus_;
};

}  // namespace assay::score
