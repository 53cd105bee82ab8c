// SPDX-License-Identifier: Apache-2.0
#include "child.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <thread>

namespace assay::score {
namespace {

EndedChild shell(const std::string& script, double seconds = 20, std::vector<std::string> environment = {}) {
  const StopSign stop;
  return run_child({{"/bin/sh", "-c", script}, std::move(environment), seconds, {}}, stop);
}

TEST(Child, SaysWhatItPrintedAndHowItEnded) {
  const EndedChild ended = shell("echo out; echo err >&2; exit 3");
  EXPECT_TRUE(ended.exited());
  EXPECT_EQ(WEXITSTATUS(ended.status), 3);
  EXPECT_EQ(ended.how(), "exit code 3");
  EXPECT_EQ(ended.output, "out\nerr\n");
  EXPECT_THAT(shell("kill -SEGV $$").how(), testing::HasSubstr("signal 11"));
}

TEST(Child, WaitsUntilItIsTold) {
  const StopSign stop;
  Child child({{"/bin/sh", "-c", "head -c 1 >/dev/null; echo told"}, {}, 0, {}, true});
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  child.tell();
  const EndedChild ended = child.wait(20, stop);
  EXPECT_EQ(ended.output, "told\n");
  EXPECT_EQ(shell("cat").output, "");  // who is not to be told reads nothing
}

TEST(Child, DiesWithItsObject) {
  pid_t pid = 0;
  {
    const Child child({{"/bin/sh", "-c", "exec sleep 60"}, {}, 0, {}, true});
    std::ifstream("/proc/thread-self/children") >> pid;
    ASSERT_GT(pid, 0);
    EXPECT_EQ(kill(pid, 0), 0);
  }
  EXPECT_NE(kill(pid, 0), 0);
}

TEST(Child, TakesNoWordWhenItHasEnded) {
  const StopSign stop;
  Child child({{"/bin/true"}, {}, 0, {}, true});
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  child.tell();  // and no SIGPIPE comes of it
  EXPECT_TRUE(child.wait(20, stop).exited());
}

TEST(Child, IsKilledAfterItsTime) {
  const EndedChild ended = shell("sleep 60", 0.2);
  EXPECT_TRUE(ended.timed_out);
  EXPECT_FALSE(ended.exited());
  EXPECT_LT(ended.seconds, 10);
}

TEST(Child, IsKilledWhenAllAreStopped) {
  StopSign stop;
  std::thread raiser([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    stop.raise();
  });
  const EndedChild ended = run_child({{"/bin/sleep", "60"}, {}, 60, {}}, stop);
  raiser.join();
  EXPECT_TRUE(ended.stopped);
  EXPECT_LT(ended.seconds, 10);
  EXPECT_TRUE(run_child({{"/bin/sleep", "60"}, {}, 60, {}}, stop).stopped);  // once said it stays said
}

TEST(Child, GetsNoDescriptorAndNoSignalOfOurs) {
  const int open_here = open("/dev/null", O_RDONLY);  // without O_CLOEXEC, as libraries open theirs
  ASSERT_GE(open_here, 3);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  ::signal(SIGPIPE, SIG_IGN);
  EXPECT_THAT(shell("ls /proc/self/fd | sort | tr '\\n' ' '").output, testing::StartsWith("0 1 2 3 "));  // 3 is ls' own
  const std::string status = shell("grep -E '^Sig(Blk|Ign):' /proc/self/status").output;
  EXPECT_THAT(status, testing::HasSubstr("SigBlk:\t0000000000000000"));
  EXPECT_THAT(status, testing::HasSubstr("SigIgn:\t0000000000000000"));
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
  ::signal(SIGPIPE, SIG_DFL);
  close(open_here);
}

TEST(Child, GetsItsOwnSeedOnly) {
  setenv("ASSAY_SEED", "1", 1);
  EXPECT_EQ(shell("echo \"[$ASSAY_SEED]\"").output, "[]\n");
  EXPECT_EQ(shell("echo \"[$ASSAY_SEED]\"", 20, {"ASSAY_SEED=2"}).output, "[2]\n");
  unsetenv("ASSAY_SEED");
}

TEST(Child, OfAChildIsBuried) {
  adopt_orphans();
  EXPECT_EQ(shell("(sleep 0.05; exit 0) & exit 0").status, 0);
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  bury_orphans();
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);  // nobody is left
  EXPECT_EQ(errno, ECHILD);
}

TEST(Child, ThatIsNoProgramSaysSo) {
  const StopSign stop;
  const EndedChild ended = run_child({{"/nowhere/assay"}, {}, 5, {}}, stop);
  EXPECT_EQ(WEXITSTATUS(ended.status), 127);
  EXPECT_EQ(ended.output, "the program cannot be executed\n");
}

}  // namespace
}  // namespace assay::score
