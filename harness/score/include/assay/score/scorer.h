// SPDX-License-Identifier: Apache-2.0
// Judges samples, several at a time, and answers each when it has ended. Compile and test run beside each other; a timing has the machine's
// processors to itself, or those that are set aside for it.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "assay/cases/random.h"
#include "assay/score/answer.h"
#include "assay/score/sample.h"

namespace assay::score {

struct ScorerOptions {
  std::filesystem::path judge;  ///< the program of the stages and their fixtures
  std::filesystem::path build;  ///< a configured build tree
  int jobs = 1;                 ///< compilations and tests at a time
  std::size_t most_waiting = 4096;
  double deadline_seconds = 600;                   ///< of a sample that names none
  std::string reward = "correct";                  ///< of a sample that names none
  std::string effort;                              ///< of timings; empty: the build's
  bool reuse = true;                               ///< equal sources are judged once
  std::optional<cases::Seed> seed;                 ///< all cases are drawn from it; none: from fresh secrets
  std::size_t most_uses = 4096;                    ///< of one task's cases, which are then drawn anew
  std::size_t kept_bytes = std::size_t{64} << 20;  ///< of verdicts that equal sources may get
  std::vector<int> bench_cpus;                     ///< set aside for timings; empty: a timing has all of them, and nothing runs beside it
};

/// No more samples can wait.
class QueueFull : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct StageCount {
  std::uint64_t count = 0;
  double seconds = 0;
};

struct Statistics {
  std::size_t waiting = 0, running = 0;
  std::uint64_t masked = 0, reused = 0;
  std::map<std::string, std::uint64_t> verdicts;  ///< by name
  std::array<StageCount, 3> stages{};             ///< by record::Stage
};

/// As the build knows them.
struct TaskInfo {
  std::string name, category;
  int difficulty = 1;
  std::vector<std::string> suites;
  std::vector<std::string> backends;  ///< whose candidates it takes
};

/// The tasks of a configured build tree. Throws std::runtime_error where it is none.
std::vector<TaskInfo> listed_tasks(const std::filesystem::path& build);

class Scorer {
 public:
  using Done = std::function<void(Answer)>;

  /// Throws std::runtime_error where the build tree cannot be used.
  explicit Scorer(ScorerOptions options);
  /// Kills what runs; who waits for an answer gets one that is masked.
  ~Scorer();
  Scorer(const Scorer&) = delete;
  Scorer& operator=(const Scorer&) = delete;

  std::vector<TaskInfo> tasks() const;
  /// Throws SampleError where `sample` cannot be judged here: its task, backend, reward or stages.
  void require_known(const Sample& sample) const;

  /// Judges `samples`; `done` is called once for each, from another thread, and must not throw. Throws SampleError as require_known() does,
  /// or QueueFull; then none of them is judged.
  void submit(std::vector<Sample> samples, const Done& done);

  /// Returns when nothing waits or runs.
  void wait_until_idle();
  /// Kills what runs, and answers what waits.
  void stop();

  Statistics statistics() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace assay::score
