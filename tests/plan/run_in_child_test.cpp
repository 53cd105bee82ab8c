// SPDX-License-Identifier: Apache-2.0
#include "assay/plan/run_in_child.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <cstdlib>

namespace assay::plan {
namespace {

TEST(RunInChild, GivesItsExitCode) {
  int here = 0;
  const int status = run_in_child([&] { return here = 7; });
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 7);
  EXPECT_EQ(here, 0);
}

TEST(RunInChild, OutlivesWhatEndsIt) {
  for (const int signal : {SIGSEGV, SIGABRT, SIGKILL, SIGBUS}) {
    const int status = run_in_child([signal] {
      const rlimit none{0, 0};
      setrlimit(RLIMIT_CORE, &none);
      ::signal(signal, SIG_DFL);
      return raise(signal);
    });
    ASSERT_TRUE(WIFSIGNALED(status));
    EXPECT_EQ(WTERMSIG(status), signal);
  }
}

}  // namespace
}  // namespace assay::plan
