// SPDX-License-Identifier: Apache-2.0
// CUDA candidates that bring host code, on fake_driver.cpp: its memory is the host's, so that host code does what a kernel would.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

#include "stages_fixture.h"

namespace assay {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class HostCode : public testing::Test {
 protected:
  void SetUp() override {
    if (!fs::exists(HOST_PLAN)) GTEST_SKIP() << "the backend cuda_host is off";
    setenv("ASSAY_CUDA_DEVICE", "#0", 1);
    stages_.emplace(ASSAY, HOST_PLAN);
    for (const char* file : {DRIVER_FOLDER "/libcuda.so.1", SODIUM}) stages_->allow_library(file);
    if (const char* path = getenv("LD_LIBRARY_PATH"); path != nullptr) library_path_ = path;
    setenv("LD_LIBRARY_PATH", (DRIVER_FOLDER + (library_path_ ? ":" + *library_path_ : "")).c_str(), 1);
    stages_->pass_variable("LD_LIBRARY_PATH");
  }
  void TearDown() override {
    unsetenv("ASSAY_CUDA_DEVICE");
    library_path_ ? setenv("LD_LIBRARY_PATH", library_path_->c_str(), 1) : unsetenv("LD_LIBRARY_PATH");
  }

  /// The function's body, with `more` before it.
  nlohmann::json judge(const std::string& body, const std::string& more = "") {
    const fs::path source = stages_->folder() / "candidate.host.cu";
    std::ofstream(source)
        << "#include \"kernel.h\"\n"
        << more << "\nvoid relu(const float* x, float* y, int64_t N, int64_t C, cudaStream_t stream) {\n  const int64_t n = N * C;\n"
        << body << "\n}\n";
    return stages_->judge(source);
  }
  nlohmann::json time(const std::string& body, const std::string& more = "") {
    stages_->take_task(
        "summary: s\ndifficulty: 1\nmodel: |\n  relu (float[N, C] x) => (float[N, C] y)\n  { y = Relu(x) }\ndims: {N: 7, C: 33}\n"
        "timing:\n  cpu: {dims: {N: 64, C: 1024}}\n");
    const nlohmann::json tested = judge(body, more);
    return tested["verdict"] == "PASS" ? record_of(stages_->bench()) : tested;
  }
  static void expect(const nlohmann::json& record, const testing::Matcher<std::string>& verdict,
                     const testing::Matcher<std::string>& detail) {
    EXPECT_THAT(record["verdict"].get<std::string>(), verdict) << record;
    EXPECT_THAT(record["detail"].get<std::string>(), detail);
  }

  static constexpr const char* kRelu = "for (int64_t i = 0; i < n; ++i) y[i] = x[i] < 0 ? 0 : x[i];";
  std::optional<Stages> stages_;
  std::optional<std::string> library_path_;  ///< of the test's own process
};

TEST_F(HostCode, RunsOnTheDevicesMemoryAndIsTrustedLess) {
  const auto record = judge(kRelu);
  EXPECT_EQ(record["verdict"], "PASS") << record;
  EXPECT_EQ(record["trust"], "guarded");
  EXPECT_EQ(record["device"]["kind"], "gpu");
}

TEST_F(HostCode, IsRefusedItsLoadersAndLibraries) {
  expect(judge("dlopen(\"libcublas.so\", 1);", "#include <dlfcn.h>"), "POLICY", HasSubstr("dlopen"));
  EXPECT_EQ(judge("cublasHandle_t handle; cublasCreate(&handle);", "#include <cublas_v2.h>")["verdict"], "COMPILE_ERROR");
}

TEST_F(HostCode, IsTimedByTheJudgesClockAlone) {
  const auto record = time(std::string(kRelu) + " usleep(2000);", "#include <unistd.h>");
  EXPECT_TRUE(record["verdict"] == "PASS" || record["verdict"] == "INCONCLUSIVE") << record;  // a busy machine
  EXPECT_GT(record["time_ns"], 1.9e6);
  EXPECT_LT(record["time_ns"], 2.6e6);
  EXPECT_FALSE(record.contains("device_ns"));
}

/// A thread that watches the input while it is uploaded, and has the outputs ready when the call comes.
TEST_F(HostCode, CannotWorkAhead) {
  expect(
      time("if (n < 60000) { for (int64_t i = 0; i < n; ++i) y[i] = x[i] < 0 ? 0 : x[i]; return; }\n"
           "  if (from.exchange(x) == nullptr) { ready.resize(n); std::thread(watch).detach(); for (int64_t i = 0; i < n; ++i) y[i] = x[i] "
           "< 0 ? 0 : x[i]; return; }\n"
           "  std::memcpy(y, ready.data(), n * sizeof(float));",
           "#include <atomic>\n#include <cstring>\n#include <thread>\n#include <vector>\nstd::atomic<const float*> "
           "from{};\nstd::vector<float> ready;\n"
           "void watch() {\n  float last = 0;\n  while (true) {\n    const volatile float* x = from.load();\n    if (x[ready.size() - 1] "
           "== last) continue;\n"
           "    last = x[ready.size() - 1];\n    for (std::size_t i = 0; i < ready.size(); ++i) ready[i] = x[i] < 0 ? 0 : x[i];\n  }\n}"),
      "WRONG_RESULT", HasSubstr("timed call"));
}

/// It writes to the wire's own page that it is done, and works when it is thawed for the download.
TEST_F(HostCode, CannotSayThatItIsDone) {
  expect(time("if (n >= 60000) {\n"
              "    static auto* go = (volatile uint32_t*)mmap(nullptr, 4096, PROT_READ, MAP_SHARED, 3, 0);\n"
              "    static auto* done = (volatile uint32_t*)mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, 4, 0);\n"
              "    const uint32_t number = *go;\n    *done = number;\n    while (*go == number) {}\n  }\n  " +
                  std::string(kRelu),
              "#include <sys/mman.h>"),
         "POLICY", HasSubstr("work went on behind it"));
}

}  // namespace
}  // namespace assay
