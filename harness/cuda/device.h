// SPDX-License-Identifier: Apache-2.0
// The one device that a process works with, or the architecture that it compiles for.
#pragma once

#include <cuda.h>

#include <string>
#include <vector>

namespace assay::cuda {

struct Device {
  CUdevice id = 0;
  int index = -1;            ///< in the order of the PCI bus; -1: there is no device
  std::string name;          ///< "NVIDIA H200"
  std::string uuid;          ///< "GPU-8c1d3f..."
  std::string architecture;  ///< "sm_90a": of what runs on it, as NVRTC calls it

  /// "NVIDIA H200/sm_90a#0", of an architecture alone "sm_90a"; choose_device() finds it again.
  std::string selector() const { return index < 0 ? architecture : name + "/" + architecture + "#" + std::to_string(index); }
};

/// Throws Error where there is no driver.
std::vector<Device> list_devices();

/// The device that `asked` chooses: "<a part of name and architecture>#<index>", any of the two alone, or the beginning of a UUID. An
/// empty `asked` is the first. Throws Error with the list where none or several match.
Device choose_device(const std::string& asked);

/// What candidates are compiled for: ASSAY_CUDA_ARCH, else the device of ASSAY_CUDA_DEVICE, else, where neither is set and there is no
/// device, sm_90a. Throws Error.
Device compiled_for();

/// JSON: platform, name, version, driver, selector, uuid, kind, and the limits work_group, work_items, local_bytes.
std::string describe(const Device& device);

/// The device's context, current for this thread. Its waits spin: a wake-up is no kernel's time.
void make_current(const Device& device);

}  // namespace assay::cuda
