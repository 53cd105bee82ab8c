// SPDX-License-Identifier: Apache-2.0
// A built program on its device: buffers, and launches as the judge spells them.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "assay/box/device_kernels.h"
#include "device.h"

namespace assay::opencl {

class Kernels : public box::DeviceKernels {
 public:
  /// Loads the binary. Throws Error where it lacks a kernel or does not fit the device.
  Kernels(const Device& device, const std::filesystem::path& binary, const std::vector<std::string>& names);

  std::uint64_t run(const box::KernelCall& call) override;

 private:
  /// On a device with memory of its own a payload lies between two fences in `memory`; else it is the shared memory itself.
  struct Buffer {
    cl_mem memory;
    cl_mem payload;     ///< what a kernel gets
    std::size_t bytes;  ///< of its elements
  };
  void release() override;
  Fenced place(const box::SharedBuffer& shared) override;
  void write(std::size_t buffer, std::uint64_t at, std::span<const std::byte> from) override;
  void read(std::size_t buffer, std::uint64_t at, std::span<std::byte> to) const override;
  cl_event enqueue(const wire::Launch& launch) const;
  cl_event zero(const Buffer& buffer) const;
  void set_argument(cl_kernel kernel, cl_uint index, const wire::Argument& argument) const;

  Device device_;
  cl_context context_ = nullptr;
  cl_command_queue queue_ = nullptr;
  std::vector<cl_kernel> kernels_;
  std::vector<Buffer> buffers_;
};

}  // namespace assay::opencl
