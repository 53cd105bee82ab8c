// SPDX-License-Identifier: Apache-2.0
// Landlock, resource limits and the system-call filter.
#include <fcntl.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>

#include "confine.h"

namespace assay::sandbox {
namespace {

constexpr std::uint64_t kRead = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
constexpr std::uint64_t kWrite = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE |
                                 LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_CHAR |
                                 LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_BLOCK |
                                 LANDLOCK_ACCESS_FS_MAKE_SYM;

/// Rights and scopes that later kernels added; a kernel that lacks one cannot be asked to handle it. Values: linux/landlock.h.
constexpr std::uint64_t kRefer = 1u << 13;  // renaming from one folder to another
constexpr std::uint64_t kTruncate = 1u << 14;
constexpr std::uint64_t kTcp = 0b11, kAbstractSocketsAndSignals = 0b11;

struct Ruleset {
  std::uint64_t files = kRead | kWrite, network = 0, scoped = 0;
};

/// A ruleset that handles all that this kernel can; its descriptor, or -1.
int make_ruleset(Ruleset& handled) {
  const long version = syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  if (version >= 2) handled.files |= kRefer;
  if (version >= 3) handled.files |= kTruncate;
  if (version >= 4) handled.network = kTcp;
  if (version >= 6) handled.scoped = kAbstractSocketsAndSignals;
  const std::size_t size = version >= 6 ? sizeof handled : version >= 4 ? offsetof(Ruleset, scoped) : offsetof(Ruleset, network);
  return static_cast<int>(syscall(SYS_landlock_create_ruleset, &handled, size, 0));
}

bool allow(int ruleset, const std::filesystem::path& path, std::uint64_t access) {
  landlock_path_beneath_attr rule{};
  rule.parent_fd = open(path.c_str(), O_PATH | O_CLOEXEC);
  if (rule.parent_fd < 0) return errno == ENOENT;
  const bool folder = std::filesystem::is_directory(path);
  constexpr std::uint64_t kFile = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE | kTruncate;
  rule.allowed_access = folder ? access : access & kFile;
  const bool added = syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) == 0;
  close(rule.parent_fd);
  return added;
}

constexpr int kSockets[] = {SCMP_SYS(socket), SCMP_SYS(socketpair)};
constexpr int kForbidden[] = {SCMP_SYS(ptrace),
                              SCMP_SYS(process_vm_readv),
                              SCMP_SYS(process_vm_writev),
                              SCMP_SYS(pidfd_open),
                              SCMP_SYS(pidfd_getfd),
                              SCMP_SYS(pidfd_send_signal),
                              SCMP_SYS(process_madvise),
                              SCMP_SYS(kcmp),
                              SCMP_SYS(io_uring_setup),
                              SCMP_SYS(io_uring_enter),
                              SCMP_SYS(io_uring_register),
                              SCMP_SYS(io_setup),
                              SCMP_SYS(userfaultfd),
                              SCMP_SYS(bpf),
                              SCMP_SYS(perf_event_open),
                              SCMP_SYS(keyctl),
                              SCMP_SYS(add_key),
                              SCMP_SYS(request_key),
                              SCMP_SYS(mount),
                              SCMP_SYS(umount2),
                              SCMP_SYS(open_tree),
                              SCMP_SYS(move_mount),
                              SCMP_SYS(fsopen),
                              SCMP_SYS(fsmount),
                              SCMP_SYS(mount_setattr),
                              SCMP_SYS(pivot_root),
                              SCMP_SYS(chroot),
                              SCMP_SYS(unshare),
                              SCMP_SYS(setns),
                              SCMP_SYS(open_by_handle_at),
                              SCMP_SYS(kexec_load),
                              SCMP_SYS(init_module),
                              SCMP_SYS(finit_module),
                              SCMP_SYS(delete_module),
                              SCMP_SYS(reboot),
                              SCMP_SYS(swapon),
                              SCMP_SYS(acct),
                              SCMP_SYS(quotactl),
                              SCMP_SYS(syslog),
                              SCMP_SYS(sethostname),
                              SCMP_SYS(settimeofday),
                              SCMP_SYS(clock_settime),
                              SCMP_SYS(clock_adjtime),
                              SCMP_SYS(shmget),
                              SCMP_SYS(msgget),
                              SCMP_SYS(semget),
                              SCMP_SYS(mq_open),
                              SCMP_SYS(inotify_init1),
                              SCMP_SYS(fanotify_init)};

/// Owners and attributes, which would outlive the command on a file that it leaves.
constexpr int kNeverOfFiles[] = {SCMP_SYS(chown),        SCMP_SYS(fchown),       SCMP_SYS(lchown),    SCMP_SYS(fchownat),
                                 SCMP_SYS(setxattr),     SCMP_SYS(lsetxattr),    SCMP_SYS(fsetxattr), SCMP_SYS(removexattr),
                                 SCMP_SYS(lremovexattr), SCMP_SYS(fremovexattr), SCMP_SYS(mknod),     SCMP_SYS(mknodat)};

/// Of a command that may start no process: what would let it act outside of the calls that it is asked for.
constexpr int kForbiddenAlone[] = {SCMP_SYS(fork),      SCMP_SYS(vfork),           SCMP_SYS(execveat),          SCMP_SYS(kill),
                                   SCMP_SYS(tkill),     SCMP_SYS(rt_sigqueueinfo), SCMP_SYS(rt_tgsigqueueinfo), SCMP_SYS(timer_create),
                                   SCMP_SYS(setitimer), SCMP_SYS(timerfd_create)};

/// Of such a command: what an honest kernel may ask for, and copes without.
constexpr int kRefusedAlone[] = {
    SCMP_SYS(memfd_create),  SCMP_SYS(memfd_secret),  SCMP_SYS(sched_setaffinity), SCMP_SYS(sched_setscheduler), SCMP_SYS(sched_setparam),
    SCMP_SYS(sched_setattr), SCMP_SYS(setpriority),   SCMP_SYS(ioprio_set),        SCMP_SYS(personality),        SCMP_SYS(flock),
    SCMP_SYS(mlockall),      SCMP_SYS(migrate_pages), SCMP_SYS(move_pages)};

/// To processes of other names than its own: there is no pid namespace that would hide them.
constexpr int kSignals[] = {SCMP_SYS(kill), SCMP_SYS(tkill), SCMP_SYS(rt_sigqueueinfo), SCMP_SYS(rt_tgsigqueueinfo)};

/// What changes a process that the first argument names; 0 is the caller.
constexpr int kOfAProcess[] = {SCMP_SYS(prlimit64),     SCMP_SYS(sched_setaffinity), SCMP_SYS(sched_setscheduler), SCMP_SYS(sched_setparam),
                               SCMP_SYS(sched_setattr), SCMP_SYS(migrate_pages),     SCMP_SYS(move_pages)};
/// What changes all of a user's.
constexpr int kOfAUser[] = {SCMP_SYS(setpriority), SCMP_SYS(ioprio_set)};

bool limit(int resource, std::uint64_t soft, std::uint64_t hard) {
  const rlimit both{soft, hard};
  return setrlimit(static_cast<__rlimit_resource>(resource), &both) == 0;
}
bool limit(int resource, std::uint64_t value) { return limit(resource, value, value); }

}  // namespace

bool has_devices(const ConfinedCommand& command) { return !command.devices.empty(); }

std::vector<std::filesystem::path> devices_of(const ConfinedCommand& command) {
  std::vector<std::filesystem::path> devices = {"/dev/null", "/dev/zero", "/dev/urandom"};
  devices.insert(devices.end(), command.devices.begin(), command.devices.end());
  return devices;
}

std::vector<std::filesystem::path> readable_of(const ConfinedCommand& command) {
  std::vector<std::filesystem::path> readable = command.readable;
  if (!command.layers.namespaces) readable.insert(readable.end(), command.private_copies.begin(), command.private_copies.end());
  return readable;
}

std::vector<std::filesystem::path> writable_of(const ConfinedCommand& command) {
  std::vector<std::filesystem::path> writable = command.writable;
  if (has_devices(command)) writable.emplace_back("/proc/self");
  return writable;
}

const char* restrict_files_by_landlock(const ConfinedCommand& command) {
  Ruleset handled;
  const int ruleset = make_ruleset(handled);
  if (ruleset < 0) return "landlock";
  bool allowed = true;
  for (const auto& path : readable_of(command)) allowed = allowed && allow(ruleset, path, kRead);
  for (const auto& path : command.private_copies) allowed = allowed && allow(ruleset, path, kRead);
  for (const auto& path : writable_of(command)) allowed = allowed && allow(ruleset, path, handled.files);
  for (const auto& device : devices_of(command))
    allowed = allowed && allow(ruleset, device, LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_READ_DIR);
  if (!allowed) return "landlock rule";
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (syscall(SYS_landlock_restrict_self, ruleset, 0) != 0) return "landlock_restrict_self";
  close(ruleset);
  return nullptr;
}

const char* limit_resources(const ConfinedCommand& command) {
  const ResourceLimits& limits = command.limits;
  constexpr std::uint64_t kCpuGrace = 5;
  const bool set = limit(RLIMIT_CORE, 0) && limit(has_devices(command) ? RLIMIT_DATA : RLIMIT_AS, limits.address_space) &&
                   limit(RLIMIT_FSIZE, limits.file_size) && limit(RLIMIT_CPU, limits.cpu_seconds, limits.cpu_seconds + kCpuGrace) &&
                   limit(RLIMIT_STACK, limits.stack) && limit(RLIMIT_NOFILE, limits.open_files) && limit(RLIMIT_NPROC, 512);
  return set ? nullptr : "setrlimit";
}

namespace {

/// A file with the bit set-uid or set-gid would run as the judge's user, whoever starts it.
void refuse_set_id_bits(scmp_filter_ctx filter) {
  constexpr std::uint32_t kRefused = SCMP_ACT_ERRNO(EPERM);
  constexpr int kFchmodat2 = 452;  // Linux 6.6; libseccomp may not know its name
  for (const scmp_datum_t bit : {S_ISUID, S_ISGID}) {
    for (const int call : {SCMP_SYS(chmod), SCMP_SYS(fchmod), SCMP_SYS(creat)})
      seccomp_rule_add(filter, kRefused, call, 1, SCMP_A1(SCMP_CMP_MASKED_EQ, bit, bit));
    for (const int call : {SCMP_SYS(fchmodat), kFchmodat2})
      seccomp_rule_add(filter, kRefused, call, 1, SCMP_A2(SCMP_CMP_MASKED_EQ, bit, bit));
    for (const scmp_datum_t making : {O_CREAT, O_TMPFILE & ~O_DIRECTORY}) {
      seccomp_rule_add(filter, kRefused, SCMP_SYS(open), 2, SCMP_A1(SCMP_CMP_MASKED_EQ, making, making),
                       SCMP_A2(SCMP_CMP_MASKED_EQ, bit, bit));
      seccomp_rule_add(filter, kRefused, SCMP_SYS(openat), 2, SCMP_A2(SCMP_CMP_MASKED_EQ, making, making),
                       SCMP_A3(SCMP_CMP_MASKED_EQ, bit, bit));
    }
  }
  seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(openat2), 0);  // its mode lies in memory, out of a filter's sight
}

/// A command that starts no process answers for itself alone: a signal to its own threads is one that it could raise by a fault,
/// or that the C library sends (cancellation, set*id), and no filter of its own may answer for the kernel.
void confine_to_itself(scmp_filter_ctx filter, std::uint32_t forbidden) {
  for (const int call : kForbiddenAlone) seccomp_rule_add(filter, forbidden, call, 0);
  for (const int call : kRefusedAlone) seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), call, 0);
  seccomp_rule_add(filter, forbidden, SCMP_SYS(clone), 1, SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0));
  // A thread in the wait of vfork cannot be stopped, and the judge's freeze with it.
  seccomp_rule_add(filter, forbidden, SCMP_SYS(clone), 1, SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_VFORK, CLONE_VFORK));
  // clone3's flags lie in memory, out of a filter's sight; the C library falls back to clone.
  seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
  seccomp_rule_add(filter, forbidden, SCMP_SYS(tgkill), 1, SCMP_A0(SCMP_CMP_NE, static_cast<scmp_datum_t>(getpid())));
  for (const int signal : {SIGKILL, SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU, SIGCONT})
    seccomp_rule_add(filter, forbidden, SCMP_SYS(tgkill), 1, SCMP_A2(SCMP_CMP_MASKED_EQ, 0xffffffff, static_cast<scmp_datum_t>(signal)));
}

/// Of a command that starts processes and has no pid namespace: what would reach others by their numbers.
void refuse_others(scmp_filter_ctx filter) {
  for (const int call : kSignals) seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), call, 0);
  seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(tgkill), 1, SCMP_A0(SCMP_CMP_NE, static_cast<scmp_datum_t>(getpid())));
  for (const int call : kOfAProcess) seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), call, 1, SCMP_A0(SCMP_CMP_NE, 0));
  for (const int call : kOfAUser) seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), call, 0);
}

}  // namespace

const char* filter_system_calls(const ConfinedCommand& command) {
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
  if (filter == nullptr) return "seccomp";
  // The kernel would otherwise slow speculative loads down in here (spec_store_bypass_disable=seccomp), and so the timing.
  seccomp_attr_set(filter, SCMP_FLTATR_CTL_SSB, 1);
  // No compiler and no kernel needs these; who calls one is stopped there (verdict POLICY).
  const std::uint32_t forbidden = command.ends_never ? SCMP_ACT_ERRNO(EPERM) : SCMP_ACT_KILL_PROCESS;
  const std::uint32_t no_socket = command.loads_drivers ? SCMP_ACT_ERRNO(EAFNOSUPPORT) : forbidden;
  for (const int call : kSockets) {
    if (has_devices(command)) seccomp_rule_add(filter, no_socket, call, 1, SCMP_A0(SCMP_CMP_NE, AF_UNIX));  // CUDA has one to itself
    else seccomp_rule_add(filter, no_socket, call, 0);
  }
  for (const int call : kForbidden) seccomp_rule_add(filter, forbidden, call, 0);
  for (const int call : kNeverOfFiles) seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), call, 0);
  refuse_set_id_bits(filter);
  // Programs that want room at once (linkers) write zeros then.
  seccomp_rule_add(filter, SCMP_ACT_ERRNO(EOPNOTSUPP), SCMP_SYS(fallocate), 0);
  // A process that leaves its group would outlive it.
  for (const int call : {SCMP_SYS(setsid), SCMP_SYS(setpgid)}) seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), call, 0);
  if (!command.may_start_processes) confine_to_itself(filter, forbidden);
  else if (has_devices(command)) refuse_others(filter);
  const int loaded = seccomp_load(filter);
  seccomp_release(filter);
  return loaded == 0 ? nullptr : "seccomp_load";
}

}  // namespace assay::sandbox
