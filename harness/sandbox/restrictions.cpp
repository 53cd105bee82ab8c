// SPDX-License-Identifier: Apache-2.0
// Landlock, resource limits and the system-call filter.
#include <fcntl.h>
#include <linux/landlock.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "confine.h"

namespace assay::confine {
namespace {

constexpr std::uint64_t kRead = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
constexpr std::uint64_t kWrite = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
                                 LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_DIR |
                                 LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_CHAR |
                                 LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
                                 LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM;

bool allow(int ruleset, const std::filesystem::path& path, std::uint64_t access) {
  landlock_path_beneath_attr rule{};
  rule.parent_fd = open(path.c_str(), O_PATH | O_CLOEXEC);
  if (rule.parent_fd < 0) return errno == ENOENT;
  const bool folder = std::filesystem::is_directory(path);
  constexpr std::uint64_t kFile = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE;
  rule.allowed_access = folder ? access : access & kFile;
  const bool added = syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) == 0;
  close(rule.parent_fd);
  return added;
}

bool limit(int resource, std::uint64_t value) {
  const rlimit both{value, value};
  return setrlimit(static_cast<__rlimit_resource>(resource), &both) == 0;
}

}  // namespace

const char* restrict_files_by_landlock(const ConfinedCommand& command) {
  landlock_ruleset_attr attributes{};
  attributes.handled_access_fs = kRead | kWrite;
  const auto ruleset = static_cast<int>(syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes, 0));
  if (ruleset < 0) return "landlock";
  bool allowed = true;
  for (const auto& path : command.readable) allowed = allowed && allow(ruleset, path, kRead);
  for (const auto& path : command.writable) allowed = allowed && allow(ruleset, path, kRead | kWrite);
  for (const char* device : {"/dev/null", "/dev/zero", "/dev/urandom"})
    allowed = allowed && allow(ruleset, device, LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE);
  if (!allowed) return "landlock rule";
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (syscall(SYS_landlock_restrict_self, ruleset, 0) != 0) return "landlock_restrict_self";
  close(ruleset);
  return nullptr;
}

const char* limit_resources(const ResourceLimits& limits) {
  const bool set = limit(RLIMIT_CORE, 0) && limit(RLIMIT_AS, limits.address_space) &&
                   limit(RLIMIT_FSIZE, limits.file_size) && limit(RLIMIT_CPU, limits.cpu_seconds) &&
                   limit(RLIMIT_NOFILE, limits.open_files) && limit(RLIMIT_NPROC, 512);
  return set ? nullptr : "setrlimit";
}

const char* filter_system_calls(bool may_start_processes) {
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
  if (filter == nullptr) return "seccomp";
  // No kernel needs these; a candidate that calls one is stopped there (verdict POLICY).
  for (const int call :
       {SCMP_SYS(socket), SCMP_SYS(socketpair), SCMP_SYS(ptrace), SCMP_SYS(process_vm_readv), SCMP_SYS(process_vm_writev),
        SCMP_SYS(io_uring_setup), SCMP_SYS(io_uring_enter), SCMP_SYS(userfaultfd), SCMP_SYS(bpf), SCMP_SYS(perf_event_open),
        SCMP_SYS(keyctl), SCMP_SYS(add_key), SCMP_SYS(request_key), SCMP_SYS(mount), SCMP_SYS(umount2), SCMP_SYS(unshare),
        SCMP_SYS(setns), SCMP_SYS(pivot_root), SCMP_SYS(kexec_load), SCMP_SYS(init_module), SCMP_SYS(reboot)})
    seccomp_rule_add(filter, SCMP_ACT_KILL_PROCESS, call, 0);
  if (!may_start_processes) {
    seccomp_rule_add(filter, SCMP_ACT_KILL_PROCESS, SCMP_SYS(fork), 0);
    seccomp_rule_add(filter, SCMP_ACT_KILL_PROCESS, SCMP_SYS(vfork), 0);
    seccomp_rule_add(filter, SCMP_ACT_KILL_PROCESS, SCMP_SYS(clone), 1, SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0));
    // clone3's flags lie in memory, out of a filter's sight; the C library falls back to clone.
    seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
  }
  const int loaded = seccomp_load(filter);
  seccomp_release(filter);
  return loaded == 0 ? nullptr : "seccomp_load";
}

}  // namespace assay::confine
