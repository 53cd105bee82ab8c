// SPDX-License-Identifier: Apache-2.0
// What else decides how long a call takes: the machine's settings, and what others did on it during a measurement.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "assay/record/record.h"

namespace assay::timing {

/// governor, boost, smt, aslr, transparent_huge_pages as the kernel spells them ("unknown" where it does not tell), swap_mib
/// in use, and the load average of the last minute. `root` is where the kernel's /sys and /proc lie.
nlohmann::ordered_json machine_state(const std::filesystem::path& root = "/");

/// Counters of the kernel since boot, of some processors.
struct ProcessorTime {
  double total = 0, stolen = 0;  ///< in ticks
};
/// Sums the lines of `cpus` in the text of /proc/stat.
ProcessorTime processor_time(const std::string& proc_stat, const std::vector<int>& cpus);

/// Microseconds that some runnable task had to wait, of the text of /proc/pressure/cpu; nothing where there is none.
std::optional<double> stalled_microseconds(const std::string& pressure);

class NoiseMeter {
 public:
  explicit NoiseMeter(std::vector<int> cpus, std::filesystem::path root = "/");
  /// Since construction; how far the baseline drifted is for others to say.
  record::Noise read() const;

 private:
  std::vector<int> cpus_;
  std::filesystem::path proc_;
  double started_;  ///< seconds
  ProcessorTime time_;
  std::optional<double> stalled_;
  long switches_;
  double load_;
};

}  // namespace assay::timing
