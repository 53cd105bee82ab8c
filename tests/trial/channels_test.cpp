// SPDX-License-Identifier: Apache-2.0
// What a box could leave to a later box of the same library (docs/trust.md lists the channels). For each there is a kernel that tries
// to leave a bit and one that tries to read it; what is read must not depend on what was left.
#include <gtest/gtest.h>

#include <cstring>

#include "assay/trial/trial.h"
#include "stages_fixture.h"

namespace assay::trial {
namespace {

constexpr std::chrono::seconds kBoxLimit{10};

/// N is the channel, C what to do: 0 or 1 leave that bit, 2 reads. y[0] is what was read, or why it could not be.
constexpr const char* kKernel = R"(
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include "kernel.h"

// A megabyte that lies in the file: nothing but this kernel touches it.
asm(".section .data.pages, \"aw\", @progbits\n.balign 4096\n.globl channel_pages\nchannel_pages: .zero 1048576, 7\n.text\n");
extern "C" char channel_pages[1 << 20];

static const char* const kFiles[] = {"/tmp/bit", "/dev/shm/bit", "/bit", "bit"};

// What a library has of code around a function, at least.
static const int kShared = 32;

/// Major page faults that reading every 16th of `count` pages costs.
static float faults(volatile char* pages, int count = 256) {
  rusage before{}, after{};
  getrusage(RUSAGE_SELF, &before);
  for (int page = 0; page < count; page += 16) (void)pages[page * 4096];
  getrusage(RUSAGE_SELF, &after);
  return after.ru_majflt - before.ru_majflt;
}

static float residency(const void* pages, int count = 256) {
  unsigned char in_memory[256] = {};
  if (syscall(SYS_mincore, reinterpret_cast<uintptr_t>(pages) / 4096 * 4096, count * 4096, in_memory) != 0) return -errno;
  float sum = 0;
  for (const unsigned char each : in_memory) sum += each & 1;
  return sum;
}

static void drop(void* pages) {
  const int advices[] = {MADV_DONTNEED, 20, 21};  // cold, pageout
  for (const int advice : advices)
    for (int page = 0; page < kShared; ++page)
      syscall(SYS_madvise, reinterpret_cast<uintptr_t>(pages) / 4096 * 4096 + page * 4096, 4096, advice);
}

/// In *number its number, where one is given.
static void* tell(void* number) {
  if (number != nullptr) *static_cast<float*>(number) = static_cast<float>(gettid());
  return nullptr;
}

static void run_thread(float* number) {
  pthread_t thread;
  if (pthread_create(&thread, nullptr, tell, number) == 0) pthread_join(thread, nullptr);
}

extern "C" void relu(const float*, float* y, int64_t N, int64_t C) {
  const int bit = static_cast<int>(C);
  const bool reads = C == 2;
  void* shared = reinterpret_cast<void*>(static_cast<double (*)(double)>(&sin));  // code of a library that boxes share
  switch (N) {
    case 0: y[0] = reads ? faults(channel_pages) : bit ? faults(channel_pages) : 0; break;
    case 1: y[0] = reads ? residency(channel_pages) : bit ? faults(channel_pages) : 0; break;
    case 2: if (reads) y[0] = residency(shared, kShared); else if (bit) drop(shared); break;
    case 3: {
      y[0] = 0;
      if (!reads && bit) drop(shared);
      if (reads) y[0] = faults(static_cast<char*>(shared), kShared);
      break;
    }
    case 4:
      y[0] = 0;
      for (const char* file : kFiles)
        if (const int fd = open(file, reads ? O_RDONLY : O_CREAT | O_WRONLY, 0600); fd >= 0 && (reads || bit)) y[0] += 1;
      break;
    case 5: {
      char byte = 0;
      if (reads) y[0] = pread(1, &byte, 1, 0) == 1 ? byte : -1;
      else if (bit) y[0] = static_cast<float>(write(1, "x", 1));
      break;
    }
    case 6: {  // times and modes of what it sees
      struct stat status{};
      y[0] = 0;
      if (!reads && bit) { utimensat(AT_FDCWD, "/", nullptr, 0); fchmod(1, 0755); futimens(1, nullptr); }
      if (reads) y[0] = fstat(1, &status) == 0 ? static_cast<float>(status.st_mode) : -1;
      break;
    }
    case 7:  // numbers of threads
      y[0] = 0;
      for (int i = 0; !reads && bit && i < 50; ++i) run_thread(nullptr);
      if (reads) run_thread(y);
      break;
  }
}
)";

class Channels : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    stages_ = new Stages(ASSAY, PLAN);
    const auto source = stages_->folder() / "channels.cpp";
    std::ofstream(source) << kKernel;
    ASSERT_EQ(record_of(stages_->compile(source))["verdict"], "PASS");
  }
  static void TearDownTestSuite() { delete stages_; }

  /// y[0] of one call in a box of its own.
  static float call(int channel, int what, std::optional<sandbox::Layers> layers = {}) {
    const plan::Plan plan = plan::load_plan(stages_->folder() / "plan.json");
    BoxProgram program = candidate_program(plan, {"hostile", 8, {}, stages_->folder() / "kernel"}, {}, 1, kBoxLimit);
    program.output = stages_->folder() / "printed.txt";
    if (layers) program.layers = *layers;
    ConfinedBox box(program, 4096, 4096, 2);
    box.set_layout({8}, {8}, {}, {channel, what});
    box.poison(Poison::nan, 1);
    EXPECT_TRUE(box.call(wire::CallKind::kernel, kBoxLimit)) << box.failure()->detail;
    float value = 0;
    std::memcpy(&value, box.output(0).data(), sizeof value);
    return value;
  }
  static Stages* stages_;
};
Stages* Channels::stages_ = nullptr;

class EachChannel : public Channels, public testing::WithParamInterface<int> {};

TEST_P(EachChannel, SaysNothingOfEarlierBoxes) {
  constexpr int kReads = 2;
  call(GetParam(), 0);
  const float after_nothing = call(GetParam(), kReads);
  call(GetParam(), 1);
  EXPECT_EQ(call(GetParam(), kReads), after_nothing);
}

/// So much for what these kernels can: without the sandbox they leave files, and numbers of threads go on.
TEST_F(Channels, AreThereWithoutTheSandbox) {
  constexpr sandbox::Layers kLimitsAlone{false, false, false};
  constexpr int kFiles = 4, kThreadNumbers = 7;
  call(kFiles, 1, kLimitsAlone);
  EXPECT_GT(call(kFiles, 2, kLimitsAlone), 0);
  for (const char* file : {"/tmp/bit", "/dev/shm/bit", "/bit"}) std::filesystem::remove(file);
  bool is_seen = false;
  for (int attempt = 0; attempt < 3 && !is_seen; ++attempt) {  // behind the largest number they begin anew
    const float before = call(kThreadNumbers, 2, kLimitsAlone);
    call(kThreadNumbers, 1, kLimitsAlone);
    is_seen = call(kThreadNumbers, 2, kLimitsAlone) > before + 50;
  }
  EXPECT_TRUE(is_seen);
}

std::string name_of(const testing::TestParamInfo<int>& test) {
  constexpr const char* kNames[] = {
      "own_pages_by_faults", "own_pages_by_mincore", "shared_pages_by_mincore", "shared_pages_by_faults", "files",
      "printed_text",        "times_and_modes",      "thread_numbers"};
  return kNames[test.param];
}

INSTANTIATE_TEST_SUITE_P(Channels, EachChannel, testing::Range(0, 8), name_of);

}  // namespace
}  // namespace assay::trial
