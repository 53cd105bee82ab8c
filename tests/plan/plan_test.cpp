// SPDX-License-Identifier: Apache-2.0
#include "assay/plan/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "assay/plan/confinement.h"
#include "temporary_folder.h"

namespace assay::plan {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;

json toolchain() {
  return {{"version", 2},
          {"backend", "cpp"},
          {"suffix", ".cpp"},
          {"interface", "function"},
          {"box", "/box"},
          {"compile", {"g++", "-O2"}},
          {"readable", {"/usr"}},
          {"memory", "cuda"},
          {"driver", {"/proc/driver"}},
          {"devices", json::array()},
          {"environment", {"V"}},
          {"libraries", {"/l.so"}},
          {"types", {{"float16", "_Float16"}}},
          {"headers", {"half.h"}},
          {"stream", "queue_t"}};
}

json task() {
  return {{"version", 2},           {"task", "relu"},    {"category", "activation"}, {"difficulty", 3},    {"suites", {"a"}},
          {"task_yaml", "/t.yaml"}, {"cases", "/c.bin"}, {"time_limit", 7},          {"memory_limit", 256}};
}

json settings() {
  return {{"version", 2},        {"compiler", "/c"},     {"judge", "/j"},        {"baseline", "/b"},
          {"escape", "/e"},      {"sandbox", "/s.json"}, {"machine", "/m.json"}, {"require_tier", ""},
          {"effort", "publish"}, {"shapes", "gpu"},      {"cache", "cold"},      {"profile", ""}};
}

json whole() {
  return {{"version", 2},   {"context", {"/context"}}, {"stub", "/stub.o"}, {"toolchain", toolchain()},
          {"task", task()}, {"settings", settings()}};
}

Plan parse(const json& text) { return parse_plan(text.dump(), "some.plan.json"); }

/// What is wrong with `text`, in one line.
std::string fault(const json& text) {
  try {
    parse(text);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "nothing";
}

TEST(Plan, HasItsPartsInItself) {
  const Plan plan = parse(whole());
  EXPECT_THAT(plan.context, ElementsAre("/context"));
  EXPECT_EQ(plan.toolchain.interface, Interface::function);
  EXPECT_THAT(plan.toolchain.compile, ElementsAre("g++", "-O2"));
  EXPECT_EQ(plan.toolchain.types.names.at("float16"), "_Float16");
  EXPECT_THAT(plan.toolchain.types.headers, ElementsAre("half.h"));
  EXPECT_EQ(plan.toolchain.types.stream, "queue_t");
  EXPECT_EQ(plan.task.name, "relu");
  EXPECT_EQ(plan.task.time_limit, std::chrono::seconds(7));
  EXPECT_EQ(plan.task.memory_limit, std::uint64_t{256} << 20);
  EXPECT_EQ(plan.settings.effort, "publish");
  EXPECT_THAT(plan.files, ElementsAre("some.plan.json"));
}

TEST(Plan, NamesTheFilesOfItsParts) {
  const TemporaryFolder folder;
  const auto write = [&](const char* name, const json& text) {
    std::ofstream(folder / name) << text;
    return (folder / name).string();
  };
  json plan = whole();
  plan["toolchain"] = write("cpp.toolchain.json", toolchain());
  plan["task"] = write("task.json", task());
  plan["settings"] = write("settings.json", settings());
  write("cpp.plan.json", plan);
  const Plan loaded = load_plan(folder / "cpp.plan.json");
  EXPECT_EQ(loaded.toolchain.backend, "cpp");
  EXPECT_EQ(loaded.task.difficulty, 3);
  EXPECT_EQ(loaded.settings.shapes, "gpu");
  EXPECT_THAT(loaded.files,
              ElementsAre(folder / "cpp.plan.json", folder / "cpp.toolchain.json", folder / "task.json", folder / "settings.json"));
  json other = settings();
  other.erase("effort");
  write("settings.json", other);
  EXPECT_THAT(fault(plan),
              AllOf(HasSubstr((folder / "settings.json").string() + ": "), HasSubstr("effort"), HasSubstr("do: configure again")));
  std::filesystem::remove(folder / "task.json");
  EXPECT_THAT(fault(plan), HasSubstr("task.json: cannot be read"));
  plan["task"] = folder.path().string();
  EXPECT_THAT(fault(plan), HasSubstr("cannot be read"));
}

TEST(Plan, LetsAPassedVariablesPathsBeRead) {
  Toolchain toolchain;
  toolchain.environment = {"ASSAY_TEST_PATHS", "ASSAY_TEST_WORD", "ASSAY_TEST_ABSENT"};
  setenv("ASSAY_TEST_PATHS", "/opt/a:relative:/opt/b:", 1);
  setenv("ASSAY_TEST_WORD", "word", 1);
  const PassedEnvironment passed = passed_environment(toolchain);
  EXPECT_EQ(passed.readable, (std::vector<std::filesystem::path>{"/opt/a", "/opt/b"}));
  EXPECT_EQ(passed.variables, (std::vector<std::string>{"ASSAY_TEST_PATHS=/opt/a:relative:/opt/b:", "ASSAY_TEST_WORD=word"}));
}

TEST(Plan, SaysWhatIsWrong) {
  const auto with = [](const char* part, const char* key, const json& value) {
    json text = whole();
    text[part][key] = value;
    return fault(text);
  };
  EXPECT_THAT(with("toolchain", "interface", "macro"), HasSubstr("unknown interface 'macro'. known: function launch_block"));
  EXPECT_THAT(with("task", "difficulty", 6), HasSubstr("difficulty must be 1 to 5, got 6"));
  EXPECT_THAT(with("task", "difficulty", 1e300), HasSubstr("difficulty must be 1 to 5, got 1e+300"));
  EXPECT_THAT(with("task", "time_limit", 0), HasSubstr("time_limit must be 1 to 1048576, got 0"));
  EXPECT_THAT(with("task", "memory_limit", -1), HasSubstr("memory_limit must be 1 to 1048576, got -1"));
  json old = whole();
  old.erase("version");
  EXPECT_THAT(fault(old), HasSubstr("plan some.plan.json: version must be 2, got none: another KernelAssay wrote it. do: configure again"));
  json bare = whole();
  bare["context"] = json::array();
  EXPECT_THAT(fault(bare), HasSubstr("context is empty"));
  bare["toolchain"]["interface"] = "launch_block";
  EXPECT_EQ(fault(bare), "nothing");
  EXPECT_THAT(fault(json::array()), HasSubstr("must be a JSON object"));
}

}  // namespace
}  // namespace assay::plan
