// SPDX-License-Identifier: Apache-2.0
// Each file of tests/cheats and tests/cheats/honest is one test: judged by the real programs, it must get the
// verdict that its first lines declare, at the stage that they declare. Whatever a candidate does, the
// judge's own output keeps its form.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <regex>
#include <stdexcept>
#include <string>
#include <vector>

#include "../../fuzz/shown.h"
#include "declaration.h"
#include "loaded_image.h"
#include "stages_fixture.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

struct Kernel {
  const char* suite;
  const char* name;
  const char* backend;
  const char* file;
};

const Kernel kKernels[] = {
#include "kernels.inc"
};

fs::path plan_of(const std::string& task, const std::string& backend) {
  const fs::path plan = fs::path(BUILD_FOLDER) / "kernelassay" / task / (backend + ".plan.json");
  if (!fs::exists(plan)) throw std::runtime_error(fmt::format("no task '{}': {} is not there", task, plan.string()));
  return plan;
}

/// Where a cheat would look if it knew this machine: a sandbox must not rely on secret paths.
std::vector<std::string> paths_to_steal(const Stages& stages, const std::string& task, const std::string& backend) {
  // Compilers of OpenCL drop quotation marks, or do not: there they are the candidate's to add.
  const char* quote = backend == "opencl" ? "" : "\"";
  const auto define = [quote](const char* name, const fs::path& path) {
    return fmt::format("-D{}={}{}{}", name, quote, path.string(), quote);
  };
  fs::path reference;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(SOURCE_FOLDER) / "references"))
    if (entry.path().stem() == task) reference = entry.path();
  return {define("REFERENCE_FILE", reference),
          define("TASK_FILE", fs::path(SOURCE_FOLDER) / "tasks" / reference.parent_path().filename() / task / "task.yaml"),
          define("HARNESS_FILE", fs::path(SOURCE_FOLDER) / "harness/wire/include/assay/wire/wire.h"),
          define("PLAN_FILE", stages.folder() / "plan.json"), define("CASES_FILE", stages.folder() / "cases.bin")};
}

/// Where a loop lies in a line of the cache alone makes some processors 1.4 times faster at the same instructions: with a trick and without
/// it each loop begins a line.
const std::vector<std::string> kSamePlaces = {"-falign-functions=64", "-falign-loops=64"};

/// Nothing that CTest would interpret, nothing that moves a terminal's cursor, and a record that is the
/// judge's.
void expect_form(const Printed& printed, const std::string& task) {
  static const std::regex markup("</?(CTest|Dart)", std::regex::icase);
  EXPECT_FALSE(std::regex_search(printed.text, markup)) << printed.text;
  EXPECT_EQ(dangerous(printed.text), "") << printed.text;
  EXPECT_LT(printed.text.size(), 65536u);
  const nlohmann::json record = record_of(printed);
  EXPECT_EQ(record["task"], task);
  EXPECT_EQ(record["run"], "hostile");
  EXPECT_EQ(record["sample"], 8);
  EXPECT_EQ(printed.exit_code, record["verdict"] == "PASS" ? 0 : 1) << record;
  EXPECT_EQ(record["detail"].get<std::string>().empty(), record["verdict"] == "PASS") << record;
}

/// Compiled for an architecture that this machine has no device of.
bool lacks_its_device(const nlohmann::json& record) { return record.contains("device") && record["device"]["driver"] == "none"; }

/// Runs the stages up to `last`; the first that fails ends them, or a device that is not there.
nlohmann::json judge(const Stages& stages, const fs::path& source, const std::string& task, const std::string& last) {
  Printed printed = stages.compile(source);
  expect_form(printed, task);
  const auto passed = [&] { return record_of(printed)["verdict"] == "PASS"; };
  if (lacks_its_device(record_of(printed))) return record_of(printed);
  if (last != "compile" && passed()) expect_form(printed = stages.test(), task);
  if (last == "bench" && passed()) expect_form(printed = stages.bench(), task);
  return record_of(printed);
}

/// A busy machine leaves a time undecided: benches again, three times in all.
nlohmann::json decided(const Stages& stages, nlohmann::json record, const std::string& task) {
  for (int attempt = 0; attempt < 2 && record["verdict"] == "INCONCLUSIVE"; ++attempt) {
    const Printed printed = stages.bench();
    expect_form(printed, task);
    record = record_of(printed);
  }
  return record;
}

/// The speedup of the same file without its trick. Most cheats of a task are the same kernel then: what is loaded of their libraries is
/// the same, and it is measured once in a run of CTest (the fixture plain.forgotten removes what the last one left), or `anew`.
double honest_speedup(Stages& stages, const fs::path& source, const std::string& task, bool anew) {
  stages.compile_with({"-DWITHOUT_TRICK"});
  nlohmann::json record = judge(stages, source, task, "test");
  const std::string image = record["verdict"] == "PASS" ? loaded_image(stages.folder() / "kernel.so") : "";
  const fs::path known = fs::path(PLAIN_FOLDER) / fmt::format("{}.{:016x}", task, std::hash<std::string>()(image));
  if (double speedup = 0; !anew && std::ifstream(known) >> speedup) return speedup;
  record = decided(stages, record_of(stages.bench()), task);
  if (!record.contains("speedup") || !record["speedup"]["estimate"].is_number())
    throw std::runtime_error("without its trick the kernel cannot be timed: " + record.dump());
  const double speedup = record["speedup"]["estimate"];
  fs::create_directories(PLAIN_FOLDER);
  std::ofstream(known) << fmt::format("{}\n", speedup);
  return speedup;
}

/// Whether `source` has assembly and the device's compiler ends on any: PoCL 5 does, whatever the instruction is.
bool is_beyond_the_compiler(const Stages& stages, const fs::path& source) {
  std::ifstream in(source);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  if (source.extension() != ".cl" || text.find("__asm__") == std::string::npos) return false;
  const fs::path honest = stages.folder() / "nothing.cl";
  std::ofstream(honest) << "/* launch\n kernel nothing global [1] ()\n*/\n__kernel void nothing() { __asm__ volatile(\"nop\"); }\n";
  return record_of(stages.compile(honest))["verdict"] == "COMPILE_ERROR";
}

class KernelTest : public testing::Test {
 public:
  explicit KernelTest(const Kernel& kernel) : kernel_(kernel) {}

  void TestBody() override {
    const fs::path source = kernel_.file;
    Declaration declared = read_declaration(source, std::string(kernel_.suite) == "honest");
    Stages stages(ASSAY, plan_of(declared.task, kernel_.backend));
    stages.compile_with(paths_to_steal(stages, declared.task, kernel_.backend));
    if (declared.gains_nothing && std::string(kernel_.backend) == "cpp") stages.compile_with(kSamePlaces);
    nlohmann::json record = judge(stages, source, declared.task, declared.stage);
    if (declared.stage != "compile" && record["verdict"] == "PASS" && lacks_its_device(record))
      GTEST_SKIP() << "it compiles, and there is no device to run it on";
    record = decided(stages, record, declared.task);
    std::printf("%s: %s at stage %s: %s\n", kernel_.name, record["verdict"].get<std::string>().c_str(),
                record["stage"].get<std::string>().c_str(), record["detail"].get<std::string>().c_str());
    if (!declared.elsewhere.empty() && record.contains("device") && record["device"]["kind"] != "cpu") {
      declared.expect = declared.elsewhere;
      declared.because.clear();
    }
    if (!declared.reduced.empty() && record["tier"] == "reduced") {
      declared.expect = declared.reduced;
      declared.stage = record["stage"];
      declared.because.clear();
    }
    if (declared.stage != "compile" && record["verdict"] == "COMPILE_ERROR" && is_beyond_the_compiler(stages, source)) {
      declared.expect = {"COMPILE_ERROR"};
      declared.stage = "compile";
      declared.because.clear();
    }
    check(declared, record);
    const bool timed = record["verdict"] == "PASS" || record["verdict"] == "INCONCLUSIVE";
    if (declared.gains_nothing && timed && !HasFailure()) expect_no_gain(stages, record, source, declared.task);
  }

 private:
  /// A time that stayed undecided is held to the same limit by the lower bound of its interval. The two sides are timed one after the
  /// other, and what else the machine does may slow one of them: beyond the limit both are timed again. A trick gains each time.
  static void expect_no_gain(Stages& stages, nlohmann::json record, const fs::path& source, const std::string& task) {
    constexpr double kMostGain = 1.15;  // 1.05 is the most that was seen on an idle machine
    constexpr int kAttempts = 3;
    for (int attempt = 1; attempt <= kAttempts; ++attempt) {
      const nlohmann::json& speedup = record["speedup"];
      ASSERT_TRUE(speedup["low"].is_number()) << "it was not timed: " << record;
      const double without = honest_speedup(stages, source, task, attempt > 1), low = speedup["low"];
      std::printf("speedup %.3f (at least %.3f), without the trick %.3f: %.3f of the limit\n", speedup.value("estimate", 0.0), low, without,
                  low / (kMostGain * without));
      if (low <= kMostGain * without) return;
      stages.compile_with({"-UWITHOUT_TRICK"});
      record = decided(stages, judge(stages, source, task, "bench"), task);
    }
    FAIL() << "beyond the limit " << kAttempts << " times of " << kAttempts << ": " << record;
  }

  static void check(const Declaration& declared, const nlohmann::json& record) {
    const auto verdict = record["verdict"].get<std::string>(), detail = record["detail"].get<std::string>();
    EXPECT_EQ(record["stage"], declared.stage) << record;
    const auto expects = [&](const std::string& one) { return std::ranges::find(declared.expect, one) != declared.expect.end(); };
    // Right, on a machine that was busy three times.
    EXPECT_TRUE(expects(verdict) || (verdict == "INCONCLUSIVE" && expects("PASS")))
        << "expected " << fmt::format("{}", fmt::join(declared.expect, " or ")) << ", got " << record;
    EXPECT_TRUE(declared.because.empty() || verdict == "PASS" || verdict == "INCONCLUSIVE" ||
                std::ranges::any_of(declared.because, [&](const std::string& piece) { return says(detail, piece); }))
        << "the reason is another one: " << record;
    if (verdict == "PASS" && declared.stage == "test") {
      EXPECT_EQ(record["cases"]["planned"], record["cases"]["passed"]);
    }
  }

  Kernel kernel_;
};

}  // namespace
}  // namespace assay

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  for (const assay::Kernel& kernel : assay::kKernels)
    testing::RegisterTest(kernel.suite, kernel.name, nullptr, nullptr, kernel.file, 1,
                          [&kernel]() -> testing::Test* { return new assay::KernelTest(kernel); });
  return RUN_ALL_TESTS();
}
