// SPDX-License-Identifier: Apache-2.0
#include "assay/sandbox/processors.h"

#include <sched.h>

namespace assay::sandbox {

Processors processors() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  sched_getaffinity(0, sizeof allowed, &allowed);
  std::vector<int> cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(cpu, &allowed)) cpus.push_back(cpu);
  Processors split;
  split.judge = cpus.front();
  split.boxes.assign(cpus.begin() + (cpus.size() > 1 ? 1 : 0), cpus.end());
  return split;
}

void restrict_to(pid_t thread, const std::vector<int>& cpus) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int cpu : cpus) CPU_SET(cpu, &set);
  sched_setaffinity(thread, sizeof set, &set);
}

void pin_to(int cpu) { restrict_to(0, {cpu}); }

}  // namespace assay::sandbox
