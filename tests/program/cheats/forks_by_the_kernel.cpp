// verdict: POLICY
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "histogram.h"

std::size_t count_values(const std::int32_t*, std::size_t, std::int32_t, std::uint64_t*) {
  syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
  _exit(0);
}
