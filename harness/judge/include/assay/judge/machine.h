// SPDX-License-Identifier: Apache-2.0
// The machine that a result was obtained on: its name in records, and its measured limits.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace assay {

/// "3f2a91c0 AMD EPYC 7B13, 2 cpus": a hash of processor, core count and kernel, then processor and cores in words.
std::string machine_fingerprint();

struct MachinePeaks {
  double flops = 0;      ///< float32 fused multiply-adds, counted as two, per second on the boxes' cores
  double bandwidth = 0;  ///< bytes per second of a copy whose arrays are as large as a timed task's
};

/// Takes about half a second.
MachinePeaks measure_peaks();
void save_peaks(const MachinePeaks& peaks, const std::filesystem::path& file);
/// Throws std::runtime_error where the file is not there.
MachinePeaks load_peaks(const std::filesystem::path& file);

/// The processors that we may use: one for the judge, the others for the boxes (the same one where it is the only one).
struct Processors {
  int judge = 0;
  std::vector<int> boxes;
};
Processors processors();

}  // namespace assay
