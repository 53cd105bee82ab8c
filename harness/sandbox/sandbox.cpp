// SPDX-License-Identifier: Apache-2.0
// start(): clone, into namespaces if the command is to have them, confine, execute. A pipe that closes on exec brings back
// the step at which our own set-up failed.
#include "assay/sandbox/sandbox.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "assay/spec/descriptor.h"
#include "confine.h"

namespace assay::sandbox {
namespace {

/// A driver names its threads in /proc/self/task by numbers of their own pid namespace, which the /proc that is shown does not know.
int namespaces_of(const ConfinedCommand& command) {
  if (!command.layers.namespaces) return 0;
  return CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | (has_devices(command) ? 0 : CLONE_NEWPID);
}

struct SetupFailure {
  int error;
  char step[48];
};

pid_t fork_with(int flags) { return static_cast<pid_t>(syscall(SYS_clone, flags | SIGCHLD, nullptr, nullptr, nullptr, 0)); }

/// Moves `descriptors` to their numbers; `report` ends up above them all, closed by exec.
bool arrange_descriptors(const ConfinedCommand& command, int& report) {
  constexpr int kParking = 40;  // above all of theirs
  report = fcntl(report, F_DUPFD_CLOEXEC, kParking);
  if (report < 0) return false;
  std::vector<std::pair<int, int>> moves;
  for (const auto& [ours, theirs] : command.descriptors) {
    const int parked = fcntl(ours, F_DUPFD_CLOEXEC, kParking);
    if (parked < 0) return false;
    moves.emplace_back(parked, theirs);
  }
  const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  const int output = command.output >= 0 ? command.output : null;
  if (dup2(null, 0) < 0 || dup2(output, 1) < 0 || dup2(output, 2) < 0) return false;
  for (const auto& [from, to] : moves)
    if (dup2(from, to) < 0) return false;
  const int first_free = moves.empty() ? 3 : std::ranges::max_element(moves, {}, &std::pair<int, int>::second)->second + 1;
  syscall(SYS_close_range, first_free, report - 1, 0);
  syscall(SYS_close_range, report + 1, ~0u, 0);
  return true;
}

/// Whether the judge has died already, before it could be asked for the signal: nobody would end this process then.
bool is_orphan(int report) {
  pollfd reader{report, 0, 0};
  return poll(&reader, 1, 0) == 1 && (reader.revents & POLLERR) != 0;
}

const char* confine_and_execute(const ConfinedCommand& command, unsigned uid, unsigned gid, int& report, char* const* argv,
                                char* const* environment) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (is_orphan(report)) _exit(127);
  setsid();
  signal(SIGXFSZ, SIG_IGN);
  signal(SIGPIPE, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  if (!arrange_descriptors(command, report)) return "descriptors";
  if (command.layers.namespaces)
    if (const char* step = enter_empty_root(command, uid, gid)) return step;
  if (command.layers.landlock)
    if (const char* step = restrict_files_by_landlock(command)) return step;
  if (chdir(command.directory.c_str()) != 0) return "chdir";
  if (!command.cpus.empty()) {
    cpu_set_t set;
    CPU_ZERO(&set);
    for (const int cpu : command.cpus) CPU_SET(cpu, &set);
    if (sched_setaffinity(0, sizeof set, &set) != 0) return "affinity";
  }
  if (command.layers.filter)
    if (const char* step = filter_system_calls(command)) return step;
  // Last: from here on nothing may allocate, for the limit may lie below what this process holds already.
  if (const char* step = limit_resources(command)) return step;
  execve(argv[0], argv, environment);
  return "execve";
}

std::vector<char*> pointers(const std::vector<std::string>& strings) {
  std::vector<char*> list;
  for (const std::string& text : strings) list.push_back(const_cast<char*>(text.c_str()));
  list.push_back(nullptr);
  return list;
}

/// A command's processes share a group, which they cannot leave (see filter_system_calls); in a pid namespace its first
/// process takes the others along. Returns when the kernel knows none of them any more.
void kill_group(pid_t pid) {
  while (kill(-pid, SIGKILL) == 0) waitpid(-pid, nullptr, 0);
}

/// Also where this process is stopped and continued meanwhile, which interrupts poll().
bool ends_within(int pidfd, std::chrono::milliseconds limit) {
  const auto deadline = std::chrono::steady_clock::now() + limit;
  pollfd waiting{pidfd, POLLIN, 0};
  while (true) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now()).count();
    const int ready = poll(&waiting, 1, static_cast<int>(std::max<std::int64_t>(0, left)));
    if (ready != -1 || errno != EINTR) return ready != 0;
  }
}

}  // namespace

std::string to_string(const Layers& layers) {
  std::string text;
  if (layers.namespaces) text += "namespaces + ";
  if (layers.landlock) text += "landlock + ";
  if (layers.filter) text += "seccomp + ";
  return text + "limits";
}

record::Tier tier_of(const Layers& layers) {
  using record::Tier;
  if (layers == Layers{}) return Tier::full;
  return layers.filter && (layers.namespaces || layers.landlock) ? Tier::reduced : Tier::none;
}

pid_t start(const ConfinedCommand& command) {
  int report[2];
  if (pipe2(report, O_CLOEXEC) != 0) throw SandboxError(fmt::format("sandbox: no pipe: {}", std::strerror(errno)));
  const std::vector<char*> argv = pointers(command.argv);
  const std::vector<char*> environment = pointers(command.environment);
  const unsigned uid = geteuid(), gid = getegid();
  prctl(PR_SET_CHILD_SUBREAPER, 1);  // a command's orphans become our children: kill_group() can wait for them
  const pid_t pid = fork_with(namespaces_of(command));
  if (pid == 0) {
    close(report[0]);
    int fd = report[1];
    const char* step = confine_and_execute(command, uid, gid, fd, argv.data(), environment.data());
    SetupFailure mine{errno, {}};
    std::strncpy(mine.step, step, sizeof mine.step - 1);
    [[maybe_unused]] const ssize_t sent = write(fd, &mine, sizeof mine);
    _exit(127);
  }
  SetupFailure failure{errno, "clone"};
  close(report[1]);
  ssize_t got = 1;
  if (pid > 0)
    while ((got = read(report[0], &failure, sizeof failure)) < 0 && errno == EINTR) {
    }
  close(report[0]);
  if (got == 0) return pid;
  if (pid > 0) waitpid(pid, nullptr, 0);
  throw SandboxError(fmt::format("sandbox: cannot start {} in {}: {}: {}", command.argv.front(), to_string(command.layers), failure.step,
                                 std::strerror(failure.error)));
}

void stop(pid_t pid) {
  kill(pid, SIGKILL);
  waitpid(pid, nullptr, 0);
  kill_group(pid);
}

Finished run(const ConfinedCommand& command, std::chrono::milliseconds limit) {
  const pid_t pid = start(command);
  Finished finished;
  const spec::Descriptor process(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
  if (!process) {
    const int error = errno;
    stop(pid);
    throw SandboxError(fmt::format("sandbox: cannot wait for {}: {}", command.argv.front(), std::strerror(error)));
  }
  if (!ends_within(process.get(), limit)) {
    finished.timed_out = true;
    kill(pid, SIGKILL);
  }
  wait4(pid, &finished.status, 0, &finished.usage);
  kill_group(pid);
  return finished;
}

std::vector<std::filesystem::path> system_paths() {
  return {"/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/libexec",     "/usr/bin",         "/lib",
          "/lib32",   "/lib64",     "/bin",       "/etc/ld.so.cache", "/etc/alternatives"};
}

}  // namespace assay::sandbox
