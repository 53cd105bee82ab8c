// SPDX-License-Identifier: Apache-2.0
#include "assay/sandbox/processors.h"

#include <sched.h>

#include <algorithm>

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

namespace {

std::vector<int> list_of(const Processors& all) {
  std::vector<int> cpus = {all.judge};
  for (const int cpu : all.boxes)
    if (cpu != all.judge) cpus.push_back(cpu);
  return cpus;
}

}  // namespace

int shares_of(const Processors& all) { return std::max(1, static_cast<int>(list_of(all).size() / 2)); }

Processors share_of(const Processors& all, int number) {
  if (shares_of(all) < 2) return all;
  const std::vector<int> cpus = list_of(all);
  const auto first = 2 * static_cast<std::size_t>(number);
  return {cpus.at(first), {cpus.at(first + 1)}};
}

void restrict_to(pid_t thread, const std::vector<int>& cpus) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int cpu : cpus) CPU_SET(cpu, &set);
  sched_setaffinity(thread, sizeof set, &set);
}

void pin_to(int cpu) { restrict_to(0, {cpu}); }

}  // namespace assay::sandbox
