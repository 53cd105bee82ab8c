// SPDX-License-Identifier: Apache-2.0
// A program that owns a kind of device memory, as kernel_backend(MEMORY) describes it:
//   <program> build [<compiler option>...] <source> -o <binary>
//     1: the source does not build; 2: usage; 3: no device, or it fails. <binary>.json, the device, is written before the source is read.
//   <program> box --device <selector> --cache <folder> <binary> <kernel>...
//   <program> host --device <selector> --cache <folder> [<library>]
//     the box of a library whose function works on the device's memory; without one, of calls that seal alone
//   <program> measure --device <selector> --cache <folder>
//   <program> devices
//   <program> describe
//     what <binary>.json would say, where a build that finds it there does without a driver; else status 2
// It is started confined, by the judge. Its main() is run().
#pragma once

#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "assay/box/device_kernels.h"

namespace assay::box {

/// What is particular to a device. Every function may throw std::exception, which is the device's failure.
class DeviceProgram {
 public:
  virtual ~DeviceProgram() = default;
  /// Writes <output>.json unless it is there, builds the source for that device, and leaves <output> and <output>.kernels.json. False where
  /// the source does not build, for whatever reason; stderr has it.
  virtual bool build(const std::vector<std::string>& options, const std::filesystem::path& source, const std::filesystem::path& output) = 0;
  /// Before anything of a candidate is looked at. What is compiled later may be kept in `cache`.
  virtual void open(const std::string& selector, const std::filesystem::path& cache) = 0;
  /// The kernels of a binary on the open device. A failure is the candidate's.
  virtual std::unique_ptr<DeviceKernels> load(const std::filesystem::path& binary, const std::vector<std::string>& kernels) = 0;
  /// The function assay_call of a library, an empty path being none. A failure is the candidate's.
  virtual std::unique_ptr<DeviceKernels> load_function(const std::filesystem::path&) {
    throw std::runtime_error("this device runs no host code");
  }
  /// What may be done only now that the process is confined.
  virtual void after_confinement() {}
  /// What the open device can do at most, as a line of JSON.
  virtual std::string measure() = 0;
  /// A line of JSON for each device that there is.
  virtual std::string devices() = 0;
  /// The line of what build() compiles for; empty where that asks the driver in any case.
  virtual std::string target() { return ""; }
};

int run(DeviceProgram& program, int argc, char** argv);

/// All files that this process has loaded, its drivers' among them.
std::vector<std::string> loaded_libraries();

/// The whole of a file. Throws std::runtime_error.
std::string read_file(const std::filesystem::path& file);
/// False, and stderr says so, where the file would be larger than this process may write. Throws std::runtime_error.
bool write_file(const std::filesystem::path& file, std::string_view text);

}  // namespace assay::box
