// SPDX-License-Identifier: Apache-2.0
// Each file hostile/<VERDICT>.<what>.<suffix> is judged by the real programs and must get the verdict that its name says.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <future>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>
#include <thread>

#include "stages_fixture.h"

namespace {

namespace fs = std::filesystem;
using assay::Printed;
using assay::record_of;
using assay::relu_timed_at;
using assay::run;

class Stages : public assay::Stages {
 public:
  explicit Stages(const std::string& profile = "", const std::string& cache = "warm", const char* plan = PLAN)
      : assay::Stages(ASSAY, plan, profile, cache) {}
};

/// Empty where the backend is off.
std::string plan_of(const fs::path& candidate) { return candidate.extension() == ".cl" ? OPENCL_PLAN : PLAN; }

std::vector<fs::path> hostile_files() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(HOSTILE_FOLDER))
    if (!plan_of(entry.path()).empty()) files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

class Hostile : public testing::TestWithParam<fs::path> {};

TEST_P(Hostile, GetsItsVerdict) {
  const Stages stages("", "warm", plan_of(GetParam()).c_str());
  const nlohmann::json record = stages.judge(GetParam());
  const std::string name = GetParam().stem().string();
  EXPECT_EQ(record["verdict"], name.substr(0, name.find('.'))) << record;
  EXPECT_EQ(record["detail"].get<std::string>().empty(), record["verdict"] == "PASS");
}

INSTANTIATE_TEST_SUITE_P(Kernels, Hostile, testing::ValuesIn(hostile_files()), [](const auto& test) {
  std::string name = test.param.filename().string();
  std::ranges::replace_if(
      name, [](char c) { return !isalnum(static_cast<unsigned char>(c)); }, '_');
  return name;
});

TEST(Compile, CannotReadTheReferenceOrTheHarness) {
  const Stages stages;
  const fs::path source = stages.folder() / "steal.cpp";
  std::ofstream(source) << "#include \"kernel.h\"\n#include \"" << HOSTILE_FOLDER << "/PASS.prints_megabytes.cpp\"\n";
  EXPECT_EQ(stages.judge(source)["verdict"], "COMPILE_ERROR");
}

TEST(Compile, JudgesOddFilesWithoutFailing) {
  const Stages stages;
  const auto verdict = [&](const fs::path& source) {
    const nlohmann::json record = stages.judge(source);
    return std::pair(record["verdict"].get<std::string>(), record["detail"].get<std::string>());
  };
  std::ofstream(stages.folder() / "empty.cpp");
  EXPECT_EQ(verdict(stages.folder() / "empty.cpp"), std::pair("COMPILE_ERROR" + std::string(), std::string("the source is empty")));
  { std::ofstream(stages.folder() / "huge.cpp") << std::string(100 << 20, ' '); }
  EXPECT_NE(verdict(stages.folder() / "huge.cpp").second.find("104857600 bytes, more than the limit"), std::string::npos);
  fs::create_symlink("/nowhere", stages.folder() / "dangling.cpp");
  EXPECT_NE(verdict(stages.folder() / "dangling.cpp").second.find("is a symbolic link"), std::string::npos);
  fs::create_directory(stages.folder() / "folder");
  EXPECT_NE(verdict(stages.folder() / "folder").second.find("the folder has no file .cpp"), std::string::npos);
}

/// The real files of the libraries that this test itself has loaded.
std::set<fs::path> loaded_libraries() {
  std::set<fs::path> libraries;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);)
    if (const std::size_t at = line.find('/'); at != line.npos && line.find(".so") != line.npos) libraries.insert(line.substr(at));
  return libraries;
}

TEST(Compile, SeesNoLibraryButTheToolchains) {  // .incbin takes any file that the assembler can read into a candidate
  const Stages stages;
  const auto toolchain = nlohmann::json::parse(std::ifstream(nlohmann::json::parse(std::ifstream(PLAN))["toolchain"].get<std::string>()));
  std::set<fs::path> shown;
  for (const auto& path : toolchain["readable"]) shown.insert(fs::weakly_canonical(path.get<std::string>()));
  int hidden = 0;
  for (const fs::path& library : loaded_libraries()) {
    if (shown.contains(library)) continue;
    const fs::path source = stages.folder() / "takes.cpp";
    std::ofstream(source) << "#include \"kernel.h\"\nasm(\".section .rodata\\n.incbin \\\"" << library.string() << "\\\"\\n.text\\n\");\n"
                          << "void relu(const float*, float*, int64_t, int64_t) {}\n";
    const nlohmann::json record = stages.judge(source);
    EXPECT_EQ(record["verdict"], "COMPILE_ERROR") << record;
    EXPECT_NE(record["detail"].get<std::string>().find("file not found"), std::string::npos) << record;
    ++hidden;
  }
  EXPECT_GT(hidden, 0);
}

TEST(Compile, TakesNoFileOfSomebodyElse) {
  const Stages stages;
  const fs::path other = stages.folder() / "other.cpp", link = stages.folder() / "000.cpp", folder = stages.folder() / "001";
  std::ofstream(other)
      << "#include \"kernel.h\"\nvoid relu(const float* x, float* y, int64_t N, int64_t C) { for (int64_t i = 0; i < N * C; ++i) "
         "y[i] = x[i] > 0 || x[i] != x[i] ? x[i] : 0; }\n";
  ASSERT_EQ(stages.judge(other)["verdict"], "PASS");
  const auto refused = [&](const fs::path& source, const char* why) {
    const nlohmann::json record = stages.judge(source);
    EXPECT_EQ(record["verdict"], "COMPILE_ERROR") << record;
    EXPECT_NE(record["detail"].get<std::string>().find(why), std::string::npos) << record;
  };
  fs::create_symlink(other, link);
  refused(link, "000.cpp is a symbolic link");
  fs::remove(link);
  fs::create_hard_link(other, link);
  refused(link, "000.cpp is a hard link");
  fs::remove(link);
  fs::create_directory(folder);
  fs::copy(other, folder / "kernel.cpp");
  fs::create_symlink("/etc/passwd", folder / "names.h");
  refused(folder, "names.h is a symbolic link");
  ASSERT_EQ(mkfifo((stages.folder() / "002.cpp").c_str(), 0600), 0);
  refused(stages.folder() / "002.cpp", "neither a file nor a folder");
}

TEST(Compile, TakesAFolderOfSeveralFiles) {
  const Stages stages;
  const fs::path folder = stages.folder() / "several";
  fs::create_directory(folder);
  std::ofstream(folder / "part.h") << "float positive(float x);\n";
  std::ofstream(folder / "part.cpp") << "#include \"part.h\"\nfloat positive(float x) { return x > 0 || x != x ? x : 0; }\n";
  std::ofstream(folder / "main.cpp") << "#include \"kernel.h\"\n#include \"part.h\"\nvoid relu(const float* x, float* y, int64_t N, "
                                        "int64_t C) { for (int64_t i = 0; i < N * C; ++i) y[i] = positive(x[i]); }\n";
  EXPECT_EQ(stages.judge(folder)["verdict"], "PASS");
}

TEST(Test, JudgesByAnotherSystemsRules) {
  const auto record_by = [](const std::string& profile) {
    const Stages stages(profile);
    const fs::path source = stages.folder() / "coarse.cpp";
    std::ofstream(source)
        << "#include \"kernel.h\"\nvoid relu(const float* x, float* y, int64_t N, int64_t C) { for (int64_t i = 0; i < N * C; "
           "++i) y[i] = (x[i] > 0 ? x[i] : 0) + 0.00009f; }\n";
    return stages.judge(source);
  };
  EXPECT_EQ(record_by("")["verdict"], "WRONG_RESULT");
  EXPECT_EQ(record_by("kernelbench")["verdict"], "PASS");
  EXPECT_EQ(record_by("kernelbench")["profile"], "kernelbench");
}

TEST(Test, ReplaysASeed) {
  const Stages stages;
  stages.judge(fs::path(HOSTILE_FOLDER) / "WRONG_RESULT.no_tail.cpp");
  ASSERT_EQ(stages.call("cases", "--seed 42").exit_code, 0);
  const nlohmann::json first = record_of(stages.test());
  ASSERT_EQ(stages.call("cases", "--seed 42").exit_code, 0);
  EXPECT_EQ(first, record_of(stages.test()));
  EXPECT_EQ(first["seed"], "0x2387f2cd3cc15b8ce98f1e30621faf256ea6e5d992025d5e6b9ac309114a021c");
}

TEST(Tier, WeakerThanRequiredIsOurFailure) {
  Stages stages;
  const fs::path source = fs::path(HOSTILE_FOLDER) / "PASS.prints_megabytes.cpp";
  ASSERT_EQ(stages.judge(source)["verdict"], "PASS");  // the probe has left what this machine offers
  stages.require_where_reduced("full");
  const nlohmann::json refused = stages.judge(source);
  EXPECT_EQ(refused["verdict"], "HARNESS_ERROR");
  EXPECT_NE(refused["detail"].get<std::string>().find("needs the sandbox tier full, got reduced"), std::string::npos) << refused;
}

TEST(Tier, IsThatOfTheBoxThatCallsTheCandidate) {
  Stages stages;
  const fs::path source = fs::path(HOSTILE_FOLDER) / "PASS.prints_megabytes.cpp";
  stages.judge(source);
  stages.require_where_reduced("reduced");
  EXPECT_EQ(stages.judge(source)["tier"], "reduced");
}

TEST(Doctor, SaysWhatTheMachineOffers) {
  const Printed printed = run(ASSAY " doctor --require-tier none");
  EXPECT_EQ(printed.exit_code, 0);
  for (const char* part : {"  sandbox    ", " + limits", "  processors ", "  memory ", "  state      governor "})
    EXPECT_NE(printed.text.find(part), std::string::npos) << part << printed.text;
  const Printed unknown = run(ASSAY " doctor --require-tier most");
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_NE(unknown.text.find("unknown sandbox tier 'most'. known: full reduced none"), std::string::npos) << unknown.text;
}

TEST(Sample, IsADecimalNumber) {
  const Stages stages;
  EXPECT_EQ(stages.judge(fs::path(HOSTILE_FOLDER) / "PASS.prints_megabytes.cpp")["sample"], 8);
  const Printed bad = run(fmt::format("{} test --plan x --run r --prefix p --sample 1000", assay::judge_program(ASSAY)));
  EXPECT_EQ(bad.exit_code, 2);
  EXPECT_NE(bad.text.find("must be a number from 0 to 999, got '1000'"), std::string::npos) << bad.text;
}

TEST(Test, TakesGoogleTestsFlags) {
  const Stages stages;
  stages.judge(fs::path(HOSTILE_FOLDER) / "PASS.prints_megabytes.cpp");
  const Printed one = stages.call("test", stages.candidate() + " --gtest_filter=relu.smallest");
  EXPECT_EQ(record_of(one)["verdict"], "PASS");
  EXPECT_EQ(record_of(one)["cases"]["passed"], 1);
  EXPECT_NE(one.text.find("[       OK ] relu.smallest ("), std::string::npos) << one.text;
  const Printed unknown = stages.call("test", stages.candidate() + " --no_such_flag");
  EXPECT_EQ(record_of(unknown)["verdict"], "HARNESS_ERROR");
  EXPECT_EQ(record_of(unknown)["detail"], "assay-judge test: unknown flag --no_such_flag. do: see --help and GoogleTest's flags");
}

TEST(Test, PrintsHowAFailureIsSeenAgain) {
  const Stages stages;
  const nlohmann::json wrong = stages.judge(fs::path(HOSTILE_FOLDER) / "WRONG_RESULT.no_tail.cpp");
  const Printed failed = stages.test();
  EXPECT_EQ(record_of(failed)["verdict"], "WRONG_RESULT");
  const std::string repro = fmt::format("repro: ASSAY_SEED={} ctest --test-dir ", wrong["seed"].get<std::string>());
  const std::size_t at = failed.text.find(repro);
  ASSERT_NE(at, std::string::npos) << failed.text;
  EXPECT_TRUE(failed.text.substr(0, failed.text.find('\n', at)).ends_with(" -R '^hostile.relu.cpp.008.test$'")) << failed.text;
  EXPECT_NE(failed.text.find("[  FAILED  ] relu."), std::string::npos) << failed.text;
  stages.judge(fs::path(HOSTILE_FOLDER) / "PASS.prints_megabytes.cpp");
  EXPECT_EQ(stages.test().text.find("repro:"), std::string::npos);
}

TEST(Test, KeepsWhatTheCandidatePrints) {
  const Stages stages;
  const fs::path kept = stages.folder() / "kernel.output.txt";
  stages.judge(fs::path(HOSTILE_FOLDER) / "PASS.prints_megabytes.cpp");
  EXPECT_GT(fs::file_size(kept), 0u);
  std::ofstream(stages.folder() / "says.cpp")
      << "#include <cstdio>\n#include \"kernel.h\"\nvoid relu(const float* x, float* y, int64_t N, int64_t C) {"
         " std::fputs(\"a word of the kernel's\\n\", stderr); for (int64_t i = 0; i < N * C; ++i) y[i] = x[i] > 0 || x[i] != x[i] ? x[i] : "
         "0; }\n";
  EXPECT_EQ(stages.judge(stages.folder() / "says.cpp")["verdict"], "PASS");
  std::ifstream in(kept);
  const std::string printed{std::istreambuf_iterator<char>(in), {}};
  EXPECT_TRUE(printed.starts_with("a word of the kernel's\n")) << "and nothing of the kernel before it: " << printed.substr(0, 200);
}

TEST(Test, TakesNoFlagsOfOtherTests) {
  const Stages stages;
  setenv("GTEST_FILTER", "theirs.*", 1);
  setenv("GTEST_TOTAL_SHARDS", "5", 1);
  setenv("GTEST_SHARD_INDEX", "2", 1);
  const nlohmann::json record = stages.judge(fs::path(HOSTILE_FOLDER) / "PASS.prints_megabytes.cpp");
  for (const char* name : {"GTEST_FILTER", "GTEST_TOTAL_SHARDS", "GTEST_SHARD_INDEX"}) unsetenv(name);
  EXPECT_EQ(record["verdict"], "PASS") << record;
  EXPECT_EQ(record["cases"]["passed"], record["cases"]["planned"]) << record;
}

TEST(Test, SaysWhereWhatIsPrintedCannotBeKept) {
  const Stages stages;
  const char* const note = "what the candidate prints is not kept";
  stages.judge(fs::path(HOSTILE_FOLDER) / "PASS.prints_megabytes.cpp");
  EXPECT_EQ(stages.test().text.find(note), std::string::npos);
  fs::remove(stages.folder() / "kernel.output.txt");
  fs::create_directories(stages.folder() / "kernel.output.txt/full");
  const Printed printed = stages.test();
  EXPECT_EQ(record_of(printed)["verdict"], "PASS");
  EXPECT_NE(printed.text.find(note), std::string::npos) << printed.text;
}

TEST(Test, WithoutCasesIsOurFailure) {
  const Stages stages;
  stages.judge(fs::path(HOSTILE_FOLDER) / "PASS.prints_megabytes.cpp");
  fs::remove(stages.folder() / "cases.bin");
  const Printed printed = stages.call("test", stages.candidate());
  EXPECT_EQ(record_of(printed)["verdict"], "HARNESS_ERROR");
  EXPECT_EQ(printed.exit_code, 3);
}

TEST(Test, SaysWhetherASecondCallGivesTheSameBytes) {
  const Stages stages;
  EXPECT_EQ(stages.judge(fs::path(HOSTILE_FOLDER) / "PASS.prints_megabytes.cpp")["repeatable"], true);
  std::ofstream(stages.folder() / "signs.cpp")
      << "#include \"kernel.h\"\nvoid relu(const float* x, float* y, int64_t N, int64_t C) { static bool first; first = !first;"
         " for (int64_t i = 0; i < N * C; ++i) y[i] = x[i] > 0 || x[i] != x[i] ? x[i] : first ? 0.0f : -0.0f; }\n";
  const nlohmann::json record = stages.judge(stages.folder() / "signs.cpp");
  EXPECT_EQ(record["verdict"], "PASS") << record;
  EXPECT_EQ(record["repeatable"], false);
}

TEST(Test, ABoxThatCannotStartIsOurFailure) {
  Stages stages;
  stages.judge(fs::path(HOSTILE_FOLDER) / "PASS.prints_megabytes.cpp");
  stages.take_box((stages.folder() / "nothing").string());
  const Printed printed = stages.test();
  EXPECT_EQ(record_of(printed)["verdict"], "HARNESS_ERROR");
  EXPECT_EQ(printed.exit_code, 3);
  const std::string why = record_of(printed)["detail"];
  EXPECT_NE(why.find("nothing"), std::string::npos) << why;
  EXPECT_EQ(printed.text.find("[       OK ]"), std::string::npos) << printed.text;
  EXPECT_NE(printed.text.find("the harness failed in an earlier case"), std::string::npos) << printed.text;
}

/// A candidate of relu that writes its output `passes` times over, each time from what the pass before has left.
std::string relu_in_passes(int passes) {
  return fmt::format(
      "#include \"kernel.h\"\nvoid relu(const float* x, float* y, int64_t N, int64_t C) {{"
      " for (int pass = 0; pass < {}; ++pass) {{ const float* from = pass == 0 ? x : y; asm volatile(\"\" ::: \"memory\");"
      " for (int64_t i = 0; i < N * C; ++i) y[i] = from[i] > 0 || from[i] != from[i] ? from[i] : 0; }} }}\n",
      passes);
}

/// All but the judge's.
int processors_of_boxes() {
  cpu_set_t mine;
  sched_getaffinity(0, sizeof mine, &mine);
  const int count = CPU_COUNT(&mine);
  return count > 1 ? count - 1 : 1;
}

nlohmann::json timed(const Stages& stages, const std::string& source) {
  std::ofstream(stages.folder() / "timed.cpp") << source;
  EXPECT_EQ(stages.judge(stages.folder() / "timed.cpp")["verdict"], "PASS");
  const nlohmann::json record = record_of(stages.bench());
  EXPECT_TRUE(record["verdict"] == "PASS" || record["verdict"] == "INCONCLUSIVE") << record;
  return record;
}

TEST(Bench, TimesAgainstTheBaseline) {
  Stages stages("", "cold");
  stages.take_task(relu_timed_at("N: 61, C: 16384"));
  const nlohmann::json record = timed(stages, relu_in_passes(50)), speedup = record["speedup"];
  EXPECT_EQ(record["effort"], "quick");
  EXPECT_EQ(record["launches"], 5);
  EXPECT_EQ(record["pairs"], 4);
  EXPECT_EQ(record["baseline"], "eigen");
  EXPECT_EQ(record["tier"], record_of(stages.test())["tier"]);
  EXPECT_EQ(record["seed"].get<std::string>().size(), 2u + 64) << record;
  const double rate = record["gbps"].get<double>();
  EXPECT_NEAR(rate * record["time_ns"].get<double>(), 2 * 4 * 61 * 16384, 0.51 * rate)
      << "read and written once; the time is rounded: " << record;
  EXPECT_EQ(record["shapes"].size(), 1u);
  EXPECT_EQ(record["shapes"][0]["dims"], nlohmann::json({{"N", 61}, {"C", 16384}}));
  EXPECT_EQ(record["cache"], "cold");
  EXPECT_EQ(record["threads"]["baseline"], 1);
  EXPECT_EQ(record["threads"]["candidate"], processors_of_boxes());
  EXPECT_GT(record["overhead_ns"], 0) << record;
  double folds = 0;
  for (const nlohmann::json& fold : record["folds"]) folds += std::log(fold.get<double>()) / 5;
  EXPECT_NEAR(std::exp(folds), speedup["estimate"], 1e-9) << record;
  // Where the judge does not stand behind its figures, there is nothing to hold against them.
  if (record["verdict"] == "INCONCLUSIVE") GTEST_SKIP() << "the machine is too busy: " << record["detail"];
  // The baseline makes one pass.
  EXPECT_LT(speedup["high"], 1) << record;
  EXPECT_GT(record["time_ns"], record["baseline_ns"]) << record;
  const double by_medians = record["baseline_ns"].get<double>() / record["time_ns"].get<double>();
  EXPECT_GT(speedup["estimate"], by_medians / 4) << record;
  EXPECT_LT(speedup["estimate"], by_medians * 4) << record;
  EXPECT_LT(speedup["at_least"], speedup["estimate"]) << record;
}

TEST(Bench, PrintsGoogleBenchmarksLines) {
  Stages stages;
  stages.take_task(relu_timed_at("N: 61, C: 4096"));
  std::ofstream(stages.folder() / "timed.cpp") << relu_in_passes(1);
  ASSERT_EQ(stages.judge(stages.folder() / "timed.cpp")["verdict"], "PASS");
  const Printed printed = stages.bench();
  const nlohmann::json record = record_of(printed);
  EXPECT_EQ(record["cache"], "warm");
  std::istringstream lines(printed.text);
  int launches = 0;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("hostile.relu.cpp.008/C=4096,N=61/iterations:4/repeats:5/manual_time ")) continue;
    ++launches;
    std::smatch found;
    ASSERT_TRUE(std::regex_search(line, found, std::regex(" ([0-9.]+) us .*baseline_s=([0-9.]+)[a-z]? speedup=([0-9.]+)"))) << line;
    EXPECT_GT(std::stod(found[1]), 0) << line;
    EXPECT_GT(std::stod(found[3]), 0) << line;
  }
  EXPECT_EQ(launches, 5) << printed.text;
}

TEST(Bench, TakesGoogleBenchmarksFlags) {
  const Stages stages;
  const fs::path source = fs::path(HOSTILE_FOLDER) / "PASS.prints_megabytes.cpp";
  ASSERT_EQ(stages.judge(source)["verdict"], "PASS");
  stages.bench();
  const auto refused = [&](const char* flag, const char* why) {
    const Printed printed = stages.call("bench", stages.candidate() + " " + flag);
    const nlohmann::json record = record_of(printed);
    EXPECT_EQ(record["verdict"], "HARNESS_ERROR") << record;
    EXPECT_NE(record["detail"].get<std::string>().find(why), std::string::npos) << record;
    EXPECT_EQ(printed.exit_code, 3);
  };
  refused("--benchmark_filter=no_such_launch", "not every planned launch was run. do: leave out flags that choose benchmarks");
  refused("--benchmark_no_such_flag", "unknown flag. do: see --help and Google Benchmark's flags");
}

TEST(Bench, OfAnUnknownStateOfTheCachesIsOurFailure) {
  const Stages stages("", "hot");
  ASSERT_EQ(stages.judge(fs::path(HOSTILE_FOLDER) / "PASS.prints_megabytes.cpp")["verdict"], "PASS");
  const nlohmann::json record = record_of(stages.bench());
  EXPECT_EQ(record["verdict"], "HARNESS_ERROR");
  EXPECT_EQ(record["detail"], "bench: unknown state of the caches 'hot'. known: warm cold");
}

TEST(Bench, WithoutTimingIsOurFailure) {
  Stages stages;
  std::string task = relu_timed_at("N: 61, C: 4096");
  stages.take_task(task.replace(task.find("cpu:"), 4, "gpu:"));
  ASSERT_EQ(stages.judge(fs::path(HOSTILE_FOLDER) / "PASS.prints_megabytes.cpp")["verdict"], "PASS");
  const nlohmann::json record = record_of(stages.bench());
  EXPECT_EQ(record["verdict"], "HARNESS_ERROR");
  EXPECT_EQ(record["detail"], "bench: task relu has no timing: cpu");
}

TEST(Bench, WhoseBaselineDoesNotStartIsOurFailure) {
  Stages stages;
  ASSERT_EQ(stages.judge(fs::path(HOSTILE_FOLDER) / "PASS.prints_megabytes.cpp")["verdict"], "PASS");
  stages.take_baseline("/bin/false");
  const Printed printed = stages.bench();
  EXPECT_EQ(record_of(printed)["verdict"], "HARNESS_ERROR");
  EXPECT_NE(record_of(printed)["detail"].get<std::string>().find("/bin/false did not announce itself"), std::string::npos) << printed.text;
  EXPECT_NE(printed.text.find("the harness failed"), std::string::npos) << printed.text;
}

/// Launches after the first that fails have nothing to time.
TEST(Bench, EndsWithTheFirstLaunchThatFails) {
  Stages stages;
  stages.take_task(relu_timed_at("N: 61, C: 4096"));
  const fs::path source = stages.folder() / "aborts.cpp";
  std::ofstream(source)
      << "#include <cstdlib>\n#include \"kernel.h\"\nvoid relu(const float* x, float* y, int64_t N, int64_t C) {\n"
         "  if (N * C == 61 * 4096) std::abort();\n  for (int64_t i = 0; i < N * C; ++i) y[i] = x[i] < 0 ? 0 : x[i];\n}\n";
  ASSERT_EQ(stages.judge(source)["verdict"], "PASS");
  const Printed printed = stages.bench();
  EXPECT_EQ(record_of(printed)["verdict"], "CRASH");
  std::size_t later = 0;
  for (std::size_t at = 0; (at = printed.text.find("an earlier launch failed", at)) != printed.text.npos; ++at) ++later;
  EXPECT_EQ(later, 4u) << printed.text;
}

/// Whoever builds while candidates are timed.
TEST(Bench, OfALibraryThatIsReplacedMeanwhileIsOurFailure) {
  Stages stages;
  ASSERT_EQ(stages.judge(fs::path(HOSTILE_FOLDER) / "PASS.prints_megabytes.cpp")["verdict"], "PASS");
  stages.bench();  // the machine is measured once
  auto timing = std::async(std::launch::async, [&] { return record_of(stages.bench()); });
  std::this_thread::sleep_for(std::chrono::seconds(1));
  const fs::path library = stages.folder() / "kernel.so", other = stages.folder() / "other.so";
  fs::copy_file(library, other);
  fs::rename(other, library);
  const nlohmann::json record = timing.get();
  EXPECT_EQ(record["verdict"], "HARNESS_ERROR") << record;
  EXPECT_NE(record["detail"].get<std::string>().find("was compiled again while it ran. do: run ctest again"), std::string::npos) << record;
}

TEST(Bench, RecordsTheDevice) {
  const fs::path source = fs::path(HOSTILE_FOLDER) / "PASS.two_kernels_and_scratch.cl";
  if (plan_of(source).empty()) GTEST_SKIP() << "the backend opencl is off";
  const Stages stages("", "warm", plan_of(source).c_str());
  const nlohmann::json tested = stages.judge(source);
  ASSERT_EQ(tested["verdict"], "PASS") << tested;
  const nlohmann::json timed = record_of(stages.bench());
  EXPECT_EQ(timed["device"], tested["device"]) << timed;
  EXPECT_FALSE(timed["device"]["name"].get<std::string>().empty()) << timed;
}

TEST(Bench, FindsLessThanHalfOfTheWorkFaster) {
  Stages stages;
  stages.take_task(relu_timed_at("N: 16, C: 16384", 50));
  const nlohmann::json record = timed(stages, relu_in_passes(20));
  if (record["verdict"] == "INCONCLUSIVE") GTEST_SKIP() << "the machine is too busy: " << record["detail"];
  EXPECT_GT(record["speedup"]["low"], 1) << record;
  EXPECT_GT(record["baseline_ns"], record["time_ns"]) << record;
}

struct InPlace {
  const char* body;
  const char* verdict;
};

TEST(Judge, CallsWithOutputsInPlace) {
  Stages stages;
  stages.take_function("step",
                       "summary: A step.\ndifficulty: 1\nmodel: |\n  step (float[N] x, float[N] g) => (float[N] y)\n  { y = Sub(x, g) }\n"
                       "in_place: {y: x}\ndims: {N: [1, 999]}\ntiming:\n  cpu: {dims: {N: 300000}}\n");
  for (const auto& [body, verdict] :
       {InPlace{"", "PASS"}, InPlace{"if (i % 2) return;", "WRONG_RESULT"}, InPlace{"((float*)g)[i] = 0;", "INPUT_MODIFIED"},
        InPlace{"if (i == N - 1) x[N + 3] = 0;", "OUT_OF_BOUNDS"},
        InPlace{"static int calls; if (++calls > 5) continue;", "WRONG_RESULT"}}) {
    std::ofstream(stages.folder() / "step.cpp") << fmt::format(
        "#include \"kernel.h\"\nvoid step(float* x, const float* g, int64_t N) {{ for (int64_t i = 0; i < N; ++i) {{ {} x[i] -= g[i]; }} "
        "}}\n",
        body);
    const nlohmann::json record = stages.judge(stages.folder() / "step.cpp");
    EXPECT_EQ(record["verdict"], verdict) << body << record;
    if (record["verdict"] != "PASS") continue;
    const nlohmann::json timing = record_of(stages.bench());
    EXPECT_TRUE(timing["verdict"] == "PASS" || timing["verdict"] == "INCONCLUSIVE") << timing;
  }
}

TEST(Bench, KnowsThatAnUpdateInPlaceLeavesTheRest) {
  Stages stages;
  stages.take_function(
      "put",
      "summary: One row of a table.\ndifficulty: 1\nmodel: |\n"
      "  put (float[N, C] table, int64[1, 1] row, float[1, C] x) => (float[N, C] new_table)\n"
      "  { shape = Shape(x)\n    index = Expand(row, shape)\n    new_table = ScatterElements <axis = 0> (table, index, x) }\n"
      "in_place: {new_table: table}\ninputs:\n  row: {init: index, of: N}\n"
      "dims: {N: [1, 70], C: [1, 70]}\ntiming:\n  cpu: {dims: {N: 2048, C: 2048}}\n");
  std::ofstream(stages.folder() / "put.cpp") << "#include \"kernel.h\"\n#include <cstring>\n"
                                                "void put(float* table, const int64_t* row, const float* x, int64_t N, int64_t C) {\n"
                                                "  (void)N;\n  std::memcpy(table + row[0] * C, x, sizeof(float) * C);\n}\n";
  ASSERT_EQ(stages.judge(stages.folder() / "put.cpp")["verdict"], "PASS");
  const nlohmann::json record = record_of(stages.bench());
  EXPECT_TRUE(record["verdict"] == "PASS" || record["verdict"] == "INCONCLUSIVE") << record;
  if (record["gbps"].is_number()) {
    EXPECT_LT(record["gbps"].get<double>() * record["time_ns"].get<double>(), 1e6)
        << "the bytes of a row or two, not of the table: " << record;
  }
}

TEST(Bench, NoticesACandidateThatWakesItself) {
  const Stages stages;
  std::ofstream(stages.folder() / "sleepless.cpp")
      << "#include <signal.h>\n#include <time.h>\n#include \"kernel.h\"\n"
         "static timer_t alarm_clock() { signal(SIGCONT, [](int) {}); sigevent wake{}; wake.sigev_notify = SIGEV_SIGNAL;"
         " wake.sigev_signo = SIGCONT; timer_t timer{}; timer_create(CLOCK_MONOTONIC, &wake, &timer); return timer; }\n"
         "void relu(const float* x, float* y, int64_t N, int64_t C) { static const timer_t timer = alarm_clock();"
         " for (int64_t i = 0; i < N * C; ++i) y[i] = x[i] > 0 || x[i] != x[i] ? x[i] : 0;"
         " const itimerspec soon{{0, 0}, {0, 5000000}}; timer_settime(timer, 0, &soon, nullptr); }\n";
  ASSERT_EQ(run(fmt::format("{} machine --out {}/machine.json", assay::judge_program(ASSAY), stages.folder().string())).exit_code, 0);
  nlohmann::json record = stages.judge(stages.folder() / "sleepless.cpp");
  if (record["verdict"] == "PASS") record = record_of(stages.call("bench", stages.candidate()));
  EXPECT_EQ(record["verdict"], "POLICY") << record;
}

TEST(Canary, TimesTheBaselineAgainstItself) {
  Stages stages;
  stages.take_task(relu_timed_at("N: 61, C: 16384"));
  const Printed printed = stages.call("canary", fmt::format("--out {}/canary.json", stages.folder().string()));
  ASSERT_EQ(printed.exit_code, 0) << printed.text;
  ASSERT_EQ(printed.text.rfind("canary: {", 0), 0u) << printed.text;
  const auto canary = nlohmann::json::parse(printed.text.substr(8, printed.text.find('\n') - 8));
  // More launches than ten where the machine is busy, up to forty: then the interval may be wider.
  const double low = canary["low99"], high = canary["high99"];
  EXPECT_GE(canary["launches"], 10);
  EXPECT_TRUE(canary["launches"] == 40 || (high - low) / 2 <= 0.035) << canary;
  // The truth is 1, and ten launches on a busy machine are that good.
  EXPECT_LT(low, 1.1) << canary;
  EXPECT_GT(high, 0.9) << canary;
  EXPECT_GT(canary["time_ns"], 20'000) << canary;  // it writes 4 MB
  EXPECT_LT(canary["time_ns"], 1'000'000'000) << canary;
  std::ifstream file(stages.folder() / "canary.json");
  EXPECT_EQ(nlohmann::json::parse(file), canary);
}

TEST(Bench, ChecksWhatItTimes) {
  const Stages stages;
  stages.judge(fs::path(HOSTILE_FOLDER) / "PASS.prints_megabytes.cpp");
  stages.judge(fs::path(HOSTILE_FOLDER) / "WRONG_RESULT.no_tail.cpp");
  std::ofstream(stages.folder() / "timed.cpp") << "#include \"kernel.h\"\nvoid relu(const float* x, float* y, int64_t N, int64_t C) {"
                                                  " const int64_t n = N * C < 1000000 ? N * C : N * C - 1; for (int64_t i = 0; i < n; ++i) "
                                                  "y[i] = x[i] > 0 || x[i] != x[i] ? x[i] : 0; }\n";
  EXPECT_EQ(stages.judge(stages.folder() / "timed.cpp")["verdict"], "PASS");
  EXPECT_EQ(record_of(stages.bench())["verdict"], "WRONG_RESULT");
}

/// What a task's own limits refuse passes under the usual ones.
TEST(Limits, AreTheTasksOwn) {
  Stages stages;
  const fs::path source = stages.folder() / "candidate.cpp";
  const auto judged = [&](const std::string& once) {
    std::ofstream(source) << fmt::format(R"(
#include <unistd.h>
#include <new>
#include "kernel.h"
void relu(const float* x, float* y, int64_t N, int64_t C) {{
  static bool first = true;
  if (first) {{ {} }}
  first = false;
  for (int64_t i = 0; i < N * C; ++i) y[i] = x[i] < 0 ? 0 : x[i];
}}
)",
                                         once);
    return stages.judge(source);
  };
  const char* const sleeps = "usleep(1500000);";
  // What the allocator reserves for each thread comes on top of a limit.
  const auto most_threads = std::size_t{std::thread::hardware_concurrency()};
  const std::string allocates = fmt::format("::operator delete(::operator new({}));", (std::size_t{1} << 30) + (most_threads << 26));
  EXPECT_EQ(judged(sleeps)["verdict"], "PASS");
  EXPECT_EQ(judged(allocates)["verdict"], "PASS");
  stages.limit(1, 2560);
  const nlohmann::json late = judged(sleeps);
  EXPECT_EQ(late["verdict"], "TIMEOUT");
  EXPECT_NE(late["detail"].get<std::string>().find("a call took longer than 1 s"), std::string::npos) << late;
  stages.limit(10, 512);
  EXPECT_EQ(judged(sleeps)["verdict"], "PASS");
  const nlohmann::json greedy = judged(allocates);
  EXPECT_EQ(greedy["verdict"], "MEMORY_LIMIT");
  EXPECT_NE(greedy["detail"].get<std::string>().find("the limit of 0.5 GiB"), std::string::npos) << greedy;
}

TEST(Limits, OfNothingAreABadPlan) {
  Stages stages;
  stages.limit(0, 512);
  const Printed tested = stages.test();
  EXPECT_NE(tested.text.find("time_limit must be 1 to 1048576, got 0"), std::string::npos) << tested.text;
}

/// A task that verify.cpp judges, with kernels that were written to a file.
class VerifiedTask : public testing::Test {
 protected:
  VerifiedTask() {
    const fs::path task = fs::path(VERIFIED_TASKS) / "math/by_any_order";
    stages_.take_harness("by_any_order", task / "harness", BY_ANY_ORDER);
    std::ifstream in(task / "task.yaml");
    stages_.take_function("by_any_order", std::string(std::istreambuf_iterator<char>(in), {}));
  }
  nlohmann::json judge(const std::string& body) const {
    const fs::path source = stages_.folder() / "kernel_source.cpp";
    std::ofstream(source) << "#include <cstdio>\n#include <cmath>\n#include <cstdlib>\n#include <initializer_list>\n#include \"kernel.h\"\n"
                          << "void by_any_order(const float* x, float* y, int64_t* index, int64_t N) {\n"
                          << body << "\n}\n";
    return stages_.judge(source);
  }

  Stages stages_;
};

TEST_F(VerifiedTask, TakesEveryRightAnswer) {
  EXPECT_EQ(judge("for (int64_t i = 0; i < N; ++i) y[i] = x[i], index[i] = i;")["verdict"], "PASS");
  EXPECT_EQ(judge("for (int64_t i = 0; i < N; ++i) y[i] = x[N - 1 - i], index[i] = N - 1 - i;")["verdict"], "PASS");
}

TEST_F(VerifiedTask, CallsWrongWhateverElseIsWritten) {
  for (const char* body :
       {"", "for (int64_t i = 0; i < N; ++i) y[i] = x[i], index[i] = 0;",
        "for (int64_t i = 0; i < N; ++i) y[i] = x[i] * 1.001f, index[i] = i;",
        "for (int64_t i = 0; i < N; ++i) y[i] = x[i], index[i] = INT64_MAX - i;",
        "for (int64_t i = 0; i < N; ++i) y[i] = x[i], index[i] = -1 - i;", "for (int64_t i = 0; i < N; ++i) y[i] = NAN, index[i] = i;",
        "for (int64_t i = 0; i < N; ++i) y[i] = 3e38f, index[i] = i;"}) {
    const nlohmann::json record = judge(body);
    EXPECT_EQ(record["verdict"], "WRONG_RESULT") << body << record["detail"];
  }
}

TEST_F(VerifiedTask, HidesItsSourcesAndItsLibrary) {
  const std::string files =
      fmt::format("{{\"{}\", \"{}/math/by_any_order/harness/verify.cpp\", \"{}/activation/by_any_order/harness/verify.cpp\"}}",
                  BY_ANY_ORDER, VERIFIED_TASKS, stages_.folder().string());
  // A right kernel, unless it sees one of them.
  const nlohmann::json record =
      judge("for (const char* file : std::initializer_list<const char*>" + files +
            ") if (std::fopen(file, \"r\")) std::abort();\nfor (int64_t i = 0; i < N; ++i) y[i] = x[i], index[i] = i;");
  EXPECT_EQ(record["verdict"], "PASS") << record["detail"];
}

}  // namespace
