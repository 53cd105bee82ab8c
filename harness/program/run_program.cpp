// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <stdexcept>

#include "assay/compile/compile_record.h"
#include "assay/program/build.h"
#include "assay/program/references.h"
#include "assay/program/run.h"
#include "assay/sandbox/log.h"
#include "assay/sandbox/sandbox.h"
#include "assay/spec/descriptor.h"
#include "python_problem.h"
#include "test_box.h"

namespace assay::program {
namespace {

namespace fs = std::filesystem;
using plan::Plan;
using problem::Problem, problem::TextFile;
using record::Verdict;

// warden.c has these numbers, too.
constexpr int kSocket = 3;
constexpr std::size_t kTokenBytes = 32, kAnswerBytes = kTokenBytes + sizeof(std::uint64_t);
constexpr int kAborted = 86, kDone = 87, kBroken = 88;

/// A secret that waits in the kernel for the test's end.
class EndToken {
 public:
  EndToken() {
    int ends[2];
    if (getrandom(secret_.data(), secret_.size(), 0) != static_cast<ssize_t>(secret_.size()) ||
        socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
      throw std::runtime_error(fmt::format("no token for the test's end: {}", std::strerror(errno)));
    ours_ = spec::Descriptor(ends[0]);
    theirs_ = spec::Descriptor(ends[1]);
    if (send(ours_.get(), secret_.data(), secret_.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(secret_.size()))
      throw std::runtime_error(fmt::format("no token for the test's end: {}", std::strerror(errno)));
  }

  int theirs() const { return theirs_.get(); }

  /// Seconds in the test's ranges, where it came back once, with these and nothing else around it.
  std::optional<double> came_back() const {
    std::array<unsigned char, kAnswerBytes + 1> got;
    std::size_t size = 0;
    while (size < got.size()) {
      const ssize_t more = recv(ours_.get(), got.data() + size, got.size() - size, MSG_DONTWAIT);
      if (more <= 0) break;
      size += static_cast<std::size_t>(more);
    }
    if (size != kAnswerBytes || !std::equal(secret_.begin(), secret_.end(), got.begin())) return {};
    std::uint64_t nanoseconds = 0;
    std::memcpy(&nanoseconds, got.data() + kTokenBytes, sizeof nanoseconds);
    return static_cast<double>(nanoseconds) * 1e-9;
  }

 private:
  std::array<unsigned char, kTokenBytes> secret_;
  spec::Descriptor ours_, theirs_;
};

Ended judge(const sandbox::Finished& finished, bool token, const Call& call, const std::string& output) {
  Ended ended;
  ended.output = output;
  const auto give = [&](Verdict verdict, std::string detail) {
    ended.verdict = verdict;
    ended.detail = std::move(detail);
    return ended;
  };
  if (finished.timed_out) return give(Verdict::timeout, fmt::format("the {} took longer than {:g} s", call.name, call.limit.count()));
  if (WIFSIGNALED(finished.status)) {
    const int signal = WTERMSIG(finished.status);
    if (signal == SIGSYS) return give(Verdict::policy, fmt::format("it made a system call that no {} needs", call.name));
    if (signal == SIGXCPU) return give(Verdict::timeout, fmt::format("the {} used too much processor time", call.name));
    return give(Verdict::crash, fmt::format("the {} died of signal {}: {}", call.name, strsignal(signal), last_line(output)));
  }
  const int status = WEXITSTATUS(finished.status);
  if (status == kDone && token) return give(Verdict::pass, "");
  if (status == kBroken) return give(Verdict::harness_error, "the filter of the test's program cannot be set up");
  if (status == kAborted) return give(Verdict::wrong_result, last_line(output));
  if (status != 0) return give(Verdict::wrong_result, fmt::format("the {} ended with status {}: {}", call.name, status, last_line(output)));
  return give(Verdict::policy, "the program ended with status 0 before the test's main had returned");
}

}  // namespace

Call test_call(const Problem& problem) {
  return {"test", is_python(problem) ? python_test_words(problem) : commands_of(problem).test, problem.seconds(), 4, {}, {}};
}

Call benchmark_call(const Problem& problem, std::vector<int> cpus) {
  const Commands commands = commands_of(problem);
  if (!commands.has_benchmark) throw NotSeparable(fmt::format("its benchmark command does not just call ./{}", commands.build.program));
  return {"benchmark", commands.benchmark, problem.benchmark_seconds(), static_cast<int>(cpus.size()), std::move(cpus), {}};
}

Ended run_program(const Plan& plan, const Problem& problem, const fs::path& program, const Call& call, const fs::path& work) {
  if (is_python(problem)) return run_python(plan, problem, program, call, work);
  fs::create_directories(work);
  write_files(problem.context, work, false);
  write_files(problem.test, work, false);
  const EndToken token;
  const sandbox::Log log;
  sandbox::ConfinedCommand command = command_in(plan, call, work);
  command.argv = {program.string()};
  command.argv.insert(command.argv.end(), call.arguments.begin(), call.arguments.end());
  command.private_copies = {program};
  command.descriptors = {{token.theirs(), kSocket}};
  command.output = log.fd();
  const auto begin = std::chrono::steady_clock::now();
  const sandbox::Finished finished = sandbox::run(command, limit_of(call));
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const std::optional<double> range_seconds = token.came_back();
  Ended ended = judge(finished, range_seconds.has_value(), call, beginning_and_end(log));
  ended.seconds = seconds;
  ended.range_seconds = range_seconds.value_or(0);
  ended.tier = sandbox::tier_of(command.layers);
  return ended;
}

Ended run_verbatim(const Plan& plan, const Problem& problem, const std::vector<TextFile>& solution, const fs::path& work) {
  Ended ended;
  fs::create_directories(work);
  for (const auto* files : {&problem.context, &problem.test, &solution}) write_files(*files, work, true);
  const Call call{"test", {}, problem.seconds(), 4, {}, {}};
  sandbox::ConfinedCommand command = command_in(plan, call, work);
  ended.tier = sandbox::tier_of(command.layers);
  const auto fail = [&](Verdict verdict, std::string detail) {
    ended.verdict = verdict;
    ended.detail = std::move(detail);
    return ended;
  };
  if (solution.empty()) return fail(Verdict::compile_error, "the solution has no file");
  for (const TextFile& file : solution)
    for (const TextFile& test : problem.test)
      if (file.path == test.path) return fail(Verdict::policy, fmt::format("the solution has the test's file {}", file.path));
  if (problem.references && !matches_as_published(*problem.references, solution))
    return fail(Verdict::policy, "the solution does not include required source references");
  command.may_start_processes = true;
  command.limits.address_space = std::uint64_t{16} << 30;
  command.limits.file_size = std::uint64_t{512} << 20;
  command.limits.open_files = 256;
  const auto shell = [&](const std::string& line) {
    const sandbox::Log log;
    command.argv = {"/bin/sh", "-c", line};
    command.output = log.fd();
    const sandbox::Finished finished = sandbox::run(command, limit_of(call));
    ended.output += beginning_and_end(log);
    return finished;
  };
  const auto begin = std::chrono::steady_clock::now();
  if (problem.build_command) {
    const sandbox::Finished built = shell(*problem.build_command);
    if (built.timed_out) return fail(Verdict::compile_timeout, fmt::format("its build took longer than {:g} s", problem.seconds().count()));
    if (built.status != 0) return fail(Verdict::compile_error, compile::first_error(ended.output));
  }
  const sandbox::Finished tested = shell(problem.test_command);
  ended.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (tested.timed_out) return fail(Verdict::timeout, fmt::format("the test took longer than {:g} s", problem.seconds().count()));
  if (tested.status != 0) return fail(Verdict::wrong_result, last_line(ended.output));
  return fail(Verdict::pass, "");
}

}  // namespace assay::program
