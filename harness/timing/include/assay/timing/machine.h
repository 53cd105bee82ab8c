// SPDX-License-Identifier: Apache-2.0
// The machine that a result was obtained on: its name in records and its measured limits.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace assay::timing {

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

}  // namespace assay::timing
