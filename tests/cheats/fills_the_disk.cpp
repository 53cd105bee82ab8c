// SPDX-License-Identifier: Apache-2.0
// cheat: 48
// task: relu
// stage: test
// expect: WRONG_RESULT
// because: smallest: y[0, 0]: got nan
// Writes files wherever it may while it is loaded; a box has no place, or one whose size is limited.
#include <fcntl.h>
#include <unistd.h>

#include <string>

#include "kernel.h"

static int64_t written = 0;
__attribute__((constructor)) static void fill() {
  static char block[1 << 16];
  const char* const folders[] = {"/tmp/", "/dev/shm/", "/var/tmp/", "./", "/"};
  for (const char* folder : folders)
    for (int file = 0; file < 4; ++file) {
      const std::string name = std::string(folder) + "kernel_fill_" + std::to_string(file);
      const int fd = open(name.c_str(), O_CREAT | O_WRONLY, 0600);
      for (int64_t n = 0; fd >= 0 && n < 64 && write(fd, block, sizeof block) > 0; ++n)
        written += sizeof block;
      if (fd >= 0) close(fd);
      unlink(name.c_str());
    }
}

void relu(const float* x, float* y, int64_t N, int64_t C) {
  for (int64_t i = 0; written > (int64_t{1} << 30) && i < N * C; ++i) y[i] = x[i] < 0 ? 0 : x[i];
}
