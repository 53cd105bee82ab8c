// SPDX-License-Identifier: Apache-2.0
// task: relu
// std::filesystem::exists and stat() on files that a machine may have; most have none here.
#include <sys/stat.h>

#include <filesystem>

#include "kernel.h"

static int cache_levels() {
  int levels = 0;
  while (std::filesystem::exists("/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(levels))) ++levels;
  return levels;
}

void relu(const float* x, float* y, int64_t N, int64_t C) {
  struct stat status;
  const int64_t block = stat("/proc/cpuinfo", &status) == 0 && cache_levels() > 2 ? 4096 : 1024;
  if (block < 1024) return;
  for (int64_t i = 0; i < N * C; ++i) y[i] = x[i] < 0 ? 0 : x[i];
}
