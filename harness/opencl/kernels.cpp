// SPDX-License-Identifier: Apache-2.0
#include "kernels.h"

#include <algorithm>

#include "assay/box/device_program.h"

namespace assay::opencl {
namespace {

using box::SharedBuffer;

cl_program load(cl_context context, cl_device_id device, const std::filesystem::path& file) {
  const std::string binary = box::read_file(file);
  const auto* data = reinterpret_cast<const unsigned char*>(binary.data());
  const std::size_t bytes = binary.size();
  cl_int loaded = CL_SUCCESS, status = CL_SUCCESS;
  cl_program program = clCreateProgramWithBinary(context, 1, &device, &bytes, &data, &loaded, &status);
  check(status, "clCreateProgramWithBinary");
  check(loaded, "clCreateProgramWithBinary");
  check(clBuildProgram(program, 1, &device, "", nullptr, nullptr), "clBuildProgram");
  return program;
}

/// On either side of a payload; a multiple of every device's alignment.
constexpr std::size_t kFence = 64 << 10;

cl_mem_flags access_to(const SharedBuffer& shared) { return shared.is_output ? CL_MEM_READ_WRITE : CL_MEM_READ_ONLY; }

/// A driver's clFinish may sleep until an interrupt, a quarter of a millisecond on a virtual machine, which would count as the
/// kernel's. Where kernels need no processor of the host, one can look on instead. Failures are left to clFinish.
void wait_awake(cl_command_queue queue, cl_event last) {
  clFlush(queue);
  for (cl_int state = CL_QUEUED; state > CL_COMPLETE;)
    if (clGetEventInfo(last, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, nullptr) != CL_SUCCESS) return;
}

std::uint64_t device_clock(cl_event event, cl_profiling_info which) {
  cl_ulong time = 0;
  return clGetEventProfilingInfo(event, which, sizeof time, &time, nullptr) == CL_SUCCESS ? time : 0;
}

}  // namespace

Kernels::Kernels(const Device& device, const std::filesystem::path& binary, const std::vector<std::string>& names) : device_(device) {
  cl_int status = CL_SUCCESS;
  context_ = clCreateContext(nullptr, 1, &device.id, nullptr, nullptr, &status);
  check(status, "clCreateContext");
  queue_ = clCreateCommandQueue(context_, device.id, CL_QUEUE_PROFILING_ENABLE, &status);
  check(status, "clCreateCommandQueue");
  cl_program program = load(context_, device.id, binary);
  for (const std::string& name : names) {
    kernels_.push_back(clCreateKernel(program, name.c_str(), &status));
    if (status != CL_SUCCESS) throw Error("kernel '" + name + "' of the launch block is not in the program");
  }
}

void Kernels::release() {
  for (const Buffer& buffer : buffers_) {
    if (buffer.payload != buffer.memory) clReleaseMemObject(buffer.payload);
    clReleaseMemObject(buffer.memory);
  }
  buffers_.clear();
}

/// Kernels get the payload alone, so that get_global_id and pointer arithmetic start where the fences end: those of this process, or of
/// the judge. Up to the page's end, which the judge looks at itself.
Kernels::Fenced Kernels::place(const SharedBuffer& shared) {
  const auto bytes = static_cast<std::size_t>(shared.pages + shared.page_bytes - shared.payload);
  Buffer buffer{nullptr, nullptr, shared.bytes};
  cl_int status = CL_SUCCESS;
  if (device_.shares_memory()) {
    buffer.memory = buffer.payload = clCreateBuffer(context_, access_to(shared) | CL_MEM_USE_HOST_PTR, bytes, shared.payload, &status);
    check(status, "clCreateBuffer");
    buffers_.push_back(buffer);
    return {0, bytes, 0};
  }
  buffer.memory = clCreateBuffer(context_, CL_MEM_READ_WRITE, bytes + 2 * kFence, nullptr, &status);
  check(status, "clCreateBuffer");
  const cl_buffer_region region{kFence, bytes};
  buffer.payload = clCreateSubBuffer(buffer.memory, access_to(shared), CL_BUFFER_CREATE_TYPE_REGION, &region, &status);
  check(status, "clCreateSubBuffer");
  buffers_.push_back(buffer);
  return {kFence, bytes, kFence};
}

void Kernels::write(std::size_t buffer, std::uint64_t at, std::span<const std::byte> from) {
  check(clEnqueueWriteBuffer(queue_, buffers_[buffer].memory, CL_TRUE, at, from.size(), from.data(), 0, nullptr, nullptr),
        "clEnqueueWriteBuffer");
}

void Kernels::read(std::size_t buffer, std::uint64_t at, std::span<std::byte> to) const {
  check(clEnqueueReadBuffer(queue_, buffers_[buffer].memory, CL_TRUE, at, to.size(), to.data(), 0, nullptr, nullptr),
        "clEnqueueReadBuffer");
}

void Kernels::set_argument(cl_kernel kernel, cl_uint index, const wire::Argument& argument) const {
  cl_int status = CL_SUCCESS;
  switch (argument.kind) {
    case wire::Argument::kBuffer: status = clSetKernelArg(kernel, index, sizeof(cl_mem), &buffers_.at(argument.buffer).payload); break;
    case wire::Argument::kInt32: {
      const auto value = static_cast<cl_int>(argument.value);
      status = clSetKernelArg(kernel, index, sizeof value, &value);
      break;
    }
    case wire::Argument::kInt64: {
      const cl_long value = argument.value;
      status = clSetKernelArg(kernel, index, sizeof value, &value);
      break;
    }
    case wire::Argument::kLocal: status = clSetKernelArg(kernel, index, static_cast<std::size_t>(argument.value), nullptr); break;
  }
  if (status != CL_SUCCESS)
    throw Error("kernel '" + name_of(kernel) + "': argument " + std::to_string(index + 1) + " of its launch is not what it declares (" +
                status_text(status) + ")");
}

cl_event Kernels::zero(const Buffer& buffer) const {
  const cl_uchar none = 0;
  cl_event event = nullptr;
  check(clEnqueueFillBuffer(queue_, buffer.payload, &none, sizeof none, 0, buffer.bytes, 0, nullptr, &event), "clEnqueueFillBuffer");
  return event;
}

cl_event Kernels::enqueue(const wire::Launch& launch) const {
  if (launch.kernel == wire::kZeroing) return zero(buffers_.at(launch.arguments[0].buffer));
  cl_kernel kernel = kernels_.at(launch.kernel);
  for (cl_uint a = 0; a < launch.argument_count; ++a) set_argument(kernel, a, launch.arguments[a]);
  std::size_t global[3], local[3];
  std::copy(launch.global, launch.global + 3, global);
  std::copy(launch.local, launch.local + 3, local);
  cl_event event = nullptr;
  check(clEnqueueNDRangeKernel(queue_, kernel, launch.rank, nullptr, global, local[0] == 0 ? nullptr : local, 0, nullptr, &event),
        "clEnqueueNDRangeKernel");
  return event;
}

std::uint64_t Kernels::run(const box::KernelCall& call) {
  const std::span launches = call.launches;
  std::vector<cl_event> events(launches.size());
  try {
    for (std::size_t i = 0; i < launches.size(); ++i) events[i] = enqueue(launches[i]);
  } catch (const std::exception& error) {
    throw Error(std::string("cannot be launched: ") + error.what());
  }
  if (!device_.shares_memory()) wait_awake(queue_, events.back());
  if (const cl_int status = clFinish(queue_); status != CL_SUCCESS) throw Error("failed on the device: " + status_text(status));
  const std::uint64_t nanoseconds =
      device_clock(events.back(), CL_PROFILING_COMMAND_END) - device_clock(events.front(), CL_PROFILING_COMMAND_START);
  for (cl_event event : events) clReleaseEvent(event);
  return nanoseconds;
}

}  // namespace assay::opencl
