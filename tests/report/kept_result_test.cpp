// SPDX-License-Identifier: Apache-2.0
#include "assay/results/kept_result.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <nlohmann/json.hpp>

#include "assay/results/fingerprint.h"
#include "temporary_folder.h"

namespace assay::results {
namespace {

using ::testing::HasSubstr;

const Basis basis{"source", "plan", "tool"};

void keep(const std::filesystem::path& folder, const std::string& test, const std::string& record) {
  ResultFile(folder, test, basis).finish(record, "words\n", 1);
}

TEST(KeptResults, TheNewestOfEachTestIsRead) {
  const TemporaryFolder folder;
  keep(folder.path(), "m.relu.cpp.000.test", "{\"a\":1}");
  keep(folder.path(), "m.relu.cpp.000.test", "{\"a\":2}");
  keep(folder.path(), "m.relu.cpp.000.bench", "timing");
  const auto results = read_results(folder.path());
  ASSERT_EQ(results.size(), 2U);
  EXPECT_EQ(results[0].record, "timing");
  EXPECT_EQ(results[1].record, "{\"a\":2}");
  EXPECT_EQ(results[1].output, "words\n");
  EXPECT_EQ(results[1].basis, basis);
  EXPECT_EQ(results[1].exit_code, 1);
  EXPECT_TRUE(results[1].is_complete());
  EXPECT_EQ(read_result(folder.path(), "m.relu.cpp.000.bench")->record, "timing");
  EXPECT_FALSE(read_result(folder.path(), "m.relu.cpp.001.bench"));
}

TEST(KeptResults, WhatAnotherVersionKeepsBesideThemIsIgnored) {
  const TemporaryFolder folder;
  keep(folder.path(), "m.relu.cpp.000.bench", "known");
  const auto file = folder / "m/relu.cpp.000.bench.json";
  nlohmann::json json = nlohmann::json::parse(std::ifstream(file));
  json["unknown"] = true;
  std::ofstream(file) << json;
  json["record"] = "of another name";
  json["began"] = "2999-01-01T00:00:00.000000Z";
  std::ofstream(folder / "m/relu.cpp.000.bench.other.json") << json;
  std::ofstream(folder / "m/relu.cpp.000.bench.other.began") << json;
  ASSERT_EQ(read_results(folder.path()).size(), 1U);
  EXPECT_EQ(read_results(folder.path())[0].record, "known");
}

TEST(KeptResults, AllCanariesAreRead) {
  const TemporaryFolder folder;
  keep(folder.path(), "assay.canary.before", "");
  keep(folder.path(), "assay.canary.before", "");
  EXPECT_EQ(read_results(folder.path()).size(), 2U);
}

TEST(KeptResults, ARunningTestHasItsLastResult) {
  const TemporaryFolder folder;
  keep(folder.path(), "m.relu.cpp.000.test", "last");
  const ResultFile running(folder.path(), "m.relu.cpp.000.test", basis);
  ASSERT_EQ(read_results(folder.path()).size(), 1U);
  EXPECT_EQ(read_results(folder.path())[0].record, "last");
}

TEST(KeptResults, AKilledTestIsSeen) {
  const TemporaryFolder folder;
  keep(folder.path(), "m.relu.cpp.000.test", "last");
  const pid_t child = fork();
  if (child == 0) {
    const ResultFile running(folder.path(), "m.relu.cpp.000.test", basis);
    raise(SIGKILL);
  }
  waitpid(child, nullptr, 0);
  const auto results = read_results(folder.path());
  ASSERT_EQ(results.size(), 1U);
  EXPECT_FALSE(results[0].is_complete());
  EXPECT_EQ(results[0].test, "m.relu.cpp.000.test");
  keep(folder.path(), "m.relu.cpp.000.test", "again");
  ASSERT_EQ(read_results(folder.path()).size(), 1U);
  EXPECT_EQ(read_results(folder.path())[0].record, "again");
}

TEST(KeptResults, RefusesAnotherFormat) {
  const TemporaryFolder folder;
  keep(folder.path(), "m.relu.cpp.000.test", "x");
  const auto file = folder / "m/relu.cpp.000.test.json";
  for (const std::string text : {R"({"format": 2})", "{}", "no JSON"}) {
    std::ofstream(file) << text;
    try {
      read_results(folder.path());
      ADD_FAILURE() << text;
    } catch (const std::runtime_error& error) {
      EXPECT_THAT(error.what(), HasSubstr("relu.cpp.000.test.json is no kept result: "));
      EXPECT_THAT(error.what(), HasSubstr("do: remove it and judge again"));
    }
  }
}

TEST(KeptResults, AFolderThatCannotBeWrittenIsNamed) {
  EXPECT_THROW(ResultFile("/proc/nowhere", "m.relu.cpp.000.test", basis), std::runtime_error);
  EXPECT_TRUE(read_results("/nowhere").empty());
}

TEST(Fingerprints, TellFilesApart) {
  const TemporaryFolder folder;
  const auto a = folder / "a", b = folder / "b";
  std::ofstream(a) << "one";
  std::ofstream(b) << "two";
  const std::string both = fingerprint_of_contents({a, b});
  EXPECT_NE(both, fingerprint_of_contents({b, a}));
  EXPECT_NE(both, fingerprint_of_contents({a, b}, "more"));
  const std::string times = fingerprint_of_times({a, folder / "missing"});
  EXPECT_EQ(times, fingerprint_of_times({a, folder / "missing"}));
  std::ofstream(a, std::ios::app) << " more";
  EXPECT_NE(both, fingerprint_of_contents({a, b}));
  EXPECT_NE(times, fingerprint_of_times({a, folder / "missing"}));
  EXPECT_THROW(fingerprint_of_contents({folder / "missing"}), std::runtime_error);
}

}  // namespace
}  // namespace assay::results
