// SPDX-License-Identifier: Apache-2.0
// Clocks, power and temperature of a GPU, as NVIDIA's management library tells them. It is looked up when it is needed, and asked
// alone: nothing of the device is set.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "assay/record/record.h"

namespace assay::timing {

/// Of a selector "NVIDIA H200/sm_90a#3": 3; -1 where there is none.
int number_of(const record::Device& device);

class DeviceMonitor {
 public:
  /// The device of a selector "<name>...#<number>", numbered by the PCI bus. Without the library, or such a device, it knows nothing.
  explicit DeviceMonitor(const record::Device& device);
  ~DeviceMonitor();
  DeviceMonitor(const DeviceMonitor&) = delete;
  DeviceMonitor& operator=(const DeviceMonitor&) = delete;

  std::optional<record::DeviceState> read() const;

 private:
  struct Library;
  std::unique_ptr<Library> library_;
};

}  // namespace assay::timing
