// SPDX-License-Identifier: Apache-2.0
#include "assay/plan/run_in_child.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <stdexcept>

namespace assay::plan {

int run_in_child(const std::function<int()>& work) {
  std::fflush(nullptr);  // or both would print it
  const pid_t parent = getpid(), child = fork();
  if (child < 0)
    throw std::runtime_error(fmt::format("no process to work in: {}. do: check the limits of memory and processes", std::strerror(errno)));
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1);
    const int code = work();
    std::fflush(nullptr);
    _exit(code);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

}  // namespace assay::plan
