// SPDX-License-Identifier: Apache-2.0
#include "assay/box/kernel_filter.h"

#include <asm/prctl.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <sys/mman.h>

#include <cerrno>
#include <initializer_list>

#include "assay/wire/wire.h"

namespace assay {
namespace {

constexpr int kAllowed[] = {
    // memory
    SCMP_SYS(munmap), SCMP_SYS(mremap), SCMP_SYS(madvise), SCMP_SYS(brk),
    // threads
    SCMP_SYS(futex), SCMP_SYS(futex_waitv), SCMP_SYS(set_robust_list), SCMP_SYS(rseq), SCMP_SYS(sched_yield),
    SCMP_SYS(sched_getaffinity), SCMP_SYS(getcpu), SCMP_SYS(gettid), SCMP_SYS(getpid), SCMP_SYS(exit), SCMP_SYS(exit_group),
    SCMP_SYS(sigaltstack), SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigreturn),
    // time; a call that a stop interrupted goes on by restart_syscall
    SCMP_SYS(clock_gettime), SCMP_SYS(clock_getres), SCMP_SYS(gettimeofday), SCMP_SYS(time), SCMP_SYS(nanosleep),
    SCMP_SYS(clock_nanosleep), SCMP_SYS(restart_syscall),
    // facts
    SCMP_SYS(getrandom), SCMP_SYS(getrusage), SCMP_SYS(times), SCMP_SYS(sysinfo), SCMP_SYS(uname)};

struct Refused {
  int error;
  int call;
};
constexpr int kFileProbes[] = {SCMP_SYS(access), SCMP_SYS(faccessat), SCMP_SYS(faccessat2)};
constexpr Refused kRefused[] = {
    {EACCES, SCMP_SYS(open)}, {EACCES, SCMP_SYS(openat)}, {EACCES, SCMP_SYS(openat2)}, {EACCES, SCMP_SYS(stat)}, {EACCES, SCMP_SYS(lstat)},
    {EACCES, SCMP_SYS(statx)}, {EACCES, SCMP_SYS(readlink)}, {EACCES, SCMP_SYS(readlinkat)}, {EACCES, SCMP_SYS(getcwd)},
    {EBADF, SCMP_SYS(read)}, {EBADF, SCMP_SYS(lseek)}, {ENOTTY, SCMP_SYS(ioctl)}, {ENOSYS, SCMP_SYS(clone3)},
    {EPERM, SCMP_SYS(mlock)}, {EPERM, SCMP_SYS(mbind)}, {EPERM, SCMP_SYS(set_mempolicy)}, {EPERM, SCMP_SYS(get_mempolicy)}};

class Filter {
 public:
  Filter() : context_(seccomp_init(SCMP_ACT_KILL_PROCESS)) {}
  ~Filter() { seccomp_release(context_); }
  Filter(const Filter&) = delete;
  Filter& operator=(const Filter&) = delete;

  template <class... Conditions>
  void add(std::uint32_t action, int call, Conditions... conditions) {
    // A call that this architecture lacks cannot be made either.
    const int added = seccomp_rule_add(context_, action, call, sizeof...(conditions), conditions...);
    good_ = good_ && (added == 0 || added == -EDOM || call < 0);
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

void allow_memory(Filter& filter) {
  constexpr std::uint64_t kUnusual = MAP_FIXED | MAP_FIXED_NOREPLACE | MAP_HUGETLB;
  const auto no_code = SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0);
  filter.add(SCMP_ACT_ALLOW, SCMP_SYS(mmap), no_code, SCMP_A3(SCMP_CMP_MASKED_EQ, kUnusual, 0));
  // The worker's own: buffers behind guard pages.
  for (const int fd : {wire::kInputsFd, wire::kOutputsFd})
    filter.add(SCMP_ACT_ALLOW, SCMP_SYS(mmap), no_code, SCMP_A3(SCMP_CMP_EQ, MAP_SHARED | MAP_FIXED | MAP_POPULATE),
               SCMP_A4(SCMP_CMP_EQ, static_cast<std::uint64_t>(fd)));
  filter.add(SCMP_ACT_ALLOW, SCMP_SYS(mprotect), no_code);
}

void allow_threads(Filter& filter) {
  filter.add(SCMP_ACT_ALLOW, SCMP_SYS(clone), SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD | CLONE_VFORK, CLONE_THREAD));
  // The C library's handler of its own signal 33 (setxid), installed with the first thread; abort() raises SIGABRT.
  filter.add(SCMP_ACT_ALLOW, SCMP_SYS(rt_sigaction), SCMP_A0(SCMP_CMP_EQ, 33));
  filter.add(SCMP_ACT_ALLOW, SCMP_SYS(rt_sigaction), SCMP_A0(SCMP_CMP_EQ, SIGABRT));
  filter.add(SCMP_ACT_ALLOW, SCMP_SYS(tgkill), SCMP_A2(SCMP_CMP_EQ, SIGABRT));
  filter.add(SCMP_ACT_ALLOW, SCMP_SYS(prlimit64), SCMP_A2(SCMP_CMP_EQ, 0));
#if defined(__x86_64__)
  constexpr int kGetPermission = 0x1022, kRequestPermission = 0x1023;  // of the tile registers (AMX)
  for (const int request : {kGetPermission, kRequestPermission})
    filter.add(SCMP_ACT_ALLOW, SCMP_SYS(arch_prctl), SCMP_A0(SCMP_CMP_EQ, static_cast<std::uint64_t>(request)));
#endif
}

void allow_output(Filter& filter) {
  for (const std::uint64_t fd : {1, 2}) {
    for (const int call : {SCMP_SYS(write), SCMP_SYS(writev), SCMP_SYS(fstat)})
      filter.add(SCMP_ACT_ALLOW, call, SCMP_A0(SCMP_CMP_EQ, fd));
    filter.add(SCMP_ACT_ALLOW, SCMP_SYS(newfstatat), SCMP_A0(SCMP_CMP_EQ, fd));
  }
}

}  // namespace

bool restrict_to_kernel_calls(FileProbes probes) {
  Filter filter;
  for (const int call : kAllowed) filter.add(SCMP_ACT_ALLOW, call);
  for (const auto [error, call] : kRefused) filter.add(SCMP_ACT_ERRNO(static_cast<unsigned>(error)), call);
  for (const int call : kFileProbes) filter.add(probes == FileProbes::allowed ? SCMP_ACT_ALLOW : SCMP_ACT_ERRNO(EACCES), call);
  allow_memory(filter);
  allow_threads(filter);
  allow_output(filter);
  return filter.load();
}

}  // namespace assay
