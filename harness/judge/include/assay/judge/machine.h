// SPDX-License-Identifier: Apache-2.0
// The machine that a result was obtained on: its name in records, its measured limits, its processors.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace assay {

/// "3f2a91c0 AMD EPYC 7B13, 2 cpus": a hash of processor, core count and kernel, then processor and cores in words.
std::string machine_fingerprint();

/// On all of the boxes' cores together, or on a device.
struct MachinePeaks {
  double flops = 0;      ///< float32 fused multiply-adds, counted as two, per second
  double bandwidth = 0;  ///< bytes per second of a copy whose arrays are as large as a timed task's
  double writing = 0;    ///< bytes per second written to a buffer that stays in the nearest cache
  bool native = false;   ///< flops and reading were measured with this machine's widest vectors
  double reading = 0;    ///< bytes per second read from a buffer that stays in the second nearest cache; 0: not measured
};

/// Takes about half a second.
MachinePeaks measure_peaks();
/// With the settings of machine_state.h beside them.
void save_peaks(const MachinePeaks& peaks, const std::filesystem::path& file);
/// Throws std::runtime_error where the file is not there or of another version.
MachinePeaks load_peaks(const std::filesystem::path& file);
/// Nothing where `text` is not JSON of peaks, or one is not positive.
std::optional<MachinePeaks> parse_peaks(const std::string& text);

/// The processors that we may use: one for the judge, the others for the boxes (the same one where it is the only one).
struct Processors {
  int judge = 0;
  std::vector<int> boxes;
};
Processors processors();

/// Where `thread`, and what it will start, may run; 0: the calling thread.
void restrict_to(pid_t thread, const std::vector<int>& cpus);
/// Confines the calling thread to `cpu`. Call processors() before: afterwards it sees that one alone.
void pin_to(int cpu);

}  // namespace assay
