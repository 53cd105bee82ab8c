// SPDX-License-Identifier: Apache-2.0
// A built program on its device: buffers, and launches as the judge spells them.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "assay/box/worker.h"
#include "device.h"

namespace assay::opencl {

class Kernels : public DeviceMemory {
 public:
  /// Loads the binary. Throws Error where it lacks a kernel or does not fit the device.
  Kernels(const Device& device, const std::filesystem::path& binary, const std::vector<std::string>& names);

  void allocate(std::span<const SharedBuffer> buffers) override;
  void upload() override;
  void download() override;

  /// Queues all launches and waits for the last. Nanoseconds from the first's start to the last's end on the device's clock.
  /// Throws Error where one cannot be queued.
  std::uint64_t run(std::span<const wire::Launch> launches);

 private:
  struct Buffer {
    SharedBuffer shared;
    cl_mem pages;    ///< all of it, fences included
    cl_mem payload;  ///< what a kernel gets
  };
  void set_argument(cl_kernel kernel, cl_uint index, const wire::Argument& argument) const;

  Device device_;
  cl_context context_ = nullptr;
  cl_command_queue queue_ = nullptr;
  std::vector<cl_kernel> kernels_;
  std::vector<Buffer> buffers_;
};

}  // namespace assay::opencl
