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

Processors share_of(const Processors& all, int number) {
  std::vector<int> cpus = {all.judge};
  for (const int cpu : all.boxes)
    if (cpu != all.judge) cpus.push_back(cpu);
  const std::size_t shares = cpus.size() / 2;
  if (shares < 2 || number < 0) return all;
  const std::size_t first = 2 * (static_cast<std::size_t>(number) % shares);
  return {cpus[first], {cpus[first + 1]}};
}

void restrict_to(pid_t thread, const std::vector<int>& cpus) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int cpu : cpus) CPU_SET(cpu, &set);
  sched_setaffinity(thread, sizeof set, &set);
}

void pin_to(int cpu) { restrict_to(0, {cpu}); }

}  // namespace assay::sandbox
