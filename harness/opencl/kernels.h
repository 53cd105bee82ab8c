// SPDX-License-Identifier: Apache-2.0
// A built program on its device: buffers, and launches as the judge spells them.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "assay/box/worker.h"
#include "device.h"

namespace assay::opencl {

class Kernels : public box::DeviceMemory {
 public:
  /// Loads the binary. Throws Error where it lacks a kernel or does not fit the device.
  Kernels(const Device& device, const std::filesystem::path& binary, const std::vector<std::string>& names);

  void allocate(std::span<const box::SharedBuffer> buffers) override;
  void upload() override;
  std::optional<box::MemoryDamage> download() override;

  /// Queues all launches and waits for the last. Nanoseconds from the first's start to the last's end on the device's clock.
  /// Throws Error where one cannot be queued, or fails on the device.
  std::uint64_t run(std::span<const wire::Launch> launches);

 private:
  /// On a device with memory of its own a payload lies between two fences in `memory`; else it is the shared memory itself.
  struct Buffer {
    box::SharedBuffer shared;
    cl_mem memory;
    cl_mem payload;  ///< what a kernel gets
    std::size_t bytes() const { return static_cast<std::size_t>(shared.pages + shared.page_bytes - shared.payload); }
  };
  Buffer share(const box::SharedBuffer& shared) const;
  Buffer fence_in(const box::SharedBuffer& shared) const;
  void fill_fence(const Buffer& buffer, std::size_t at) const;
  std::optional<std::int64_t> damage_of_fence(const Buffer& buffer, std::size_t at) const;
  void read(const Buffer& buffer, std::size_t at, std::size_t bytes, void* to) const;
  cl_event enqueue(const wire::Launch& launch) const;
  void set_argument(cl_kernel kernel, cl_uint index, const wire::Argument& argument) const;

  Device device_;
  cl_context context_ = nullptr;
  cl_command_queue queue_ = nullptr;
  std::vector<cl_kernel> kernels_;
  std::vector<Buffer> buffers_;
  cl_uint pattern_;  ///< of fences
};

}  // namespace assay::opencl
