// SPDX-License-Identifier: Apache-2.0
// OpenCL is found by the loader's own variable, OCL_ICD_VENDORS: a folder of <driver>.icd. Here it names none, one that crashes, or
// two devices: the real programs must call that our failure, and say what to do. A driver beside the one that is used is nobody's.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "stages_fixture.h"

namespace assay {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

class Platform : public testing::Test {
 protected:
  Platform() : stages_(ASSAY, PLAN), vendors_(stages_.folder() / "vendors") {
    fs::create_directory(vendors_);
    unsetenv("ASSAY_OPENCL_DEVICE");
  }
  ~Platform() override {
    for (const char* variable : {"OCL_ICD_VENDORS", "ASSAY_OPENCL_DEVICE", "CTEST_RESOURCE_GROUP_0", "CTEST_RESOURCE_GROUP_0_GPUS"})
      unsetenv(variable);
  }

  void use_no_driver() { setenv("OCL_ICD_VENDORS", vendors_.c_str(), 1); }
  /// `driver` and no other; it lies beside its .icd, where the sandbox shows it.
  void use_driver(const fs::path& driver) {
    fs::copy_file(driver, vendors_ / driver.filename());
    std::ofstream(vendors_ / "driver.icd") << (vendors_ / driver.filename()).string() << "\n";
    use_no_driver();
  }
  static void ask_for(const char* device) { setenv("ASSAY_OPENCL_DEVICE", device, 1); }

  nlohmann::json compile() const { return record_of(stages_.compile(kCandidate)); }
  nlohmann::json test() const { return record_of(stages_.test()); }
  Printed build() const {
    return run(fmt::format("{} build {} -o {}/binary", ASSAY_OPENCL, kCandidate.string(), stages_.folder().string()));
  }
  static void expect_ours(const nlohmann::json& record, const testing::Matcher<std::string>& detail) {
    EXPECT_EQ(record["verdict"], "HARNESS_ERROR") << record;
    EXPECT_THAT(record["detail"].get<std::string>(), detail);
  }

  static inline const fs::path kCandidate = fs::path(SOURCE_FOLDER) / "references/activation/relu.cl";
  Stages stages_;
  fs::path vendors_;
};

TEST_F(Platform, NoneIsOurFailure) {
  use_no_driver();
  EXPECT_EQ(build().exit_code, 3);
  expect_ours(compile(), AllOf(HasSubstr("assay-opencl: no OpenCL device"), HasSubstr("do: install an OpenCL driver")));
}

TEST_F(Platform, CrashOnLoadIsOurFailure) {
  use_driver(CRASHING_DRIVER);
  expect_ours(compile(), AllOf(HasSubstr("assay-opencl died of signal"), HasSubstr("before it had a device"), HasSubstr("do: run"),
                               HasSubstr("assay-opencl devices")));
}

TEST_F(Platform, DriverThatAsksForASocketHarmsNoOther) {
  std::ofstream(vendors_ / "pocl.icd") << POCL_DRIVER << "\n";
  use_driver(ASKING_DRIVER);
  EXPECT_EQ(compile()["verdict"], "PASS");
  const auto record = test();
  EXPECT_EQ(record["verdict"], "PASS") << record;
}

TEST_F(Platform, SeveralDevicesAreOurFailureUntilOneIsChosen) {
  use_driver(TWIN_DRIVER);
  const auto choices = AllOf(HasSubstr("Twins/first"), HasSubstr("Twins/second"), HasSubstr("do: set it to a part of one of"));
  EXPECT_EQ(build().exit_code, 3);
  expect_ours(compile(), AllOf(HasSubstr("ASSAY_OPENCL_DEVICE is not set, and Portable Computing Language has no device"), choices));
  ask_for("TWINS");
  expect_ours(compile(), AllOf(HasSubstr("ASSAY_OPENCL_DEVICE='TWINS' matches several devices"), choices));
  ask_for("third");
  expect_ours(compile(), AllOf(HasSubstr("ASSAY_OPENCL_DEVICE='third' matches no device"), choices));
}

TEST_F(Platform, DevicesOfOneNameHaveNumbers) {
  use_driver(SAME_DRIVER);
  ask_for("first");
  expect_ours(compile(), AllOf(HasSubstr("ASSAY_OPENCL_DEVICE='first' matches several devices"), HasSubstr("Twins/first#0"),
                               HasSubstr("Twins/first#1")));
  ask_for("twins/FIRST#0");  // which aborts over the source
  EXPECT_EQ(compile()["verdict"], "COMPILE_ERROR");
  ask_for("#1");
  expect_ours(compile(), HasSubstr("clBuildProgram: CL_DEVICE_NOT_AVAILABLE"));
  ask_for("#2");
  expect_ours(compile(), HasSubstr("matches no device"));
}

/// CTest sets these for a test with RESOURCE_GROUPS.
TEST_F(Platform, AllottedResourceIsTheDevice) {
  ASSERT_EQ(compile()["verdict"], "PASS");
  setenv("CTEST_RESOURCE_GROUP_0", "gpus", 1);
  setenv("CTEST_RESOURCE_GROUP_0_GPUS", "id:0,slots:1", 1);
  const auto record = test();
  EXPECT_EQ(record["verdict"], "PASS") << record;
  EXPECT_THAT(record["device"]["selector"].get<std::string>(), testing::EndsWith("#0"));
  setenv("CTEST_RESOURCE_GROUP_0_GPUS", "id:1,slots:1", 1);
  expect_ours(test(), AllOf(HasSubstr("matches no device"), HasSubstr("#1")));
}

TEST_F(Platform, DeviceThatGoesAwayIsOurFailure) {
  use_driver(TWIN_DRIVER);
  ask_for("second");
  EXPECT_EQ(build().exit_code, 3);
  expect_ours(compile(), HasSubstr("clBuildProgram: CL_DEVICE_NOT_AVAILABLE"));
}

TEST_F(Platform, CrashOnTheSourceIsTheCandidates) {
  use_driver(TWIN_DRIVER);
  ask_for("first");
  EXPECT_EQ(compile()["verdict"], "COMPILE_ERROR");
}

TEST_F(Platform, LostAfterCompilationIsOurFailure) {
  ASSERT_EQ(compile()["verdict"], "PASS");
  use_no_driver();
  expect_ours(test(), AllOf(HasSubstr("no OpenCL device"), HasSubstr("do: install an OpenCL driver")));
  use_driver(TWIN_DRIVER);
  expect_ours(test(), AllOf(HasSubstr("matches no device"), HasSubstr("Twins/first")));
}

TEST_F(Platform, CrashOnLoadAfterCompilationIsOurFailure) {
  ASSERT_EQ(compile()["verdict"], "PASS");
  use_driver(CRASHING_DRIVER);
  expect_ours(test(), HasSubstr("did not announce itself"));
}

/// A kernel on a device with memory of its own: nothing that it does there reaches the judge unless it is brought back.
class DiscreteDevice : public Platform {
 protected:
  DiscreteDevice() { use_driver(DISCRETE_DRIVER); }

  nlohmann::json judge(const std::string& body, const std::string& scratch = "") {
    const fs::path source = stages_.folder() / "candidate.cl";
    std::ofstream(source) << fmt::format(
        "/* launch\n {}\n kernel relu global [N * C] (x, y, long(N * C){})\n*/\n"
        "__kernel void relu(__global float* x, __global float* y, long n{}) {{\n  const int i = get_global_id(0);\n  {}\n}}\n",
        scratch.empty() ? "" : "scratch " + scratch + ": float[4]", scratch.empty() ? "" : ", " + scratch,
        scratch.empty() ? "" : ", __global float* " + scratch, body);
    nlohmann::json compiled = record_of(stages_.compile(source));
    EXPECT_EQ(compiled["device"]["kind"], "gpu");
    return compiled["verdict"] == "PASS" ? test() : compiled;
  }
  static constexpr const char* kRelu = "y[i] = x[i] > 0 || isnan(x[i]) ? x[i] : 0;";
};

TEST_F(DiscreteDevice, GetsInputsAndGivesOutputsBack) { EXPECT_EQ(judge(kRelu)["verdict"], "PASS"); }

TEST_F(DiscreteDevice, LeavesNoResultWhereNothingIsWritten) {
  const auto record = judge("if (i == -1) y[i] = x[i];");
  EXPECT_EQ(record["verdict"], "WRONG_RESULT") << record;
}

TEST_F(DiscreteDevice, WritesBesideABufferAreSeen) {
  for (const auto& [where, what] : {std::pair("y[-1]", "accessed 4 bytes before output 0"), std::pair("y[n + 1000]", "accessed byte"),
                                    std::pair("x[-3]", "accessed 12 bytes before input 0"), std::pair("s[4000]", "of scratch")}) {
    const auto record = judge(fmt::format("{} if (i == 0) {} = 1;", kRelu, where), "s");
    EXPECT_EQ(record["verdict"], "OUT_OF_BOUNDS") << where << record;
    EXPECT_THAT(record["detail"].get<std::string>(), HasSubstr(what));
  }
}

TEST_F(DiscreteDevice, WritesToAnInputAreSeen) {
  const auto record = judge(fmt::format("{} if (i == n - 1) x[i] = 42;", kRelu));
  EXPECT_EQ(record["verdict"], "INPUT_MODIFIED") << record;
  EXPECT_THAT(record["detail"].get<std::string>(), HasSubstr("wrote to input 0"));
}

TEST_F(DiscreteDevice, IsTimedAgainstItsOwnLimits) {
  stages_.take_task(relu_timed_at("N: 16, C: 16384"));
  ASSERT_EQ(judge(kRelu)["verdict"], "PASS");
  const auto record = record_of(stages_.bench());
  ASSERT_TRUE(record.contains("efficiency")) << record;  // a busy machine may leave it undecided
  EXPECT_GT(record["device"]["copy_gbps"], 0.1);
  EXPECT_GT(record["device"]["gflops"], 0.1);
  const double share = record["gbps"].get<double>() / record["device"]["copy_gbps"].get<double>();
  EXPECT_NEAR(record["efficiency"].get<double>(), std::min(share, 1.0), 0.01 * share);
}

TEST_F(Platform, TellsUsageFromSource) {
  EXPECT_EQ(run(fmt::format("{} build x", ASSAY_OPENCL)).exit_code, 2);
  EXPECT_EQ(build().exit_code, 0);
  const fs::path source = stages_.folder() / "wrong.cl";
  std::ofstream(source) << "__kernel void f() { return 1 }\n";
  EXPECT_EQ(run(fmt::format("{} build {} -o {}/binary", ASSAY_OPENCL, source.string(), stages_.folder().string())).exit_code, 1);
}

}  // namespace
}  // namespace assay
