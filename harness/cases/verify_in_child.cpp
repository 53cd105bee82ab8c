// SPDX-License-Identifier: Apache-2.0
// The child writes records to a pipe, each a kind, a length and as many bytes; "done" is the last. Whatever else it prints or does
// is nobody's answer.
#include "verify_in_child.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <stdexcept>

namespace assay::cases {
namespace {

using oracle::HarnessTensor;

constexpr char kResidual = 'r', kRefused = 'w', kFailed = 'f', kDone = 'd';
constexpr std::size_t kMostAnswer = 1 << 20, kMostText = 1000;

void write_all(int to, const void* bytes, std::size_t count) {
  const auto* at = static_cast<const char*>(bytes);
  while (count > 0) {
    const ssize_t written = write(to, at, count);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) _exit(1);
    at += written;
    count -= static_cast<std::size_t>(written);
  }
}

void write_record(int to, char kind, const std::string& body) {
  const auto length = static_cast<std::uint32_t>(body.size());
  write_all(to, &kind, 1);
  write_all(to, &length, sizeof length);
  write_all(to, body.data(), body.size());
}

template <char kind>
void write_text(void* to, const char* what) {
  write_record(*static_cast<int*>(to), kind, std::string(what).substr(0, kMostText));
}

void write_residual(void* to, const char* name, double value, double bound) {
  std::string body(2 * sizeof(double), '\0');
  std::memcpy(body.data(), &value, sizeof value);
  std::memcpy(body.data() + sizeof value, &bound, sizeof bound);
  write_record(*static_cast<int*>(to), kResidual, body + std::string(name).substr(0, kMostText));
}

/// In the child: never returns.
[[noreturn]] void work(oracle::HarnessEntry entry, const std::vector<harness::RawTensor>& inputs,
                       const std::vector<harness::RawTensor>& outputs, int to) {
  for (const int end : {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV}) signal(end, SIG_DFL);  // handlers are the judge's
  const harness::RawCall call{harness::kVersion, inputs.data(),        outputs.data(),     inputs.size(), outputs.size(), &to,
                              write_residual,    write_text<kRefused>, write_text<kFailed>};
  entry(&call);
  write_record(to, kDone, "");
  _exit(0);
}

/// use(kind, body) for each whole record.
template <class Use>
void each_record(const std::string& answer, Use use) {
  std::uint32_t length = 0;
  for (std::size_t at = 0; at + 1 + sizeof length <= answer.size();) {
    const char kind = answer[at];
    std::memcpy(&length, answer.data() + at + 1, sizeof length);
    at += 1 + sizeof length;
    if (length > answer.size() - at) return;
    use(kind, answer.substr(at, length));
    at += length;
  }
}

bool is_done(const std::string& answer) {
  bool done = false;
  each_record(answer, [&](char kind, const std::string&) { done = done || kind == kDone; });
  return done;
}

/// Everything that the child writes, to the last record or its end; nothing where it takes too long or says too much.
std::optional<std::string> read_answer(int from) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(kVerifySeconds);
  std::string answer;
  char bytes[4096];
  while (answer.size() <= kMostAnswer) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now()).count();
    pollfd ready{from, POLLIN, 0};
    const int polled = left <= 0 ? 0 : poll(&ready, 1, static_cast<int>(left));
    if (polled < 0 && errno == EINTR) continue;
    if (polled <= 0) return {};
    const ssize_t got = read(from, bytes, sizeof bytes);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return answer;
    answer.append(bytes, static_cast<std::size_t>(got));
    if (is_done(answer)) return answer;  // another thread's child may hold this pipe open, too
  }
  return {};
}

Verification parsed(const std::string& answer, int status) {
  Verification said;
  each_record(answer, [&](char kind, const std::string& body) {
    if (kind == kRefused) said.refused = body;
    if (kind == kFailed) said.failure = fmt::format("threw '{}'", body);
    if (kind == kResidual && body.size() >= 2 * sizeof(double)) {
      Residual residual{body.substr(2 * sizeof(double)), 0, 0};
      std::memcpy(&residual.value, body.data(), sizeof(double));
      std::memcpy(&residual.bound, body.data() + sizeof(double), sizeof(double));
      said.residuals.push_back(std::move(residual));
    }
  });
  if (is_done(answer)) return said;
  said.failure = WIFSIGNALED(status) ? fmt::format("ended by signal {}", WTERMSIG(status)) : "ended its process";
  return said;
}

}  // namespace

Verification verify_in_child(oracle::HarnessEntry entry, std::vector<HarnessTensor>& inputs, std::vector<HarnessTensor>& outputs) {
  // Whatever the child needs of the heap's order is made before: the judge has several threads.
  std::vector<harness::RawTensor> raw_inputs, raw_outputs;
  for (HarnessTensor& tensor : inputs) raw_inputs.push_back(tensor.raw());
  for (HarnessTensor& tensor : outputs) raw_outputs.push_back(tensor.raw());
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error(fmt::format("verify: no pipe: {}", std::strerror(errno)));
  const pid_t parent = getpid(), child = fork();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1);
    close(ends[0]);
    work(entry, raw_inputs, raw_outputs, ends[1]);
  }
  const int error = errno;
  close(ends[1]);
  if (child < 0) {
    close(ends[0]);
    throw std::runtime_error(fmt::format("verify: no process: {}. do: check the limits of memory and processes", std::strerror(error)));
  }
  const std::optional<std::string> answer = read_answer(ends[0]);
  close(ends[0]);
  if (!answer) kill(child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!answer) return {{}, {}, fmt::format("did not answer within {} seconds", kVerifySeconds)};
  return parsed(*answer, status);
}

}  // namespace assay::cases
