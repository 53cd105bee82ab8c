// SPDX-License-Identifier: Apache-2.0
// assay-escape <attempt> [path]: tries to get out of the sandbox that it runs in, in one way. The probe runs every attempt
// before a tier is offered. Exit 0: held (refused with an error); 1: got out; 2: no such attempt. Being killed holds as well.
#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/keyctl.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <string>

namespace {

/// Set by main(): a file outside the sandbox, and what it holds of ours.
std::string outside;

bool opened(const char* path, int flags) { return open(path, flags, 0644) >= 0; }

bool reads_a_file() { return opened(outside.c_str(), O_RDONLY); }
bool writes_a_file() { return opened(outside.c_str(), O_WRONLY | O_APPEND); }
bool makes_a_file() { return opened((outside + ".made").c_str(), O_WRONLY | O_CREAT); }
bool reads_accounts() { return opened("/etc/passwd", O_RDONLY); }
bool leaves_shared_memory() {
  const bool made = opened("/dev/shm/assay-escape", O_RDWR | O_CREAT);
  if (made) unlink("/dev/shm/assay-escape");
  return made;
}
bool reads_the_judges_memory() {
  return opened(("/proc/" + std::to_string(getppid()) + "/mem").c_str(), O_RDONLY) || opened("/proc/1/environ", O_RDONLY);
}

bool connects() {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(80);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const int fd = socket(AF_INET, SOCK_DGRAM, 0);
  return fd >= 0 && connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
}

bool signals_the_judge() { return getppid() != 0 && kill(getppid(), 0) == 0; }
bool traces_the_judge() { return getppid() != 0 && ptrace(PTRACE_SEIZE, getppid(), nullptr, nullptr) == 0; }
bool peeks_at_the_judge() {
  char byte = 0;
  iovec here{&byte, 1}, there{reinterpret_cast<void*>(&outside), 1};
  return getppid() != 0 && process_vm_readv(getppid(), &here, 1, &there, 1, 0) == 1;
}

bool starts_a_process() {
  const pid_t pid = fork();
  if (pid == 0) _exit(0);
  if (pid > 0) waitpid(pid, nullptr, 0);
  return pid > 0;
}

bool enters_another_namespace() { return unshare(CLONE_NEWUSER) == 0; }
/// Stops short of a mount: where the attempt gets through, the machine must not suffer.
bool mounts() { return syscall(SYS_fsopen, "tmpfs", 0) >= 0; }
bool uses_io_uring() {
  char parameters[256] = {};
  return syscall(SYS_io_uring_setup, 4, parameters) >= 0;
}
bool uses_keyrings() { return syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_USER_KEYRING, 1) >= 0; }
bool uses_performance_events() {
  perf_event_attr attributes{};
  attributes.size = sizeof attributes;
  return syscall(SYS_perf_event_open, &attributes, 0, -1, -1, 0) >= 0;
}
bool takes_all_memory() {
  return mmap(nullptr, std::size_t{1} << 40, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) != MAP_FAILED;
}
bool takes_all_descriptors() {
  for (int i = 0; i < 4096; ++i)
    if (dup(0) < 0) return false;
  return true;
}
bool fills_the_disk() {
  const std::string block(1 << 20, 'x');
  for (int i = 0; i < 256; ++i)
    if (write(1, block.data(), block.size()) < 0) return false;
  return true;
}

/// The survivor holds descriptor 1 open, which the probe sees. Not in the list of a box's attempts.
bool survives() {
  if (const pid_t middle = fork(); middle != 0) {
    waitpid(middle, nullptr, 0);
    return true;
  }
  setsid();
  if (fork() != 0) _exit(0);
  signal(SIGHUP, SIG_IGN);
  signal(SIGTERM, SIG_IGN);
  sleep(5);
  return true;
}

struct Attempt {
  const char* name;
  bool (*succeeds)();
};
constexpr Attempt kAttempts[] = {{"reads_a_file", reads_a_file},
                                 {"writes_a_file", writes_a_file},
                                 {"makes_a_file", makes_a_file},
                                 {"reads_accounts", reads_accounts},
                                 {"leaves_shared_memory", leaves_shared_memory},
                                 {"reads_the_judges_memory", reads_the_judges_memory},
                                 {"connects", connects},
                                 {"signals_the_judge", signals_the_judge},
                                 {"traces_the_judge", traces_the_judge},
                                 {"peeks_at_the_judge", peeks_at_the_judge},
                                 {"starts_a_process", starts_a_process},
                                 {"enters_another_namespace", enters_another_namespace},
                                 {"mounts", mounts},
                                 {"uses_io_uring", uses_io_uring},
                                 {"uses_keyrings", uses_keyrings},
                                 {"uses_performance_events", uses_performance_events},
                                 {"takes_all_memory", takes_all_memory},
                                 {"takes_all_descriptors", takes_all_descriptors},
                                 {"fills_the_disk", fills_the_disk},
                                 {"survives", survives}};

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::strcmp(argv[1], "--list") == 0) {
    for (const Attempt& attempt : kAttempts) std::puts(attempt.name);
    return 0;
  }
  if (argc > 2) outside = argv[2];
  for (const Attempt& attempt : kAttempts)
    if (argc > 1 && std::strcmp(argv[1], attempt.name) == 0) return attempt.succeeds() ? 1 : 0;
  std::fprintf(stderr, "usage: assay-escape <attempt> [path]; --list names the attempts\n");
  return 2;
}
