// SPDX-License-Identifier: Apache-2.0
// The real programs on one candidate, assay-compile and assay-judge, on a private copy of a task's plan.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "temporary_folder.h"

namespace assay {

struct Printed {
  std::string text;
  int exit_code;
};

/// The judge that is tested: the one beside `assay`, or a mutant of it (tests/mutants).
inline std::string judge_program(const std::string& assay) {
  const char* mutant = std::getenv("ASSAY_UNDER_TEST");
  return mutant != nullptr ? mutant : assay + "-judge";
}

/// Runs a shell command. A judge that hangs is killed: its boxes die with it.
inline Printed run(const std::string& command) {
  FILE* pipe = popen(("timeout --signal=KILL 100 " + command + " 2>&1").c_str(), "r");
  Printed printed{"", 0};
  char buffer[4096];
  for (std::size_t got; (got = fread(buffer, 1, sizeof buffer, pipe)) > 0;) printed.text.append(buffer, got);
  printed.exit_code = WEXITSTATUS(pclose(pipe));
  return printed;
}

inline nlohmann::json record_of(const Printed& printed) {
  const std::string line = printed.text.substr(0, printed.text.find('\n'));
  EXPECT_EQ(line.rfind("assay: {", 0), 0u) << "exit code " << printed.exit_code << ", printed: " << printed.text;
  return nlohmann::json::parse(line.substr(line.empty() ? 0 : 7));
}

/// relu, `times` over, timed at a size of its own. The baseline evaluates node by node.
inline std::string relu_timed_at(const std::string& dims, int times = 1) {
  std::string nodes, before = "x";
  for (int i = 1; i <= times; ++i) {
    const std::string after = i == times ? "y" : fmt::format("r{}", i);
    nodes += fmt::format(" {} = Relu({})", after, before);
    before = after;
  }
  return fmt::format(
      "summary: Rectified linear unit.\ndifficulty: 1\nmodel: |\n  relu (float[N, C] x) => (float[N, C] y)\n  {{{} }}\n"
      "dims: {{N: [1, 64], C: [1, 64]}}\ntiming:\n  cpu: {{dims: {{{}}}}}\n",
      nodes, dims);
}

/// A task's plan with a case file of the test's own, at effort quick. What timings need is drawn when the first one begins.
class Stages {
 public:
  Stages(const std::string& assay, const std::filesystem::path& plan, const std::string& profile = "", const std::string& cache = "warm")
      : assay_(assay) {
    plan_ = read(plan);
    for (const char* part : {"toolchain", "task", "settings"}) plan_[part] = read(plan_[part].get<std::string>());
    plan_["task"]["cases"] = (folder_ / "cases.bin").string();
    plan_["settings"]["machine"] = (folder_ / "machine.json").string();
    plan_["settings"]["effort"] = "quick";
    plan_["settings"]["profile"] = profile;
    plan_["settings"]["cache"] = cache;
    write_plan();
    draw("cases");
  }
  Stages(const Stages&) = delete;
  Stages& operator=(const Stages&) = delete;

  Printed call(const std::string& command, const std::string& more = "") const {
    if ((command == "bench" || command == "canary") && !std::exchange(timing_is_drawn_, true)) draw("timing");
    return run(fmt::format("{} {} --plan {} {}", judge_program(assay_), command, (folder_ / "plan.json").string(), more));
  }

  /// From here on the plan's task is another one, which `task_yaml` describes; the kernel's parameters are what they were.
  void take_task(const std::string& task_yaml) {
    const auto folder = folder_ / plan_["task"]["category"].get<std::string>() / plan_["task"]["task"].get<std::string>();
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "task.yaml") << task_yaml;
    plan_["task"]["task_yaml"] = (folder / "task.yaml").string();
    write_plan();
    timing_is_drawn_ = false;
    draw("cases");
  }

  /// From here on the plan's task is `name`, with a function and parameters of its own.
  void take_function(const std::string& name, const std::string& task_yaml) {
    plan_["task"]["task"] = name;
    take_task(task_yaml);
    const std::string context = folder_ / "context", stub = context + "/stub.o";
    const Printed made = run(fmt::format("{}-context --task {} --out {}", assay_, plan_["task"]["task_yaml"].get<std::string>(), context));
    EXPECT_EQ(made.exit_code, 0) << made.text;
    const Printed compiled = run(fmt::format("{} -std=c++20 -fPIC -I{} -c {}/stub.cpp -o {}",
                                             plan_["toolchain"]["compile"][0].get<std::string>(), context, context, stub));
    EXPECT_EQ(compiled.exit_code, 0) << compiled.text;
    plan_["context"] = {context};
    plan_["stub"] = stub;
    write_plan();
  }

  /// The next function's task has the sources in `harness`, which have become `library`.
  void take_harness(const std::string& name, const std::filesystem::path& harness, const std::string& library) {
    const auto folder = folder_ / plan_["task"]["category"].get<std::string>() / name;
    std::filesystem::create_directories(folder);
    std::filesystem::copy(harness, folder / "harness");
    plan_["task"]["harness"] = library;
  }

  /// More flags for the candidate's compiler.
  void compile_with(const std::vector<std::string>& flags) {
    for (const std::string& flag : flags) plan_["toolchain"]["compile"].push_back(flag);
    write_plan();
  }

  /// Compiler and box get the variable, too, and may read what it names.
  void pass_variable(const std::string& name) {
    plan_["toolchain"]["environment"].push_back(name);
    write_plan();
  }

  /// The box sees the library, and looks for others in its folder.
  void allow_library(const std::string& file) {
    plan_["toolchain"]["libraries"].push_back(file);
    write_plan();
  }

  /// The program that calls candidates.
  void take_box(const std::string& program) {
    plan_["toolchain"]["box"] = program;
    write_plan();
  }

  /// The program that speedups are measured against.
  void take_baseline(const std::string& program) {
    plan_["settings"]["baseline"] = program;
    write_plan();
  }

  /// As kernel_task(TIME_LIMIT MEMORY_LIMIT) says.
  void limit(int seconds, int mebibytes) {
    plan_["task"]["time_limit"] = seconds;
    plan_["task"]["memory_limit"] = mebibytes;
    write_plan();
  }

  /// From here on the machine is taken to offer Landlock, the filter and limits, and the plan requires `tier`.
  void require_where_reduced(const std::string& tier) {
    const auto found = std::filesystem::path(plan_["settings"]["sandbox"].get<std::string>());
    auto offer = nlohmann::json::parse(std::ifstream(found));
    offer["layers"] = {{"namespaces", false}, {"landlock", true}, {"filter", true}};
    plan_["settings"]["sandbox"] = (folder_ / "sandbox.json").string();
    plan_["settings"]["require_tier"] = tier;
    std::ofstream(folder_ / "sandbox.json") << offer;
    write_plan();
  }

  /// Compiles `source`; what `assay-judge compile` prints of it.
  Printed compile(const std::filesystem::path& source) const {
    const Printed built =
        run(fmt::format("{}-compile --plan {} {} --source '{}'", assay_, (folder_ / "plan.json").string(), candidate(), source.string()));
    EXPECT_EQ(built.exit_code, 0) << built.text;
    return call("compile", candidate());
  }
  Printed test() const { return call("test", candidate()); }
  Printed bench() const {
    if (!std::filesystem::exists(folder_ / "machine.json")) {
      const Printed machine = run(fmt::format("{} machine --out {}/machine.json", judge_program(assay_), folder_.path().string()));
      EXPECT_EQ(machine.exit_code, 0) << machine.text;
    }
    return call("bench", candidate());
  }

  /// The record of the first stage that `source` does not pass, else of the test stage.
  nlohmann::json judge(const std::filesystem::path& source) const {
    const nlohmann::json compiled = record_of(compile(source));
    return compiled["verdict"] == "PASS" ? record_of(test()) : compiled;
  }

  std::string candidate() const { return fmt::format("--run hostile --sample 008 --prefix {}/kernel", folder_.path().string()); }
  const std::filesystem::path& folder() const { return folder_.path(); }

 private:
  void draw(const std::string& fixture) const {
    const Printed drawn = call(fixture);
    EXPECT_EQ(drawn.exit_code, 0) << drawn.text;
  }
  static nlohmann::json read(const std::filesystem::path& file) { return nlohmann::json::parse(std::ifstream(file)); }
  void write_plan() const { std::ofstream(folder_ / "plan.json") << plan_; }

  std::string assay_;
  TemporaryFolder folder_;
  nlohmann::json plan_;
  mutable bool timing_is_drawn_ = false;
};

}  // namespace assay
