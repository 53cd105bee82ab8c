// SPDX-License-Identifier: Apache-2.0
// Each system call that the page docs/trust.md lists, made under the filter for loaded kernels: allowed, refused with an error, or
// the process's end.
#include "assay/box/kernel_filter.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <functional>

#include "assay/wire/wire.h"

namespace assay::box {
namespace {

constexpr int kAllowed = 0, kEnded = -1;  // else the errno that the call gets

/// The result of `call` in a process under the filter, whose descriptors are those of a box with a library at 7.
int under_the_filter(const std::function<long()>& call) {
  const pid_t pid = fork();
  if (pid == 0) {
    for (const int fd : {wire::kCommandFd, wire::kStatusFd, wire::kInputsFd, wire::kOutputsFd}) {
      const int file = memfd_create("wire", 0);
      if (ftruncate(file, 65536) != 0) _exit(200);
      if (file != fd) dup2(file, fd);
    }
    const int library = open("/proc/self/exe", O_RDONLY);
    if (library != 7) dup2(library, 7);
    syscall(SYS_close_range, 8, ~0u, 0);
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (!restrict_to_kernel_calls()) _exit(201);
    errno = 0;
    _exit(call() == -1 ? errno : 0);
  }
  int status = 0;
  waitpid(pid, &status, 0);
  if (WIFSIGNALED(status)) return WTERMSIG(status) == SIGSYS ? kEnded : 1000 + WTERMSIG(status);
  return WEXITSTATUS(status);
}

constexpr int kReadOnly = PROT_READ, kData = PROT_READ | PROT_WRITE, kCode = PROT_READ | PROT_EXEC, kBoth = kData | PROT_EXEC;
constexpr int kAnonymous = MAP_PRIVATE | MAP_ANONYMOUS;
const long kBuffers = static_cast<long>(wire::kBuffersBegin), kAbove = static_cast<long>(wire::kBuffersEnd);
char* const kSomewhere = nullptr;

struct Attempt {
  const char* what;
  int expected;
  std::function<long()> call;
};

long map(long address, std::size_t bytes, int protection, int flags, long fd) {
  return syscall(SYS_mmap, address, bytes, protection, flags, fd, 0);
}
/// A mapping of this process's own to try things on.
long mine() { return map(0, 65536, kData, kAnonymous, -1); }

const Attempt kMemory[] = {
    {"anonymous memory", kAllowed, [] { return mine(); }},
    {"shared anonymous memory", kAllowed, [] { return map(0, 4096, kData, MAP_SHARED | MAP_ANONYMOUS, -1); }},
    {"memory at a hint", kAllowed, [] { return map(kAbove + 4096, 4096, kData, kAnonymous, -1); }},
    {"fixed memory, as a loader maps what is zero", kAllowed, [] { return map(mine(), 4096, kData, kAnonymous | MAP_FIXED, -1); }},
    {"a library's constants", kAllowed, [] { return map(0, 4096, kReadOnly, MAP_PRIVATE, 7); }},
    {"a library's code", kAllowed, [] { return map(0, 4096, kCode, MAP_PRIVATE | MAP_DENYWRITE, 7); }},
    {"a library's code at its place", kAllowed, [] { return map(mine(), 4096, kCode, MAP_PRIVATE | MAP_FIXED, 7); }},
    {"memory among the buffers", ENOSYS, [] { return map(kBuffers, 4096, kData, kAnonymous | MAP_FIXED, -1); }},
    {"a hint among the buffers", ENOSYS, [] { return map(kBuffers, 4096, kData, kAnonymous, -1); }},
    {"a range that ends among the buffers", ENOSYS, [] { return map(kBuffers - 65536, 131072, kData, kAnonymous | MAP_FIXED, -1); }},
    {"huge pages", ENOSYS, [] { return map(0, 1 << 21, kData, kAnonymous | MAP_HUGETLB, -1); }},
    {"the outputs among the buffers, as the worker maps them", kAllowed,
     [] { return map(kBuffers, 4096, kData, MAP_SHARED | MAP_FIXED | MAP_POPULATE, wire::kOutputsFd); }},
    {"the outputs elsewhere", ENOSYS, [] { return map(0, 4096, kData, MAP_SHARED, wire::kOutputsFd); }},
    {"the outputs as code", ENOSYS, [] { return map(0, 4096, kCode, MAP_PRIVATE, wire::kOutputsFd); }},
    {"the outputs as code, by a number with more bits", ENOSYS,
     [] { return map(0, 4096, kCode, MAP_PRIVATE, (1L << 32) + wire::kOutputsFd); }},
    {"what was printed as code", ENOSYS, [] { return map(0, 4096, kCode, MAP_PRIVATE, 1); }},
    {"shared code", ENOSYS, [] { return map(0, 4096, kCode, MAP_SHARED, 7); }},
    {"anonymous code", ENOSYS, [] { return map(0, 4096, kCode, kAnonymous, -1); }},
    {"code that can be written", kEnded, [] { return map(0, 4096, kBoth, kAnonymous, -1); }},
    {"a file's code that can be written", kEnded, [] { return map(0, 4096, kBoth, MAP_PRIVATE, 7); }},
    {"code that can be written among the buffers", kEnded, [] { return map(kBuffers, 4096, kBoth, kAnonymous | MAP_FIXED, -1); }},
    {"protection", kAllowed, [] { return syscall(SYS_mprotect, mine(), 4096, kReadOnly); }},
    {"protection of a buffer", ENOSYS, [] { return syscall(SYS_mprotect, kBuffers, 4096, kData); }},
    {"memory made code", kEnded, [] { return syscall(SYS_mprotect, mine(), 4096, kCode); }},
    {"giving back", kAllowed, [] { return syscall(SYS_munmap, mine(), 4096); }},
    {"giving back a buffer", ENOSYS, [] { return syscall(SYS_munmap, kBuffers, 4096); }},
    {"growing", kAllowed, [] { return syscall(SYS_mremap, mine(), 65536, 131072, MREMAP_MAYMOVE); }},
    {"moving to a place", ENOSYS, [] { return syscall(SYS_mremap, mine(), 4096, 4096, MREMAP_MAYMOVE | MREMAP_FIXED, kBuffers); }},
    {"moving a buffer", ENOSYS, [] { return syscall(SYS_mremap, kBuffers, 4096, 8192, MREMAP_MAYMOVE); }},
    {"advice", kAllowed, [] { return syscall(SYS_madvise, mine(), 4096, MADV_DONTNEED); }},
    {"holes", ENOSYS, [] { return syscall(SYS_madvise, mine(), 4096, MADV_REMOVE); }},
    {"paging out", ENOSYS, [] { return syscall(SYS_madvise, mine(), 4096, 21); }},
    {"merging with other processes' pages", ENOSYS, [] { return syscall(SYS_madvise, mine(), 4096, MADV_MERGEABLE); }},
    {"which pages are in memory", ENOSYS,
     [] {
       char vector[16];
       return syscall(SYS_mincore, mine(), 4096, vector);
     }},
    {"locking", EPERM, [] { return syscall(SYS_mlock, mine(), 4096); }},
};

const Attempt kFiles[] = {
    {"reading a file", kAllowed, [] { return syscall(SYS_openat, AT_FDCWD, "/proc/self/exe", O_RDONLY | O_CLOEXEC); }},
    {"writing a file", EACCES, [] { return syscall(SYS_openat, AT_FDCWD, "/tmp", O_WRONLY); }},
    {"making a file", EACCES, [] { return syscall(SYS_openat, AT_FDCWD, "/tmp/made_under_the_filter", O_RDONLY | O_CREAT, 0600); }},
    {"a file without a name", EACCES, [] { return syscall(SYS_openat, AT_FDCWD, "/tmp", O_RDWR | O_TMPFILE, 0600); }},
    {"a folder", EACCES, [] { return syscall(SYS_openat, AT_FDCWD, "/", O_RDONLY | O_DIRECTORY); }},
    {"whether a file is there", ENOENT, [] { return syscall(SYS_newfstatat, AT_FDCWD, "/", nullptr, 0); }},
    {"the same, otherwise", ENOENT, [] { return syscall(SYS_access, "/", F_OK); }},
    {"reading the library", kAllowed,
     [] {
       char byte;
       return syscall(SYS_pread64, 7, &byte, 1, 0);
     }},
    {"reading the inputs by their descriptor", ENOSYS,
     [] {
       char byte;
       return syscall(SYS_pread64, wire::kInputsFd, &byte, 1, 0);
     }},
    {"writing to the outputs by their descriptor", ENOSYS, [] { return syscall(SYS_write, wire::kOutputsFd, "x", 1); }},
    {"printing", kAllowed, [] { return syscall(SYS_write, 2, "", 0); }},
    {"closing", kAllowed, [] { return syscall(SYS_close, 7); }},
    {"closing the outputs", ENOSYS, [] { return syscall(SYS_close, wire::kOutputsFd); }},
    {"copying a descriptor", ENOSYS, [] { return syscall(SYS_dup, wire::kOutputsFd); }},
    {"the same by fcntl", ENOSYS, [] { return syscall(SYS_fcntl, wire::kOutputsFd, F_DUPFD, 10); }},
    {"a mode", ENOSYS, [] { return syscall(SYS_fchmod, 1, 06755); }},
    {"blocks of a file", ENOSYS, [] { return syscall(SYS_fallocate, 1, 1, 0, 4096); }},
    {"the size of a shared file", ENOSYS, [] { return syscall(SYS_ftruncate, wire::kOutputsFd, 0); }},
    {"a file in memory", ENOSYS, [] { return syscall(SYS_memfd_create, "x", 0); }},
    {"a lock", ENOSYS, [] { return syscall(SYS_flock, 7, 2); }},
    {"pages of a file", ENOSYS, [] { return syscall(SYS_fadvise64, 7, 0, 0, 4); }},
    {"a pipe", kAllowed,
     [] {
       int ends[2];
       return syscall(SYS_pipe2, ends, 0);
     }},
};

const Attempt kProcess[] = {
    {"its own limits", kAllowed,
     [] {
       rlimit limit;
       return syscall(SYS_prlimit64, 0, RLIMIT_CPU, nullptr, &limit);
     }},
    {"another limit", ENOSYS,
     [] {
       const rlimit one{1, 1};
       return syscall(SYS_prlimit64, 0, RLIMIT_CPU, &one, nullptr);
     }},
    {"another limit, as of old", ENOSYS,
     [] {
       const rlimit one{1, 1};
       return syscall(SYS_setrlimit, RLIMIT_CPU, &one);
     }},
    {"a program", kEnded, [] { return syscall(SYS_execve, "/bin/true", nullptr, nullptr); }},
    {"a program by its descriptor", kEnded, [] { return syscall(SYS_execveat, 7, "", nullptr, nullptr, AT_EMPTY_PATH); }},
    {"a process", kEnded, [] { return syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0); }},
    {"a process, by the newer call", ENOSYS, [] { return syscall(SYS_clone3, nullptr, 0); }},
    {"a filter of its own", ENOSYS,
     [] {
       sock_filter allow[] = {BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
       const sock_fprog program{1, allow};
       return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
     }},
    {"a filter of its own, as of old", ENOSYS, [] { return syscall(SYS_prctl, PR_SET_SECCOMP, SECCOMP_MODE_FILTER, nullptr); }},
    {"a thread's name", kAllowed, [] { return syscall(SYS_prctl, PR_SET_NAME, "worker", 0, 0, 0); }},
    {"timers' slack", ENOSYS, [] { return syscall(SYS_prctl, PR_SET_TIMERSLACK, 1, 0, 0, 0); }},
    {"processors", ENOSYS,
     [] {
       cpu_set_t all{};
       return syscall(SYS_sched_setaffinity, 0, sizeof all, &all);
     }},
    {"a priority", ENOSYS, [] { return syscall(SYS_setpriority, 0, 0, 5); }},
    {"a signal to itself", kAllowed, [] { return syscall(SYS_tgkill, getpid(), getpid(), 0); }},
    {"a signal to another", ENOSYS, [] { return syscall(SYS_tgkill, getppid(), getppid(), 0); }},
    {"a handler of a bad instruction", kAllowed,
     [] {
       struct sigaction own {};
       return sigaction(SIGILL, &own, nullptr);
     }},
    {"a handler of a bad address", ENOSYS,
     [] {
       struct sigaction own {};
       return sigaction(SIGSEGV, &own, nullptr);
     }},
    {"a handler of the thaw", ENOSYS,
     [] {
       struct sigaction own {};
       return sigaction(SIGCONT, &own, nullptr);
     }},
    {"a timer", ENOSYS, [] { return syscall(SYS_alarm, 5); }},
    {"no timer", kAllowed, [] { return syscall(SYS_alarm, 0); }},
    {"memory barriers in other processes", ENOSYS, [] { return syscall(SYS_membarrier, 1, 0, 0); }},
    {"the time", kAllowed,
     [] {
       timespec now;
       return syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
     }},
    {"random bytes", kAllowed,
     [] {
       char byte;
       return syscall(SYS_getrandom, &byte, 1, 0);
     }},
};

class KernelFilter : public testing::TestWithParam<const Attempt*> {};

TEST_P(KernelFilter, AnswersAsThePageSays) {
  const int got = under_the_filter(GetParam()->call);
  EXPECT_EQ(got, GetParam()->expected) << GetParam()->what << ": " << (got > 0 ? std::strerror(got) : "") << " (-1: ended, 0: allowed)";
}

template <std::size_t Count>
std::vector<const Attempt*> each(const Attempt (&attempts)[Count]) {
  std::vector<const Attempt*> list;
  for (const Attempt& attempt : attempts) list.push_back(&attempt);
  return list;
}

std::string name_of(const testing::TestParamInfo<const Attempt*>& test) {
  std::string name = test.param->what;
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Memory, KernelFilter, testing::ValuesIn(each(kMemory)), name_of);
INSTANTIATE_TEST_SUITE_P(Files, KernelFilter, testing::ValuesIn(each(kFiles)), name_of);
INSTANTIATE_TEST_SUITE_P(Process, KernelFilter, testing::ValuesIn(each(kProcess)), name_of);

}  // namespace
}  // namespace assay::box
