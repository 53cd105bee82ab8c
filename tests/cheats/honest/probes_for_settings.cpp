// SPDX-License-Identifier: Apache-2.0
// task: relu
// Looks for files that a careful library would look for, and does without.
#include <fstream>
#include <string>

#include "kernel.h"

static std::string first_line(const char* name) {
  std::ifstream in(name);
  std::string line;
  std::getline(in, line);
  return line;
}

void relu(const float* x, float* y, int64_t N, int64_t C) {
  const std::string caches = first_line("/sys/devices/system/cpu/cpu0/cache/index2/size");
  const std::string model = first_line("/proc/cpuinfo");
  volatile size_t length = caches.size() + model.size();
  (void)length;
  for (int64_t i = 0; i < N * C; ++i) y[i] = x[i] < 0 ? 0 : x[i];
}
