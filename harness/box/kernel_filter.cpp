// SPDX-License-Identifier: Apache-2.0
#include "assay/box/kernel_filter.h"

#include <asm/prctl.h>
#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <initializer_list>

#include "assay/wire/wire.h"

namespace assay::box {
namespace {

constexpr int kAllowed[] = {
    // threads
    SCMP_SYS(futex), SCMP_SYS(futex_waitv), SCMP_SYS(set_robust_list), SCMP_SYS(rseq), SCMP_SYS(sched_yield), SCMP_SYS(exit),
    SCMP_SYS(exit_group), SCMP_SYS(sigaltstack), SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigreturn), SCMP_SYS(brk),
    // time; a call that a stop interrupted goes on by restart_syscall
    SCMP_SYS(clock_gettime), SCMP_SYS(clock_getres), SCMP_SYS(gettimeofday), SCMP_SYS(time), SCMP_SYS(nanosleep), SCMP_SYS(clock_nanosleep),
    SCMP_SYS(restart_syscall), SCMP_SYS(poll), SCMP_SYS(ppoll), SCMP_SYS(select), SCMP_SYS(pselect6),
    // facts
    SCMP_SYS(getrandom), SCMP_SYS(getrusage), SCMP_SYS(times), SCMP_SYS(sysinfo), SCMP_SYS(uname), SCMP_SYS(getcpu), SCMP_SYS(gettid),
    SCMP_SYS(getpid), SCMP_SYS(getppid), SCMP_SYS(getuid), SCMP_SYS(geteuid), SCMP_SYS(getgid), SCMP_SYS(getegid), SCMP_SYS(getpgrp),
    SCMP_SYS(getpriority), SCMP_SYS(getrlimit), SCMP_SYS(sched_getaffinity), SCMP_SYS(sched_getscheduler), SCMP_SYS(sched_getparam),
    SCMP_SYS(sched_get_priority_max), SCMP_SYS(sched_get_priority_min), SCMP_SYS(sched_rr_get_interval),
    // from thread to thread
    SCMP_SYS(pipe), SCMP_SYS(pipe2), SCMP_SYS(eventfd), SCMP_SYS(eventfd2)};

struct Refused {
  int error;
  int call;
};
/// Where "there is no such function", which all others get, would be taken for something else.
constexpr Refused kRefused[] = {{ENOENT, SCMP_SYS(stat)},        {ENOENT, SCMP_SYS(lstat)},      {ENOENT, SCMP_SYS(statx)},
                                {ENOENT, SCMP_SYS(readlink)},    {ENOENT, SCMP_SYS(readlinkat)}, {ENOENT, SCMP_SYS(getcwd)},
                                {EBADF, SCMP_SYS(lseek)},        {ENOTTY, SCMP_SYS(ioctl)},      {EPERM, SCMP_SYS(mlock)},
                                {EPERM, SCMP_SYS(mlock2)},       {EPERM, SCMP_SYS(mbind)},       {EPERM, SCMP_SYS(set_mempolicy)},
                                {EPERM, SCMP_SYS(get_mempolicy)}};
constexpr int kFileProbes[] = {SCMP_SYS(access), SCMP_SYS(faccessat), SCMP_SYS(faccessat2)};

/// A handler of a fault could hide an access out of bounds; one of SIGCONT would run at each thaw.
constexpr scmp_datum_t kHandled[] = {SIGFPE,  SIGILL,  SIGABRT, SIGINT, SIGTERM, SIGHUP,
                                     SIGPIPE, SIGUSR1, SIGUSR2, 32,     33};  // of the C library: pthread_cancel, set*id for all threads

/// Hints, and giving memory back. Not among them: what writes pages out or shares them with other processes.
constexpr scmp_datum_t kAdvice[] = {
    MADV_NORMAL,     MADV_RANDOM,   MADV_SEQUENTIAL, MADV_WILLNEED, MADV_DONTNEED, MADV_FREE, MADV_HUGEPAGE,
    MADV_NOHUGEPAGE, MADV_DONTDUMP, MADV_DODUMP,     MADV_DONTFORK, MADV_DOFORK,   22,        23};  // MADV_POPULATE_*

constexpr scmp_datum_t kInt = 0xffffffff;  ///< what the kernel sees of a register that holds an int

/// A descriptor that the kernel compares as an int: a range of them is a few patterns of bits.
struct Descriptors {
  scmp_datum_t mask, bits;
};
/// From the first that a box opens itself (7) to its limit (63): libraries, pipes. None of the wire's.
constexpr Descriptors kOwn[] = {{kInt, 7}, {kInt & ~7u, 8}, {kInt & ~15u, 16}, {kInt & ~31u, 32}};
static_assert(wire::kOutputsFd == 6);

class Filter {
 public:
  Filter() : context_(seccomp_init(SCMP_ACT_ERRNO(ENOSYS))) {}
  ~Filter() { seccomp_release(context_); }
  Filter(const Filter&) = delete;
  Filter& operator=(const Filter&) = delete;

  template <class... Conditions>
  void add(std::uint32_t action, int call, Conditions... conditions) {
    // A call that this architecture lacks cannot be made either.
    const int added = seccomp_rule_add(context_, action, call, sizeof...(conditions), conditions...);
    good_ = good_ && (added == 0 || added == -EDOM || call < 0);
  }
  template <class... Conditions>
  void allow(int call, Conditions... conditions) {
    add(SCMP_ACT_ALLOW, call, conditions...);
  }
  bool load() {
    seccomp_attr_set(context_, SCMP_FLTATR_CTL_SSB, 1);
    seccomp_attr_set(context_, SCMP_FLTATR_CTL_TSYNC, 1);
    seccomp_attr_set(context_, SCMP_FLTATR_CTL_OPTIMIZE, 2);
    return good_ && seccomp_load(context_) == 0;
  }

 private:
  scmp_filter_ctx context_;
  bool good_ = true;
};

/// Buffers and guard pages stay what the worker made them: all that changes mappings begins above them.
void allow_memory(Filter& filter) {
  const auto no_code = SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0);
  const auto above = SCMP_A0(SCMP_CMP_GE, wire::kBuffersEnd), anywhere = SCMP_A0(SCMP_CMP_EQ, 0);
  constexpr scmp_datum_t kFixed = MAP_FIXED | MAP_FIXED_NOREPLACE, kKind = MAP_TYPE | MAP_HUGETLB;
  filter.allow(SCMP_SYS(mmap), above, no_code, SCMP_A3(SCMP_CMP_MASKED_EQ, kKind, MAP_PRIVATE));
  filter.allow(SCMP_SYS(mmap), anywhere, no_code, SCMP_A3(SCMP_CMP_MASKED_EQ, kKind | kFixed, MAP_PRIVATE));
  filter.allow(SCMP_SYS(mmap), anywhere, no_code, SCMP_A3(SCMP_CMP_MASKED_EQ, kKind | kFixed | MAP_ANONYMOUS, MAP_SHARED | MAP_ANONYMOUS));
  // Code comes from files, none of which can be written.
  const auto code = SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC | PROT_WRITE, PROT_EXEC);
  for (const Descriptors own : kOwn) {
    const auto file = SCMP_A4(SCMP_CMP_MASKED_EQ, own.mask, own.bits);
    filter.allow(SCMP_SYS(mmap), above, code, SCMP_A3(SCMP_CMP_MASKED_EQ, kKind | MAP_ANONYMOUS, MAP_PRIVATE), file);
    filter.allow(SCMP_SYS(mmap), anywhere, code, SCMP_A3(SCMP_CMP_MASKED_EQ, kKind | kFixed | MAP_ANONYMOUS, MAP_PRIVATE), file);
  }
  // The worker's own: buffers behind guard pages.
  for (const scmp_datum_t fd : {wire::kInputsFd, wire::kOutputsFd})
    filter.allow(SCMP_SYS(mmap), SCMP_A0(SCMP_CMP_LT, wire::kBuffersEnd), no_code,
                 SCMP_A3(SCMP_CMP_EQ, MAP_SHARED | MAP_FIXED | MAP_POPULATE), SCMP_A4(SCMP_CMP_EQ, fd));
  filter.allow(SCMP_SYS(munmap), above);
  filter.allow(SCMP_SYS(mprotect), above, no_code);
  filter.allow(SCMP_SYS(mremap), above, SCMP_A3(SCMP_CMP_MASKED_EQ, MREMAP_FIXED, 0));
  for (const scmp_datum_t advice : kAdvice) filter.allow(SCMP_SYS(madvise), above, SCMP_A2(SCMP_CMP_MASKED_EQ, kInt, advice));
}

void allow_threads(Filter& filter) {
  filter.allow(SCMP_SYS(clone), SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD | CLONE_VFORK, CLONE_THREAD));
  for (const scmp_datum_t signal : kHandled) filter.allow(SCMP_SYS(rt_sigaction), SCMP_A0(SCMP_CMP_MASKED_EQ, kInt, signal));
  filter.allow(SCMP_SYS(rt_sigaction), SCMP_A1(SCMP_CMP_EQ, 0));  // asks
  filter.allow(SCMP_SYS(tgkill), SCMP_A0(SCMP_CMP_EQ, static_cast<scmp_datum_t>(getpid())));
  filter.allow(SCMP_SYS(prlimit64), SCMP_A2(SCMP_CMP_EQ, 0));  // asks
  filter.allow(SCMP_SYS(alarm), SCMP_A0(SCMP_CMP_MASKED_EQ, kInt, 0));
  for (const scmp_datum_t request : {PR_SET_NAME, PR_GET_NAME}) filter.allow(SCMP_SYS(prctl), SCMP_A0(SCMP_CMP_MASKED_EQ, kInt, request));
#if defined(__x86_64__)
  constexpr scmp_datum_t kSupport = 0x1021, kGetPermission = 0x1022, kRequestPermission = 0x1023;  // of the tile registers (AMX)
  for (const scmp_datum_t request : {kSupport, kGetPermission, kRequestPermission})
    filter.allow(SCMP_SYS(arch_prctl), SCMP_A0(SCMP_CMP_EQ, request));
#endif
}

/// What is there to be read is the library and what it is linked with.
void allow_files(Filter& filter, FileProbes probes) {
  constexpr scmp_datum_t kTemporary = O_TMPFILE & ~O_DIRECTORY,
                         kNotForReading = O_ACCMODE | O_CREAT | O_TRUNC | O_DIRECTORY | O_PATH | kTemporary;
  constexpr std::uint32_t kDenied = SCMP_ACT_ERRNO(EACCES);
  filter.allow(SCMP_SYS(open), SCMP_A1(SCMP_CMP_MASKED_EQ, kNotForReading, 0));
  filter.allow(SCMP_SYS(openat), SCMP_A2(SCMP_CMP_MASKED_EQ, kNotForReading, 0));
  for (const scmp_datum_t bit : {scmp_datum_t{O_WRONLY}, scmp_datum_t{O_RDWR}, scmp_datum_t{O_CREAT}, scmp_datum_t{O_TRUNC},
                                 scmp_datum_t{O_DIRECTORY}, scmp_datum_t{O_PATH}, kTemporary}) {
    filter.add(kDenied, SCMP_SYS(open), SCMP_A1(SCMP_CMP_MASKED_EQ, bit, bit));
    filter.add(kDenied, SCMP_SYS(openat), SCMP_A2(SCMP_CMP_MASKED_EQ, bit, bit));
  }
  for (const int call : {SCMP_SYS(read), SCMP_SYS(pread64), SCMP_SYS(close), SCMP_SYS(write)})
    for (const Descriptors own : kOwn) filter.allow(call, SCMP_A0(SCMP_CMP_MASKED_EQ, own.mask, own.bits));
  filter.allow(SCMP_SYS(read), SCMP_A0(SCMP_CMP_MASKED_EQ, kInt, 0));
  for (const scmp_datum_t output : {1, 2})
    for (const int call : {SCMP_SYS(write), SCMP_SYS(writev)}) filter.allow(call, SCMP_A0(SCMP_CMP_MASKED_EQ, kInt, output));
  for (const scmp_datum_t question : {F_GETFD, F_GETFL}) filter.allow(SCMP_SYS(fcntl), SCMP_A1(SCMP_CMP_MASKED_EQ, kInt, question));
  filter.allow(SCMP_SYS(fstat));
  filter.allow(SCMP_SYS(newfstatat), SCMP_A3(SCMP_CMP_MASKED_EQ, AT_EMPTY_PATH, AT_EMPTY_PATH));  // how the C library calls fstat
  filter.add(SCMP_ACT_ERRNO(ENOENT), SCMP_SYS(newfstatat), SCMP_A3(SCMP_CMP_MASKED_EQ, AT_EMPTY_PATH, 0));
  for (const int call : kFileProbes) filter.add(probes == FileProbes::allowed ? SCMP_ACT_ALLOW : SCMP_ACT_ERRNO(ENOENT), call);
}

/// No kernel starts a process, or makes code.
void end_at_processes_and_new_code(Filter& filter) {
  constexpr scmp_datum_t kBoth = PROT_WRITE | PROT_EXEC;
  for (const int call : {SCMP_SYS(execve), SCMP_SYS(execveat), SCMP_SYS(fork), SCMP_SYS(vfork)}) filter.add(SCMP_ACT_KILL_PROCESS, call);
  filter.add(SCMP_ACT_KILL_PROCESS, SCMP_SYS(clone), SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0));
  filter.add(SCMP_ACT_KILL_PROCESS, SCMP_SYS(mmap), SCMP_A2(SCMP_CMP_MASKED_EQ, kBoth, kBoth));
  for (const int call : {SCMP_SYS(mprotect), SCMP_SYS(pkey_mprotect)})
    filter.add(SCMP_ACT_KILL_PROCESS, call, SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, PROT_EXEC));
}

}  // namespace

bool restrict_to_kernel_calls(FileProbes probes) {
  Filter filter;
  for (const int call : kAllowed) filter.allow(call);
  for (const auto [error, call] : kRefused) filter.add(SCMP_ACT_ERRNO(static_cast<unsigned>(error)), call);
  allow_memory(filter);
  allow_threads(filter);
  allow_files(filter, probes);
  end_at_processes_and_new_code(filter);
  return filter.load();
}

}  // namespace assay::box
