// SPDX-License-Identifier: Apache-2.0
#include "child.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <set>
#include <stdexcept>

extern char** environ;

namespace assay::score {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t kMostOutput = std::size_t{256} << 10;

std::runtime_error not_started(const std::string& program) {
  return std::runtime_error(
      fmt::format("{} cannot be started: {}. do: check the limits of memory, processes and descriptors", program, std::strerror(errno)));
}

/// Those that somebody waits for; all other dead children are orphans.
std::mutex children_mutex;
std::set<pid_t> children;

/// Pointers to the texts, and the null that ends them.
std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> made;
  for (std::string& text : texts) made.push_back(text.data());
  made.push_back(nullptr);
  return made;
}

/// This process' variables and `more`, of which a name comes once. What CTest says is for its own tests.
std::vector<std::string> environment_with(const std::vector<std::string>& more) {
  const auto name = [](const std::string& variable) { return variable.substr(0, variable.find('=') + 1); };
  std::vector<std::string> all = more;
  for (char** each = environ; *each != nullptr; ++each) {
    const std::string variable = *each;
    const bool given = std::ranges::any_of(more, [&](const std::string& other) { return name(other) == name(variable); });
    if (!given && name(variable) != "ASSAY_SEED=" && !variable.starts_with("CTEST_RESOURCE_GROUP")) all.push_back(variable);
  }
  return all;
}

/// In the child, where other threads' locks stay locked for ever: system calls alone.
[[noreturn]] void become(char** argv, char** variables, int input, int output, const cpu_set_t* cpus, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);
  setpgid(0, 0);  // a terminal's Ctrl-C is for the parent, who decides
  struct sigaction plain {};
  plain.sa_handler = SIG_DFL;
  for (int signal = 1; signal < NSIG; ++signal) sigaction(signal, &plain, nullptr);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  if (cpus != nullptr) sched_setaffinity(0, sizeof *cpus, cpus);
  dup2(input, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
  syscall(SYS_close_range, 3U, ~0U, 0U);
  execve(argv[0], argv, variables);
  constexpr char kWhy[] = "the program cannot be executed\n";
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, kWhy, sizeof kWhy - 1);
  _exit(127);
}

std::string read_output(int fd) {
  std::string text(kMostOutput, '\0');
  const ssize_t got = pread(fd, text.data(), text.size(), 0);
  text.resize(got < 0 ? 0 : static_cast<std::size_t>(got));
  return text;
}

/// Waits until the process behind `pidfd` has ended, its time is over or `stop` is raised.
void wait_for(int pidfd, const StopSign& stop, Clock::time_point deadline, EndedChild& ended) {
  pollfd events[] = {{pidfd, POLLIN, 0}, {stop.fd(), POLLIN, 0}};
  while (true) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
    const int ready = poll(events, 2, static_cast<int>(std::clamp<long>(left, 0, 3600'000)));
    if (ready < 0 && errno == EINTR) continue;
    if (events[0].revents != 0) return;
    if (events[1].revents != 0) ended.stopped = true;
    else if (left <= 0) ended.timed_out = true;
    if (ended.stopped || ended.timed_out) return;
  }
}

}  // namespace

StopSign::StopSign() : event_(eventfd(0, EFD_CLOEXEC)) {
  if (!event_) throw std::runtime_error(fmt::format("no event: {}", std::strerror(errno)));
}

void StopSign::raise() {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = write(event_.get(), &one, sizeof one);
}

bool EndedChild::exited() const { return !timed_out && !stopped && WIFEXITED(status); }

std::string EndedChild::how() const {
  if (WIFEXITED(status)) return fmt::format("exit code {}", WEXITSTATUS(status));
  return fmt::format("signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
}

Child::Child(const ChildProgram& program) : output_(memfd_create("output", MFD_CLOEXEC)) {
  std::vector<std::string> words = program.argv, variables = environment_with(program.environment);
  const std::vector<char*> argv = pointers(words), envp = pointers(variables);
  spec::Descriptor input;
  if (int ends[2]; program.is_told && socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0) {
    input = spec::Descriptor(ends[0]);
    input_ = spec::Descriptor(ends[1]);
  } else if (!program.is_told) {
    input = spec::Descriptor(open("/dev/null", O_RDONLY | O_CLOEXEC));
  }
  if (!output_ || !input) throw not_started(words.front());
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  for (const int cpu : program.cpus) CPU_SET(cpu, &cpus);
  const pid_t parent = getpid();
  const std::lock_guard lock(children_mutex);  // an orphans' undertaker does not see it before it is known
  pid_ = fork();
  if (pid_ == 0)
    become(const_cast<char**>(argv.data()), const_cast<char**>(envp.data()), input.get(), output_.get(),
           program.cpus.empty() ? nullptr : &cpus, parent);
  if (pid_ < 0) throw not_started(words.front());
  children.insert(pid_);
}

Child::~Child() {
  if (pid_ <= 0) return;
  kill(pid_, SIGKILL);
  int ignored = 0;
  bury(ignored);
}

void Child::bury(int& status) {
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  {
    const std::lock_guard lock(children_mutex);
    children.erase(pid_);
  }
  pid_ = 0;
  bury_orphans();
}

void Child::tell() const {
  const char byte = 0;
  [[maybe_unused]] const ssize_t sent = send(input_.get(), &byte, 1, MSG_NOSIGNAL);  // one that has ended takes none
}

EndedChild Child::wait(double seconds, const StopSign& stop) {
  const auto began = Clock::now();
  EndedChild ended;
  const spec::Descriptor pidfd(static_cast<int>(syscall(SYS_pidfd_open, pid_, 0)));
  if (pidfd) wait_for(pidfd.get(), stop, began + std::chrono::milliseconds(std::llround(seconds * 1000)), ended);
  else ended.stopped = true;  // out of descriptors: nobody could wait for it in time
  if (ended.timed_out || ended.stopped) kill(pid_, SIGKILL);
  bury(ended.status);
  ended.output = read_output(output_.get());
  ended.seconds = std::chrono::duration<double>(Clock::now() - began).count();
  return ended;
}

EndedChild run_child(const ChildProgram& program, const StopSign& stop) { return Child(program).wait(program.seconds, stop); }

void adopt_orphans() { prctl(PR_SET_CHILD_SUBREAPER, 1); }

void bury_orphans() {
  const std::lock_guard lock(children_mutex);
  siginfo_t dead{};
  // Looks first: a child that somebody waits for is not taken from him. It hides others until he has come, and the next call finds those.
  while (waitid(P_ALL, 0, &dead, WEXITED | WNOHANG | WNOWAIT) == 0 && dead.si_pid != 0 && !children.contains(dead.si_pid)) {
    waitpid(dead.si_pid, nullptr, WNOHANG);
    dead = {};
  }
}

}  // namespace assay::score
