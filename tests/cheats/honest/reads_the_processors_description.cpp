// SPDX-License-Identifier: Apache-2.0
// task: relu
// Reads /proc/cpuinfo and /sys for the caches' sizes, with a default where they are not shown.
#include <stdio.h>
#include <unistd.h>

#include <fstream>
#include <string>

#include "kernel.h"

static long cache_bytes() {
  std::ifstream size("/sys/devices/system/cpu/cpu0/cache/index1/size");
  long kibibytes = 0;
  if (size >> kibibytes) return kibibytes << 10;
  const long told = sysconf(_SC_LEVEL1_DCACHE_SIZE);
  if (told > 0) return told;
  if (FILE* processors = fopen("/proc/cpuinfo", "r")) fclose(processors);
  return 32768;
}

void relu(const float* x, float* y, int64_t N, int64_t C) {
  static const long cache = cache_bytes();
  if (cache <= 0) return;
  for (int64_t i = 0; i < N * C; ++i) y[i] = x[i] < 0 ? 0 : x[i];
}
