// SPDX-License-Identifier: Apache-2.0
#include <sched.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>

#include "assay/generate/prompt.h"
#include "assay/record/printable.h"

namespace assay::generate {

MachineDescription this_machine() {
  // What a kernel's author chooses instructions by.
  constexpr std::array telling{"avx",         "avx2",     "fma",   "f16c",    "avx512f", "avx512bw", "avx512_vnni", "avx512_bf16",
                               "avx512_fp16", "amx_tile", "asimd", "asimddp", "sve",     "sve2",     "bf16",        "i8mm"};
  MachineDescription machine;
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) machine.processors = CPU_COUNT(&allowed);
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line) && !line.empty();) {
    const std::size_t colon = line.find(": ");
    if (colon == std::string::npos) continue;
    if (line.starts_with("model name")) machine.name = record::printable(line.substr(colon + 2));
    if (!line.starts_with("flags") && !line.starts_with("Features")) continue;
    std::istringstream words(line.substr(colon + 2));
    for (std::string word; words >> word;)
      if (std::ranges::find(telling, word) != telling.end()) machine.extensions.push_back(word);
  }
  return machine;
}

}  // namespace assay::generate
