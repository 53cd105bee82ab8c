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
#include <regex>
#include <stdexcept>
#include <string>
#include <vector>

#include "../../fuzz/shown.h"
#include "../../judge/stages_fixture.h"
#include "declaration.h"

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
  if (!fs::exists(plan))
    throw std::runtime_error(fmt::format("no task '{}': {} is not there", task, plan.string()));
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
          define("TASK_FILE",
                 fs::path(SOURCE_FOLDER) / "tasks" / reference.parent_path().filename() / task / "task.yaml"),
          define("HARNESS_FILE", fs::path(SOURCE_FOLDER) / "harness/wire/include/assay/wire/wire.h"),
          define("PLAN_FILE", stages.folder() / "plan.json"),
          define("CASES_FILE", stages.folder() / "cases.bin")};
}

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

/// Runs the stages up to `last`; the first that fails ends them.
nlohmann::json judge(const Stages& stages, const fs::path& source, const std::string& task,
                     const std::string& last) {
  Printed printed = stages.compile(source);
  expect_form(printed, task);
  const auto passed = [&] { return record_of(printed)["verdict"] == "PASS"; };
  if (last != "compile" && passed()) expect_form(printed = stages.test(), task);
  if (last == "bench" && passed()) expect_form(printed = stages.bench(), task);
  return record_of(printed);
}

/// The speedup of the same file without its trick.
double honest_speedup(Stages& stages, const fs::path& source, const std::string& task) {
  stages.compile_with({"-DWITHOUT_TRICK"});
  nlohmann::json record;
  for (int attempt = 0; attempt < 3; ++attempt) {
    record = judge(stages, source, task, "bench");
    if (record["verdict"] == "PASS") break;  // a busy machine: once more
  }
  if (!record.contains("speedup") || !record["speedup"]["estimate"].is_number())
    throw std::runtime_error("without its trick the kernel cannot be timed: " + record.dump());
  return record["speedup"]["estimate"];
}

class KernelTest : public testing::Test {
 public:
  explicit KernelTest(const Kernel& kernel) : kernel_(kernel) {}

  void TestBody() override {
    const fs::path source = kernel_.file;
    Declaration declared = read_declaration(source, std::string(kernel_.suite) == "honest");
    Stages stages(ASSAY, plan_of(declared.task, kernel_.backend));
    stages.compile_with(paths_to_steal(stages, declared.task, kernel_.backend));
    const nlohmann::json record = judge(stages, source, declared.task, declared.stage);
    std::printf("%s: %s at stage %s: %s\n", kernel_.name, record["verdict"].get<std::string>().c_str(),
                record["stage"].get<std::string>().c_str(), record["detail"].get<std::string>().c_str());
    if (!declared.elsewhere.empty() && record.contains("device") && record["device"]["kind"] != "cpu") {
      declared.expect = declared.elsewhere;
      declared.because.clear();
    }
    check(declared, record);
    if (declared.gains_nothing && record["verdict"] == "PASS" && !HasFailure()) {
      const double without = honest_speedup(stages, source, declared.task);
      std::printf("speedup %.3f to %.3f, without the trick %.3f\n", record["speedup"]["low"].get<double>(),
                  record["speedup"]["high"].get<double>(), without);
      EXPECT_LE(record["speedup"]["low"].get<double>(), 1.5 * without) << record;
    }
  }

 private:
  static void check(const Declaration& declared, const nlohmann::json& record) {
    const auto verdict = record["verdict"].get<std::string>(), detail = record["detail"].get<std::string>();
    EXPECT_EQ(record["stage"], declared.stage) << record;
    EXPECT_NE(std::ranges::find(declared.expect, verdict), declared.expect.end())
        << "expected " << fmt::format("{}", fmt::join(declared.expect, " or ")) << ", got " << record;
    EXPECT_TRUE(declared.because.empty() ||
                std::ranges::any_of(
                    declared.because,
                    [&](const std::string& piece) { return detail.find(piece) != std::string::npos; }))
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
