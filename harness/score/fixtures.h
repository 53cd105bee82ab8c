// SPDX-License-Identifier: Apache-2.0
// What a task's candidates have in common: kernel.h and stub, which the build makes, and the drawn cases with their right results; of a
// problem that brings its own tests, the test's objects. They are made when the first candidate comes, and kept.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "assay/cases/random.h"
#include "assay/plan/plan.h"
#include "catalogue.h"
#include "child.h"

namespace assay::score {

/// Cases of one task, drawn from one secret; their folder goes with them.
class DrawnCases {
 public:
  DrawnCases(std::filesystem::path folder, const cases::Seed& seed, const std::string& task);
  ~DrawnCases();
  DrawnCases(const DrawnCases&) = delete;
  DrawnCases& operator=(const DrawnCases&) = delete;
  const std::filesystem::path& folder() const { return folder_; }
  /// What answers call them: it tells nothing of the secret.
  const std::string& name() const { return name_; }
  const cases::Seed& seed() const { return seed_; }

 private:
  std::filesystem::path folder_;
  cases::Seed seed_;
  std::string name_;
};

/// All that judging a candidate of one task and backend needs.
struct Fixture {
  std::shared_ptr<const DrawnCases> cases;
  std::filesystem::path plan_file;  ///< the build's plan with these cases
  plan::Plan plan;
  std::string suffix;  ///< of a candidate of one file
  std::string basis;   ///< digest of plan, tools and cases: equal ones judge equal sources alike
};

class Fixtures {
 public:
  struct Options {
    std::filesystem::path judge;      ///< the program of the stages
    std::filesystem::path folder;     ///< for what is drawn; it goes with the process
    std::filesystem::path journal;    ///< gets the secret of each draw
    std::optional<cases::Seed> seed;  ///< of all tasks; none: a fresh one for each draw
    std::string effort;               ///< of timings; empty: the build's
    std::size_t most_uses = 4096;     ///< then cases are drawn anew: every verdict tells a little of them
    std::vector<int> cpus;            ///< where the programs may run; empty: anywhere
  };
  Fixtures(const Catalogue& catalogue, Options options);

  /// Counts one use; nullptr where there is none yet, or where it was used up.
  std::shared_ptr<const Fixture> use(const std::string& task, const std::string& backend);
  /// Makes it; nobody else may be at work on the same task. Throws std::runtime_error.
  void make(const std::string& task, const std::string& backend, const StopSign& stop);
  /// Draws the shapes that the task is timed at, where nobody has yet; for one caller at a time. Throws std::runtime_error.
  void make_timing(const Fixture& fixture, const StopSign& stop);

 private:
  struct OfTask {
    std::shared_ptr<const DrawnCases> cases;
    std::size_t uses = 0;
    std::map<std::string, std::shared_ptr<const Fixture>> of_backends;
  };

  std::shared_ptr<const DrawnCases> draw(const std::string& task, const std::filesystem::path& plan, const StopSign& stop);
  void build_missing(const std::string& task, const std::string& backend, const StopSign& stop);
  /// The objects of the problem's test, beside the cases of `plan`. Throws std::runtime_error.
  void build_test(const std::string& task, const plan::Plan& plan, const std::filesystem::path& file, const StopSign& stop) const;
  /// Runs a program of the plan's fixtures, "cases" or "timing".
  void prepare(const std::string& what, const std::string& task, const std::filesystem::path& plan, const cases::Seed& seed,
               const StopSign& stop);
  void note(const std::string& task, const DrawnCases& cases);

  const Catalogue& catalogue_;
  const Options options_;
  std::mutex mutex_;           ///< of tasks_ and draws_
  std::mutex building_mutex_;  ///< one build of the tree at a time
  std::map<std::string, OfTask> tasks_;
  std::size_t draws_ = 0;
};

}  // namespace assay::score
