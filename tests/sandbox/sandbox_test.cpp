// SPDX-License-Identifier: Apache-2.0
// What a confined command can and cannot do, in each set of layers that this kernel offers.
#include "assay/sandbox/sandbox.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "assay/sandbox/probe.h"
#include "temporary_folder.h"

namespace assay::sandbox {
namespace {

using record::Tier;

namespace fs = std::filesystem;
using std::chrono::milliseconds;

class Sandbox : public testing::TestWithParam<Layers> {
 protected:
  Sandbox() {
    fs::create_directories(folder_ / "open");
    fs::create_directories(folder_ / "scratch");
    std::ofstream(folder_ / "secret") << "the reference\n";
    std::ofstream(folder_ / "open/note") << "for everyone\n";
  }

  void SetUp() override {
    try {
      shell("true");
    } catch (const SandboxError& error) {
      GTEST_SKIP() << "not to be had here: " << error.what();
    }
  }

  ConfinedCommand command(const std::string& script) const {
    ConfinedCommand command;
    command.argv = {"/bin/sh", "-c", script};
    command.environment = {"PATH=/usr/bin:/bin"};
    command.readable = system_paths();
    command.readable.push_back(folder_ / "open");
    command.writable = {folder_ / "scratch"};
    command.may_start_processes = true;
    command.layers = GetParam();
    return command;
  }
  ConfinedCommand python(const std::string& script) const {
    ConfinedCommand python = command("");
    python.argv = {"/usr/bin/python3", "-c", script};
    python.environment.emplace_back("HOME=/");  // else its start looks the user up, which opens a socket
    return python;
  }
  Finished shell(const std::string& script, milliseconds limit = milliseconds(10000)) const { return run(command(script), limit); }
  bool succeeds(const std::string& script) const {
    const Finished finished = shell(script);
    return WIFEXITED(finished.status) && WEXITSTATUS(finished.status) == 0;
  }
  bool confines_files() const { return GetParam().namespaces || GetParam().landlock; }
  static void expect_stopped(const Finished& finished) {
    EXPECT_EQ(WIFSIGNALED(finished.status) && WTERMSIG(finished.status) == SIGSYS, GetParam().filter);
  }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

 private:
  TemporaryFolder folder_;
};

TEST_P(Sandbox, ReadsWhatItIsGivenAndNothingElse) {
  EXPECT_TRUE(succeeds("cat " + path("open/note")));
  EXPECT_EQ(succeeds("cat " + path("secret")), !confines_files());
  EXPECT_EQ(succeeds("cat /etc/passwd"), !confines_files());
}

/// A toolchain in a folder of its own, whose programs are links into the system's.
TEST_P(Sandbox, ShowsFilesInsideFoldersThatItShows) {
  fs::create_directories(path("tools"));
  std::ofstream(path("tools/own")) << "own\n";
  fs::create_directories(path("other"));
  fs::create_symlink("../open/note", path("other/link"));
  fs::create_symlink(path("other/link"), path("tools/link"));
  ConfinedCommand reader = command("cat " + path("tools/own") + " " + path("tools/link"));
  reader.readable.erase(reader.readable.end() - 1);  // the folder "open"
  reader.readable.insert(reader.readable.end(), {path("tools"), path("tools/own"), path("tools/link")});
  EXPECT_EQ(run(reader, milliseconds(10000)).status, 0);
}

TEST_P(Sandbox, WritesToItsScratchFolderAlone) {
  EXPECT_TRUE(succeeds("echo x > " + path("scratch/new")));
  EXPECT_TRUE(fs::exists(path("scratch/new")));
  if (!confines_files()) return;
  EXPECT_FALSE(succeeds("echo x > " + path("open/new")));
  EXPECT_FALSE(fs::exists(path("open/new")));
  succeeds("echo x > /usr/sandbox_test_was_here");
  EXPECT_FALSE(fs::exists("/usr/sandbox_test_was_here"));
}

TEST_P(Sandbox, OpensTheDevicesThatItIsGiven) {
  ConfinedCommand with_device = command("head -c 1 /dev/full > /dev/null && : > /dev/full");
  with_device.devices = {"/dev/full", "/dev/absent"};
  EXPECT_EQ(run(with_device, milliseconds(10000)).status, 0);
  EXPECT_EQ(succeeds("head -c 1 /dev/full > /dev/null"), !confines_files());
}

TEST_P(Sandbox, LetsADriverReserveAddressesButHoldNoMoreMemoryThanOthers) {
  ConfinedCommand driver = python("import mmap; mmap.mmap(-1, 8 << 30, mmap.MAP_PRIVATE, mmap.PROT_READ)");
  driver.limits.address_space = 1 << 30;
  EXPECT_NE(run(driver, milliseconds(10000)).status, 0);
  driver.devices = {"/dev/full"};
  EXPECT_EQ(run(driver, milliseconds(10000)).status, 0);
  driver.argv.back() = "bytearray(2 << 30)";
  EXPECT_NE(run(driver, milliseconds(10000)).status, 0);
}

TEST_P(Sandbox, ShowsADriverItsOwnProcessAlone) {
  ConfinedCommand driver = command("read map < /proc/self/maps");
  driver.devices = {"/dev/full"};
  EXPECT_EQ(run(driver, milliseconds(10000)).status, 0);
  if (!confines_files()) return;
  driver.argv.back() = "read name < /proc/$JUDGE/comm || read name < /proc/1/comm || echo x > /proc/$JUDGE/comm";
  driver.environment.push_back("JUDGE=" + std::to_string(getpid()));
  EXPECT_NE(run(driver, milliseconds(10000)).status, 0);
}

/// CUDA's driver does not start where it cannot.
TEST_P(Sandbox, LetsADriverNameItsThreadsAndHaveALocalSocket) {
  ConfinedCommand driver = python(
      "import socket, threading\n"
      "socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)\n"
      "def name(): open(f'/proc/self/task/{threading.get_native_id()}/comm', 'w').write('driver')\n"
      "thread = threading.Thread(target=name); threading.excepthook = lambda error: __import__('os')._exit(1)\n"
      "thread.start(); thread.join()");
  driver.devices = {"/dev/full"};
  driver.loads_drivers = true;
  EXPECT_EQ(run(driver, milliseconds(10000)).status, 0);
  driver.argv.back() = "import socket; socket.socket(socket.AF_INET)";
  EXPECT_EQ(run(driver, milliseconds(10000)).status != 0, GetParam().filter);
}

/// It has no pid namespace of its own.
TEST_P(Sandbox, RefusesADriverSignalsToOthers) {
  if (!GetParam().filter) GTEST_SKIP() << "nothing refuses signals";
  ConfinedCommand driver = command("kill -0 $JUDGE");
  driver.devices = {"/dev/full"};
  driver.environment.push_back("JUDGE=" + std::to_string(getpid()));
  const Finished finished = run(driver, milliseconds(10000));
  EXPECT_TRUE(WIFEXITED(finished.status) && WEXITSTATUS(finished.status) != 0);
}

TEST_P(Sandbox, RefusesADriverChangesOfOthers) {
  if (!GetParam().filter) GTEST_SKIP() << "nothing refuses changes";
  ConfinedCommand driver = python(
      "import ctypes, os, resource\n"
      "judge = int(os.environ['JUDGE'])\n"
      "def refused(ask):\n"
      "    try: ask()\n"
      "    except OSError: return True\n"
      "def signals():\n"
      "    if ctypes.CDLL(None, use_errno=True).tgkill(judge, judge, 0) != 0: raise OSError(ctypes.get_errno())\n"
      "assert refused(lambda: resource.prlimit(judge, resource.RLIMIT_CORE))\n"
      "assert refused(lambda: os.sched_setaffinity(judge, os.sched_getaffinity(0)))\n"
      "assert refused(lambda: os.setpriority(os.PRIO_USER, 0, 0))\n"
      "assert refused(signals)\n"
      "resource.setrlimit(resource.RLIMIT_CORE, resource.getrlimit(resource.RLIMIT_CORE))\n"
      "os.sched_setaffinity(0, os.sched_getaffinity(0))\n");
  driver.devices = {"/dev/full"};
  driver.environment.push_back("JUDGE=" + std::to_string(getpid()));
  const Finished finished = run(driver, milliseconds(10000));
  EXPECT_TRUE(WIFEXITED(finished.status));
  EXPECT_EQ(WEXITSTATUS(finished.status), 0);
}

TEST_P(Sandbox, RefusesDriversSocketsWithoutEndingThem) {
  ConfinedCommand driver = python("import socket; socket.socket(socket.AF_UNIX)");
  driver.loads_drivers = true;
  const Finished finished = run(driver, milliseconds(10000));
  EXPECT_TRUE(WIFEXITED(finished.status));
  EXPECT_EQ(WEXITSTATUS(finished.status) != 0, GetParam().filter);
}

/// PyTorch starts ldconfig while it is imported.
TEST_P(Sandbox, RefusesAProgramOfOursWhatEndsOthers) {
  ConfinedCommand ours = python(
      "import os, socket\n"
      "def refused(ask):\n"
      "    try: ask()\n"
      "    except OSError: return True\n"
      "assert refused(lambda: os.posix_spawn('/bin/true', ['true'], {}))\n"
      "assert refused(socket.socket)\n"
      "assert refused(lambda: os.kill(os.getpid(), 0))\n"
      "assert refused(os.fork)\n");
  ours.may_start_processes = false;
  ours.ends_never = true;
  const Finished finished = run(ours, milliseconds(10000));
  EXPECT_TRUE(WIFEXITED(finished.status));
  EXPECT_EQ(WEXITSTATUS(finished.status) == 0, GetParam().filter);
}

TEST_P(Sandbox, InheritsNoEnvironment) {
  setenv("SANDBOX_TEST_SECRET", "1", 1);
  EXPECT_TRUE(succeeds("test -z \"$SANDBOX_TEST_SECRET\""));
}

TEST_P(Sandbox, KeepsNoOtherDescriptorOpen) {
  const int fd = open("/etc/hostname", O_RDONLY);
  ASSERT_EQ(dup2(fd, 30), 30);
  close(fd);
  EXPECT_FALSE(succeeds("cat <&30"));
  close(30);
}

TEST_P(Sandbox, HasNoNetwork) { expect_stopped(run(python("import socket; socket.socket()"), milliseconds(10000))); }

TEST_P(Sandbox, StartsNoProcessWhereItMayNot) {
  ConfinedCommand alone = command("cat /dev/null; true");
  alone.may_start_processes = false;
  const Finished finished = run(alone, milliseconds(10000));
  expect_stopped(finished);
}

/// Whoever is left of a command holds the other end of its output.
TEST_P(Sandbox, EndsAtTheTimeLimitWithAllItsChildren) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  ConfinedCommand sleeper = command("sleep 60 & echo started; sleep 60");
  sleeper.output = ends[1];
  const Finished finished = run(sleeper, milliseconds(1000));
  close(ends[1]);
  EXPECT_TRUE(finished.timed_out);
  EXPECT_TRUE(WIFSIGNALED(finished.status) && WTERMSIG(finished.status) == SIGKILL) << finished.status;
  char text[32] = {};
  EXPECT_EQ(read(ends[0], text, sizeof text), 8) << "the children were not there yet";
  pollfd left{ends[0], POLLIN, 0};
  EXPECT_EQ(poll(&left, 1, 0), 1);
  EXPECT_EQ(left.revents, POLLHUP) << "a child outlives run()";
  close(ends[0]);
}

TEST_P(Sandbox, BoundsTheSizeOfFiles) {
  ConfinedCommand writer = command("head -c 3000000 /dev/zero > " + path("scratch/big"));
  writer.limits.file_size = 1 << 20;
  run(writer, milliseconds(10000));
  EXPECT_LE(fs::file_size(path("scratch/big")), 1u << 20);
}

TEST_P(Sandbox, BoundsMemory) {
  ConfinedCommand greedy = command("head -c 500000000 /dev/zero | tail -c 400000000 > /dev/null");
  greedy.limits.address_space = 100 << 20;
  const Finished finished = run(greedy, milliseconds(20000));
  EXPECT_FALSE(WIFEXITED(finished.status) && WEXITSTATUS(finished.status) == 0);
}

TEST_P(Sandbox, GivesPrivateCopiesOfFilesAndFolders) {
  ConfinedCommand reader = command("cat " + path("private/file") + " && test -e " + path("private/sub/other"));
  fs::create_directories(path("private/sub"));
  std::ofstream(path("private/file")) << "text\n";
  std::ofstream(path("private/sub/other")) << "more\n";
  reader.private_copies = {path("private")};
  EXPECT_EQ(run(reader, milliseconds(10000)).status, 0);
  if (!GetParam().namespaces) return;
  reader.argv.back() = "stat -c %i " + path("private/file") + " > " + path("scratch/inode");
  EXPECT_EQ(run(reader, milliseconds(10000)).status, 0);
  struct stat status {};
  ASSERT_EQ(stat(path("private/file").c_str(), &status), 0);
  std::uint64_t inode = 0;
  std::ifstream(path("scratch/inode")) >> inode;
  EXPECT_NE(inode, status.st_ino) << "it is the file itself";
}

TEST_P(Sandbox, HasARootThatCannotBeWritten) {
  if (!GetParam().namespaces) return;
  ConfinedCommand writer = command("echo x > /new || echo x > /tmp/new || mkdir /folder");
  writer.layers.landlock = false;  // which would refuse it too
  EXPECT_NE(run(writer, milliseconds(10000)).status, 0);
}

TEST_P(Sandbox, LeavesNoBitsForOtherUsersAndNoBlocksBeyondAFile) {
  const std::string made = path("scratch/made");
  run(python("import os, ctypes\n"
             "fd = os.open('" +
             made +
             "', os.O_CREAT | os.O_WRONLY, 0o700)\n"
             "for attempt in (lambda: os.fchmod(fd, 0o6755), lambda: os.chmod('" +
             made +
             "', 0o4755),\n"
             "                lambda: os.close(os.open('" +
             made +
             "2', os.O_CREAT | os.O_WRONLY, 0o6755))):\n"
             "  try: attempt()\n"
             "  except OSError: pass\n"
             "os.chmod('" +
             made +
             "', 0o755)\n"
             "ctypes.CDLL(None).fallocate(fd, 1, ctypes.c_long(0), ctypes.c_long(200 << 20))\n"),
      milliseconds(10000));
  struct stat status {};
  ASSERT_EQ(stat(made.c_str(), &status), 0);
  if (!GetParam().filter) return;
  EXPECT_EQ(status.st_mode & 07777, 0755u) << "an ordinary mode may be set, and no other";
  EXPECT_EQ(status.st_blocks, 0);
  EXPECT_TRUE(stat((made + "2").c_str(), &status) != 0 || (status.st_mode & 06000) == 0);
}

TEST_P(Sandbox, EndsBySIGXCPUWhenItsProcessorTimeIsUsedUp) {
  // By a second process: the first of a namespace is sent no signal that it does not handle.
  ConfinedCommand spinner = command("(while :; do :; done) & wait $!");
  spinner.limits.cpu_seconds = 1;
  const Finished finished = run(spinner, milliseconds(20000));
  EXPECT_TRUE(WIFEXITED(finished.status) && WEXITSTATUS(finished.status) == 128 + SIGXCPU) << finished.status;
}

TEST_P(Sandbox, SendsOutputWhereItIsTold) {
  ConfinedCommand talker = command("echo out; echo err >&2");
  talker.output = memfd_create("output", MFD_CLOEXEC);
  run(talker, milliseconds(10000));
  char text[32] = {};
  EXPECT_EQ(pread(talker.output, text, sizeof text, 0), 8);
  EXPECT_STREQ(text, "out\nerr\n");
  close(talker.output);
}

constexpr Layers kWithoutLandlock{.landlock = false}, kWithoutNamespaces{.namespaces = false}, kLimitsAlone{false, false, false};

std::string name_of(const Layers& layers) {
  std::string name = to_string(layers);
  std::erase_if(name, [](char c) { return c == ' ' || c == '+'; });
  return name;
}

INSTANTIATE_TEST_SUITE_P(Layers, Sandbox, testing::Values(Layers{}, kWithoutLandlock, kWithoutNamespaces, kLimitsAlone),
                         [](const auto& test) { return name_of(test.param); });

TEST(Tier, FollowsFromTheLayers) {
  EXPECT_EQ(tier_of({}), Tier::full);
  EXPECT_EQ(tier_of(kWithoutLandlock), Tier::reduced);
  EXPECT_EQ(tier_of(kWithoutNamespaces), Tier::reduced);
  EXPECT_EQ(tier_of({.filter = false}), Tier::none);
  EXPECT_EQ(tier_of({.namespaces = false, .landlock = false}), Tier::none);
  EXPECT_EQ(to_string(kWithoutNamespaces), "landlock + seccomp + limits");
}

/// A machine that lacks a layer is given less by the probe; a layer that is there and leaks is our fault.
TEST(Probe, FindsNothingThatGetsOutOfLayersThatCanBeHad) {
  int had = 0;
  for (const Layers& layers : {Layers{}, kWithoutLandlock, kWithoutNamespaces}) {
    try {
      EXPECT_THAT(escapes_from(layers, ESCAPE), testing::IsEmpty()) << to_string(layers);
      ++had;
    } catch (const SandboxError& error) {
      EXPECT_NE(probe_layers(ESCAPE).layers, layers) << error.what();
    }
  }
  EXPECT_GT(had, 0);
}

/// The probe by a program with one attempt, which gets out where `script` does not end with 0.
OfferedLayers probe_with_attempt(const std::string& script) {
  const TemporaryFolder folder;
  const fs::path program = folder / "escape";
  std::ofstream(program) << "#!/bin/sh\nif test $1 = --list; then echo attempt; exit; fi\n" << script << '\n';
  fs::permissions(program, fs::perms::owner_all);
  return probe_layers(program);
}

TEST(Probe, OffersTheBestLayersThatNothingGetsOutOf) {
  const OfferedLayers all = probe_with_attempt("exit 0");
  if (!all.refused.empty()) GTEST_SKIP() << "not to be had here: " << all.refused.front().why;
  EXPECT_EQ(all.layers, Layers{});
  const OfferedLayers leaking = probe_with_attempt("test $$ -gt 2");  // first of a process namespace
  EXPECT_EQ(leaking.layers, kWithoutNamespaces);
  ASSERT_EQ(leaking.refused.size(), 2u);
  EXPECT_EQ(leaking.refused[0].layers, Layers{});
  EXPECT_EQ(leaking.refused[1].layers, kWithoutLandlock);
  EXPECT_EQ(leaking.refused[0].why, "does not hold: attempt");
}

TEST(Probe, OffersLimitsAloneWhereEverythingLeaks) {
  for (const char* script : {"exit 1", "f() { f; }; f"}) {  // a crash, of the stack, counts as getting out
    const OfferedLayers offer = probe_with_attempt(script);
    EXPECT_EQ(offer.layers, kLimitsAlone) << script;
    EXPECT_EQ(offer.refused.size(), 3u) << script;
  }
}

TEST(Probe, SeesWhatGetsOutOfLimitsAlone) {
  EXPECT_THAT(escapes_from(kLimitsAlone, ESCAPE), testing::IsSupersetOf({"reads_a_file", "writes_a_file", "makes_a_file",
                                                                         "starts_a_process", "signals_the_judge", "survives"}));
  EXPECT_THAT(escapes_from(kLimitsAlone, ESCAPE), testing::Not(testing::Contains("fills_the_disk")));
}

TEST(Probe, SeesAFilterWithoutConfinedFiles) {
  EXPECT_THAT(escapes_from({.namespaces = false, .landlock = false}, ESCAPE),
              testing::AllOf(testing::Contains("reads_a_file"), testing::Not(testing::Contains("connects")),
                             testing::Not(testing::Contains("survives"))));
}

TEST(Probe, SaysWhichProgramIsMissing) { EXPECT_THROW(probe_layers("/nowhere/assay-escape"), SandboxError); }

TEST(Start, MovesDescriptorsWhateverTheirNumbers) {
  // A judge has as many as it has processors and tensors.
  const auto file = [](const char* text, int number) {
    const int made = memfd_create("text", MFD_CLOEXEC);
    EXPECT_EQ(write(made, text, 2), 2);
    lseek(made, 0, SEEK_SET);
    EXPECT_EQ(dup3(made, number, O_CLOEXEC), number);
    close(made);
    return number;
  };
  std::vector<int> opened;
  for (int number = 20; number < 60; ++number) opened.push_back(file("9\n", number));
  ConfinedCommand command;
  command.argv = {"/bin/sh", "-c",
                  "read a <&3; read b <&4; read c <&5; read d <&6; test $a$b$c$d = 1234 -a ! -e /proc/self/fd/7 -a ! -e /proc/self/fd/41"};
  command.descriptors = {{file("1\n", 41), 3}, {file("2\n", 40), 4}, {file("3\n", 59), 5}, {file("4\n", 43), 6}};
  command.layers = kLimitsAlone;
  EXPECT_EQ(run(command, milliseconds(10000)).status, 0);
  for (const int number : opened) close(number);
}

TEST(Start, SaysWhatCannotBeStarted) {
  ConfinedCommand missing;
  missing.argv = {"/nowhere/program"};
  try {
    start(missing);
    FAIL();
  } catch (const SandboxError& error) {
    EXPECT_NE(std::string(error.what()).find("cannot start /nowhere/program"), std::string::npos);
  }
}

}  // namespace
}  // namespace assay::sandbox
