// SPDX-License-Identifier: Apache-2.0
// What assay-cuda says of candidates and machines, and how its box looks after memory. Candidates are compiled for real. What runs them is
// fake_driver.cpp, which has two equal devices, and a host's function for the name of each kernel.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

#include "stages_fixture.h"

namespace assay {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

class Cuda : public testing::Test {
 protected:
  Cuda() : stages_(ASSAY, PLAN) {
    stages_.pass_variable("LD_LIBRARY_PATH");
    forget();
  }
  ~Cuda() override { forget(); }

  static void forget() {
    for (const char* variable : {"ASSAY_CUDA_DEVICE", "ASSAY_CUDA_ARCH"}) unsetenv(variable);
    setenv("LD_LIBRARY_PATH", library_path().c_str(), 1);
  }
  /// The user's own, who may keep libraries that the tools need there.
  static const std::string& library_path() {
    static const std::string path = getenv("LD_LIBRARY_PATH") == nullptr ? "" : getenv("LD_LIBRARY_PATH");
    return path;
  }
  static bool has_gpu() { return fs::exists("/dev/nvidiactl"); }
  static void use_driver() { setenv("LD_LIBRARY_PATH", fmt::format("{}:{}", DRIVER_FOLDER, library_path()).c_str(), 1); }

  /// A file with this launch block and code.
  nlohmann::json compile(const std::string& block, const std::string& code) const {
    const fs::path source = stages_.folder() / "candidate.cu";
    std::ofstream(source) << fmt::format("/* launch\n{}\n*/\n{}\n", block, code);
    return record_of(stages_.compile(source));
  }
  static std::string kernel(const std::string& name, const std::string& parameters = "const float* x, float* y, long long n") {
    return fmt::format("extern \"C\" __global__ void {}({}) {{}}\n", name, parameters);
  }
  /// Compiled and run by the fake driver as the kernel of that name.
  nlohmann::json judge(const std::string& name, const std::string& more = "") const {
    use_driver();
    nlohmann::json compiled =
        compile(fmt::format("kernel {} grid [div_up(N * C, 64)] block [64] (x, y, long(N * C))", name), kernel(name) + more);
    return compiled["verdict"] == "PASS" ? record_of(stages_.test()) : compiled;
  }
  /// As judge(), then timed. The shape is small: the fake device is one processor.
  nlohmann::json time(const std::string& name, const std::string& more = "") {
    stages_.take_task(
        "summary: s\ndifficulty: 1\nmodel: |\n  relu (float[N, C] x) => (float[N, C] y)\n  { y = Relu(x) }\ndims: {N: 7, C: 33}\n"
        "timing:\n  cpu: {dims: {N: 64, C: 1024}}\n");
    judge(name, more);
    return record_of(stages_.bench());
  }
  static void expect(const nlohmann::json& record, const std::string& verdict, const testing::Matcher<std::string>& detail) {
    EXPECT_EQ(record["verdict"], verdict) << record;
    EXPECT_THAT(record["detail"].get<std::string>(), detail);
  }

  Stages stages_;
};

TEST_F(Cuda, CompilesWhereNoDriverIs) {
  if (has_gpu()) GTEST_SKIP() << "a GPU is here, and its driver";
  const auto record = record_of(stages_.compile(fs::path(SOURCE_FOLDER) / "references/activation/relu.cu"));
  EXPECT_EQ(record["verdict"], "PASS") << record;
  EXPECT_EQ(record["device"]["name"], "sm_90a");
  EXPECT_EQ(record["device"]["driver"], "none");
  expect(record_of(stages_.test()), "HARNESS_ERROR", HasSubstr("no CUDA driver"));
}

TEST_F(Cuda, CompilesForTheArchitectureThatIsAskedFor) {
  setenv("ASSAY_CUDA_ARCH", "sm_80", 1);
  EXPECT_EQ(
      compile("kernel relu grid [1] block [1] (x, y, N)", "#if __CUDA_ARCH__ != 800\n#error other\n#endif\n" + kernel("relu"))["verdict"],
      "PASS");
  use_driver();
  expect(record_of(stages_.test()), "HARNESS_ERROR", AllOf(HasSubstr("built for sm_80 fits none"), HasSubstr("Fake GPU/sm_90a#0")));
  for (const auto& [asked, said] : {std::pair("sm_9000", "does not compile for sm_9000"), std::pair("hopper", "must be like sm_90")}) {
    setenv("ASSAY_CUDA_ARCH", asked, 1);
    expect(compile("kernel relu grid [1] block [1] (x, y, N)", kernel("relu")), "HARNESS_ERROR", HasSubstr(said));
  }
}

TEST_F(Cuda, SaysWhatIsWrongWithASource) {
  const std::string block = "kernel relu grid [1] block [1] (x, y, long(N * C))";
  expect(compile(block, "extern \"C\" __global__ void relu(float* x) { return 1 }"), "COMPILE_ERROR", HasSubstr("candidate.cu(4): error:"));
  expect(compile(block, "#include \"/etc/passwd\"\n" + kernel("relu")), "COMPILE_ERROR", HasSubstr("cannot open source file"));
  expect(compile(block, "#include <vector>\n" + kernel("relu")), "COMPILE_ERROR", HasSubstr("cannot open source file"));
  expect(compile(block, "int relu() { return 1; }"), "COMPILE_ERROR", HasSubstr("host function"));
  expect(compile(block, "__global__ void relu(float* x, float* y, long long n) {}"), "COMPILE_ERROR",
         AllOf(HasSubstr("'relu' is not in the program"), HasSubstr("extern \"C\"")));
}

TEST_F(Cuda, SaysWhatIsWrongWithALaunchBlock) {
  const auto says = [&](const std::string& statement, const std::string& what, const std::string& code = kernel("relu")) {
    expect(compile(statement, code), "COMPILE_ERROR", HasSubstr(what));
  };
  says("kernel relu grid [1] block [1] (x, y)", "has 3 parameters. got: 2 arguments");
  says("kernel relu global [64] (x, y, N)", "has no block size");
  says("kernel relu grid [1] block [1] (x, y, int(N))", "parameter 3 has 8 bytes. got: an int of 4");
  says("kernel relu grid [1] block [1] (x, y, N)", "parameter 3 has 4 bytes. got: a long of 8",
       kernel("relu", "float* x, float* y, int n"));
  says("kernel relu grid [1] block [1] (x, y, local float[4])", "argument 3 is local, which CUDA has not");
  says("kernel relu grid [1] (x, y, N)", "expected 'block'");
}

TEST_F(Cuda, IncludesTheToolkitsHeadersAndKernelH) {
  const std::string code =
      "#include \"kernel.h\"\n#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n#include <mma.h>\n#include <cooperative_groups.h>\n"
      "#include <cooperative_groups/reduce.h>\n#include <cuda/barrier>\n#include <cub/block/block_reduce.cuh>\n"
      "#include <cuda_runtime.h>\n#include <math.h>\n#include <cfloat>\n#include <cstdint>\n#include <climits>\n"
      "extern \"C\" __global__ void relu(const float* x, float* y, int64_t n) { y[0] = n > INT_MAX ? FLT_MAX : INFINITY; }\n";
  const auto record = compile("kernel relu grid [1] block [1] (x, y, N)", code);
  EXPECT_EQ(record["verdict"], "PASS") << record;
}

TEST_F(Cuda, TellsUsageFromSource) {
  EXPECT_EQ(run(fmt::format("{} build x", ASSAY_CUDA)).exit_code, 2);
  if (!has_gpu()) {
    EXPECT_EQ(run(fmt::format("{} devices", ASSAY_CUDA)).exit_code, 3);
  }
  EXPECT_EQ(run(fmt::format("{} measure", ASSAY_CUDA)).exit_code, 3);
}

TEST_F(Cuda, IsToldWhichNvrtcCompiles) {
  std::ofstream(stages_.folder() / "x.cu") << kernel("relu");
  const auto build = [&](const std::string& options) {
    return run(fmt::format("{} build {} {}/x.cu -o {}/x", ASSAY_CUDA, options, stages_.folder().string(), stages_.folder().string())).text;
  };
  EXPECT_THAT(build("-std=c++20"), HasSubstr("do: name its file first, --nvrtc=<file>"));
  EXPECT_THAT(build("--nvrtc=/nowhere/libnvrtc.so.1"),
              AllOf(HasSubstr("no NVRTC: /nowhere/libnvrtc.so.1"), HasSubstr("do: install the CUDA toolkit")));
  EXPECT_THAT(build("--nvrtc=/bin/true"), HasSubstr("NVRTC must be a file libnvrtc.so*. got: '/bin/true'"));
}

TEST_F(Cuda, NumbersEqualDevices) {
  use_driver();
  const Printed listed = run(fmt::format("{} devices", ASSAY_CUDA));
  EXPECT_THAT(listed.text, AllOf(HasSubstr("Fake GPU/sm_90a#0"), HasSubstr("Fake GPU/sm_90a#1"), HasSubstr("GPU-a1a1a1a1-a1a1-")));
  const auto chosen = [&](const char* asked) {
    setenv("ASSAY_CUDA_DEVICE", asked, 1);
    return compile("kernel relu grid [1] block [1] (x, y, N)", kernel("relu"));
  };
  EXPECT_EQ(chosen("")["device"]["selector"], "Fake GPU/sm_90a#0");
  for (const char* asked : {"#1", "fake gpu#1", "GPU-a1a1", "Fake GPU/sm_90a#1"})
    EXPECT_EQ(chosen(asked)["device"]["selector"], "Fake GPU/sm_90a#1");
  expect(chosen("fake"), "HARNESS_ERROR", AllOf(HasSubstr("fits several"), HasSubstr("Fake GPU/sm_90a#1")));
  expect(chosen("#2"), "HARNESS_ERROR", HasSubstr("fits none"));
}

/// A limit that is too low accuses kernels which write as fast as the device's memory takes it.
TEST_F(Cuda, WritesAtLeastAsFastAsItCopies) {
  use_driver();
  const Printed measured = run(fmt::format("{} measure --device 'Fake GPU/sm_90a#0' --cache {}", ASSAY_CUDA, stages_.folder().string()));
  ASSERT_EQ(measured.exit_code, 0) << measured.text;
  const auto peaks = nlohmann::json::parse(measured.text);
  EXPECT_GE(peaks["writing"], peaks["bandwidth"]) << peaks;
}

TEST_F(Cuda, RunsAKernelAndTellsItsTime) {
  const auto record = judge("relu");
  EXPECT_EQ(record["verdict"], "PASS") << record;
  EXPECT_EQ(record["device"]["kind"], "gpu");
}

TEST_F(Cuda, LeavesNoResultWhereNothingIsWritten) { expect(judge("nothing"), "WRONG_RESULT", HasSubstr("got nan")); }

TEST_F(Cuda, SeesAccessesBesideABuffer) {
  expect(judge("reads_beyond"), "OUT_OF_BOUNDS", HasSubstr("accessed memory beyond its buffers (CUDA_ERROR_ILLEGAL_ADDRESS)"));
  expect(judge("writes_beyond"), "OUT_OF_BOUNDS", HasSubstr("accessed memory beyond its buffers"));
  expect(judge("writes_before"), "OUT_OF_BOUNDS", HasSubstr("accessed 4 bytes before output 0"));
  expect(judge("writes_far_before"), "OUT_OF_BOUNDS", HasSubstr("accessed 400000 bytes before output 0"));
  // Up to the alignment there is memory, or there is none, by the count of elements.
  expect(judge("writes_close_beyond"), "OUT_OF_BOUNDS", HasSubstr("accessed"));
}

TEST_F(Cuda, SeesWritesToAnInput) { expect(judge("writes_its_input"), "INPUT_MODIFIED", HasSubstr("wrote to input 0")); }

TEST_F(Cuda, LoadsAProgramWithVariablesAnewForEachCall) {
  EXPECT_EQ(judge("works_once", "__device__ int state;\nextern \"C\" __global__ void uses() { ++state; }\n")["verdict"], "PASS");
  EXPECT_EQ(judge("works_once", "__constant__ float factor;\nextern \"C\" __global__ void uses(float* y) { *y = factor; }\n")["verdict"],
            "PASS");
  EXPECT_EQ(
      judge("works_once", "const int table[2] = {3, 4};\nextern \"C\" __global__ void uses(int* y) { *y = table[*y % 2]; }\n")["verdict"],
      "PASS");
  EXPECT_EQ(
      judge(
          "works_once",
          "extern \"C\" __global__ void uses(int* y) {\n"
          "  asm volatile(\"{ .global .u32 state; ld.global.u32 %0, [state]; st.global.u32 [state], 7; }\" : \"=r\"(*y));\n}\n")["verdict"],
      "PASS");
  EXPECT_NE(judge("works_once")["verdict"], "PASS");
  // A constant that has become part of the code is no state, wherever the compiler keeps it.
  EXPECT_NE(judge("works_once", "constexpr int kTwo = 2;\nextern \"C\" __global__ void uses(int* y) { *y *= kTwo; }\n")["verdict"], "PASS");
}

TEST_F(Cuda, IsPreparedOnIntegersThatLeadSomewhere) {
  use_driver();
  stages_.take_task(
      "summary: s\ndifficulty: 1\nmodel: |\n  relu (int64[N] x, float[V] table) => (float[N] y)\n  { y = Gather(table, x) }\n"
      "dims: {N: [1, 200], V: [500, 900]}\ninputs:\n  x: {init: index, of: V}\ntiming:\n  cpu: {dims: {N: 64, V: 1024}}\n");
  const auto compiled = compile("kernel looks_up grid [1] block [1] (x, y, long(N), table)",
                                kernel("looks_up", "const long long* x, float* y, long long n, const float* table"));
  ASSERT_EQ(compiled["verdict"], "PASS") << compiled;
  const auto record = record_of(stages_.test());
  EXPECT_EQ(record["verdict"], "PASS") << record;
}

TEST_F(Cuda, TimesBatchesByTheDevicesClock) {
  const auto record = time("takes_a_while");
  EXPECT_TRUE(record["verdict"] == "PASS" || record["verdict"] == "INCONCLUSIVE") << record;  // a busy machine
  EXPECT_GT(record["time_ns"], 2e6);
  EXPECT_EQ(record["time_ns"], record["device_ns"]);
  EXPECT_GT(record["judge_ns"], 1e6);
  EXPECT_EQ(record["cache"], "cold");
  EXPECT_EQ(record["device_before"]["sm_mhz"], 1980);
  EXPECT_THAT(record["device_after"]["throttled"].dump(), HasSubstr("power cap"));
}

TEST_F(Cuda, DoesNotBelieveEventsThatHideTime) {
  const auto record = time("hides_time");
  // Where others wait for a processor all the time, the judge may have waited too: it says less, and believes as little.
  const bool undecided = record["noise"]["pressure"] > 0.8 && record["verdict"] == "INCONCLUSIVE";
  expect(record, undecided ? "INCONCLUSIVE" : "SUSPECT_FAST",
         AllOf(HasSubstr("takes 5 us by the device's clock"), HasSubstr("by the judge's")));
}

TEST_F(Cuda, KeepsTheInputsOfABatchWhereNoCallFindsThem) { EXPECT_TRUE(time("looks_around").contains("time_ns")); }

TEST_F(Cuda, LoadsAProgramWithVariablesAnewForEachCallOfABatch) {
  EXPECT_TRUE(time("works_once", "__device__ int state;\nextern \"C\" __global__ void uses() { ++state; }\n").contains("time_ns"));
  EXPECT_FALSE(time("works_once").contains("time_ns"));
}

TEST_F(Cuda, ChecksEveryCallOfABatch) {
  expect(time("nothing"), "WRONG_RESULT", HasSubstr("timed call: "));
  expect(time("writes_before"), "OUT_OF_BOUNDS", HasSubstr("accessed 4 bytes before output 0"));
  expect(time("writes_far_before"), "OUT_OF_BOUNDS", HasSubstr("before output 0"));
  expect(time("reads_beyond"), "OUT_OF_BOUNDS", HasSubstr("CUDA_ERROR_ILLEGAL_ADDRESS"));
  expect(time("writes_its_input"), "INPUT_MODIFIED", HasSubstr("wrote to input 0, to one of the 16384 bytes from byte"));
}

TEST_F(Cuda, ZeroesScratchAndAsksForSharedMemory) {
  use_driver();
  const std::string parameters = "const float* x, float* y, long long n, int* done";
  const auto judged = [&](const std::string& zero, const std::string& shared) {
    const auto compiled = compile(
        fmt::format("scratch done: int[1] {}\nkernel wants_zero grid [1] block [1] shared [{}] (x, y, long(N * C), done)", zero, shared),
        kernel("wants_zero", parameters));
    return compiled["verdict"] == "PASS" ? record_of(stages_.test()) : compiled;
  };
  EXPECT_EQ(judged("zero", "100 * 1024")["verdict"], "PASS");
  EXPECT_NE(judged("", "100 * 1024")["verdict"], "PASS");
  expect(judged("zero", "300 * 1024"), "CRASH", HasSubstr("local memory of 307200 bytes. the device has 232448"));
}

}  // namespace
}  // namespace assay
