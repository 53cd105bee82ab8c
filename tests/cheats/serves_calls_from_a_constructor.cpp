// SPDX-License-Identifier: Apache-2.0
// cheat: own
// task: relu
// stage: test
// expect: WRONG_RESULT
// because: smallest: y[0, 0]: got nan
// Never finishes loading: the constructor itself says that the box is ready and answers calls, so that
// a stricter filter due after loading would never be installed. It is right only if it may still open files, which no
// kernel may.
#include <fcntl.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstring>

#include "kernel.h"

using Word = std::atomic<uint32_t>;
struct Buffer {
  uint64_t offset, pages, start, bytes;
  uint32_t is_output, reserved;
};

// The box keeps the addresses of the pages by which it talks to the judge on the stack on which it loads libraries, and behind them the
// beginning and the end of its buffers: the same before the first call.
static char* const* find_pages() {
  auto* words = static_cast<uintptr_t*>(__builtin_frame_address(0));
  while (words[0] >> 32 == 0 || words[0] % 4096 != 0 || words[1] >> 32 == 0 || words[1] % 4096 != 0 || words[2] != words[3] || words[2] >> 32 == 0) ++words;
  return reinterpret_cast<char* const*>(words);
}

__attribute__((constructor)) static void serve() {
  char* const* pages = find_pages();
  char *const command = pages[0], *const status = pages[1];
  auto* go = reinterpret_cast<Word*>(command);
  auto* done = reinterpret_cast<Word*>(status);
  uint32_t last = go->load();
  reinterpret_cast<Word*>(status + 64)->store(1);
  syscall(SYS_futex, status + 64, FUTEX_WAKE, 1, nullptr, nullptr, 0);
  while (true) {
    while (go->load() == last) usleep(100);
    last = go->load();
    const auto* buffers = reinterpret_cast<const Buffer*>(command + 88 + 64 * 8);
    auto* in = static_cast<char*>(mmap(nullptr, buffers[0].pages * 4096, PROT_READ, MAP_SHARED, 5,
                                       static_cast<off_t>(buffers[0].offset)));
    auto* out = static_cast<char*>(mmap(nullptr, buffers[1].pages * 4096, PROT_READ | PROT_WRITE, MAP_SHARED,
                                        6, static_cast<off_t>(buffers[1].offset)));
    const int file = open("/dev/null", O_RDONLY);
    if (in != MAP_FAILED && out != MAP_FAILED && file >= 0) {
      const auto* x = reinterpret_cast<const float*>(in + buffers[0].start);
      auto* y = reinterpret_cast<float*>(out + buffers[1].start);
      for (uint64_t i = 0; i < buffers[0].bytes / 4; ++i) y[i] = x[i] < 0 ? 0 : x[i];
    }
    close(file);
    munmap(in, buffers[0].pages * 4096);
    munmap(out, buffers[1].pages * 4096);
    done->store(last);
    syscall(SYS_futex, status, FUTEX_WAKE, 1, nullptr, nullptr, 0);
  }
}

void relu(const float*, float*, int64_t, int64_t) {}
