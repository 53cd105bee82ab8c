// SPDX-License-Identifier: Apache-2.0
#include "ctest.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <memory>
#include <stdexcept>

#include "assay/spec/descriptor.h"
#include "assay/spec/whole_file.h"

extern char** environ;

namespace assay::command {
namespace {

namespace fs = std::filesystem;
constexpr int kTestsFailed = 8;

/// Runs ctest with its output in a pipe; returns its exit code.
int run(std::vector<std::string> words, const std::function<void(std::string_view)>& on_line) {
  words.insert(words.begin(), "ctest");
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error(fmt::format("no pipe to ctest: {}", std::strerror(errno)));
  spec::Descriptor writer(ends[1]);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
  pid_t child = 0;
  const int error = posix_spawnp(&child, "ctest", &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  writer.close();
  const std::unique_ptr<FILE, int (*)(FILE*)> in(fdopen(ends[0], "r"), fclose);
  if (error != 0) throw std::runtime_error(fmt::format("ctest cannot be started: {}. do: install CMake", std::strerror(error)));
  std::string line;
  for (int c = 0; (c = std::getc(in.get())) != EOF;) {
    if (c != '\n') {
      line += static_cast<char>(c);
      continue;
    }
    on_line(line);
    line.clear();
  }
  if (!line.empty()) on_line(line);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

[[noreturn]] void fail(int code, const std::string& last) {
  throw std::runtime_error(fmt::format("ctest failed with exit code {}: {}", code, last.empty() ? "it says nothing" : last));
}

/// "  Test  #12: m.relu.cpp.000.test"; CTest runs none that is marked as (Disabled).
bool parse_listed(std::string_view line, ListedTest& test) {
  const auto mark = line.find('#');
  if (mark == std::string_view::npos || line.substr(0, mark).find("Test") == std::string_view::npos || line.ends_with("(Disabled)"))
    return false;
  const auto [end, error] = std::from_chars(line.data() + mark + 1, line.data() + line.size(), test.number);
  const std::string_view rest = line.substr(static_cast<std::size_t>(end - line.data()));
  if (error != std::errc() || !rest.starts_with(": ")) return false;
  test.name = rest.substr(2, rest.find(' ', 2) - 2);
  return true;
}

}  // namespace

std::vector<ListedTest> list_tests(const fs::path& build, const std::vector<std::string>& arguments) {
  std::vector<std::string> words = {"--test-dir", build.string(), "-N"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<ListedTest> tests;
  std::string last;
  const int code = run(words, [&](std::string_view line) {
    if (ListedTest test; parse_listed(line, test)) tests.push_back(std::move(test));
    else if (!line.empty()) last = line;
  });
  if (code != 0) fail(code, last);
  return tests;
}

std::vector<std::string> list_labels(const fs::path& build) {
  std::vector<std::string> labels;
  std::string last;
  const int code = run({"--test-dir", build.string(), "--print-labels"}, [&](std::string_view line) {
    if (line.starts_with("  ")) labels.emplace_back(line.substr(2));
    else if (!line.empty()) last = line;
  });
  if (code != 0) fail(code, last);
  return labels;
}

void run_ctest(const CTestRun& wanted, const std::function<void(std::string_view)>& on_line) {
  // A range that holds no test, then single ones; CTest reads one line of a file.
  const fs::path chosen = fs::absolute(wanted.build / "kernelassay" / "chosen_tests.txt");
  spec::write_whole_file("evaluate", chosen, fmt::format("1,0,1,{}\n", fmt::join(wanted.numbers, ",")));
  std::vector<std::string> words = {"--test-dir",
                                    wanted.build.string(),
                                    "-I",
                                    chosen.string(),
                                    "-FA",
                                    wanted.excluded_fixtures,
                                    "--parallel",
                                    std::to_string(wanted.jobs),
                                    "--output-junit",
                                    fs::absolute(wanted.junit).string()};
  if (wanted.verbose) words.emplace_back("--output-on-failure");
  std::string last;
  const int code = run(words, [&](std::string_view line) {
    on_line(line);
    if (!line.empty()) last = line;
  });
  if (code != 0 && code != kTestsFailed) fail(code, last);
}

}  // namespace assay::command
