// SPDX-License-Identifier: Apache-2.0
#include "kernels.h"

#include <fstream>
#include <iterator>

namespace assay::opencl {
namespace {

cl_program load(cl_context context, cl_device_id device, const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  const std::string binary{std::istreambuf_iterator<char>(in), {}};
  if (binary.empty()) throw Error("cannot read " + file.string());
  const auto* data = reinterpret_cast<const unsigned char*>(binary.data());
  const std::size_t bytes = binary.size();
  cl_int loaded = CL_SUCCESS, status = CL_SUCCESS;
  cl_program program = clCreateProgramWithBinary(context, 1, &device, &bytes, &data, &loaded, &status);
  check(status, "clCreateProgramWithBinary");
  check(loaded, "clCreateProgramWithBinary");
  check(clBuildProgram(program, 1, &device, "", nullptr, nullptr), "clBuildProgram");
  return program;
}

std::uint64_t device_clock(cl_event event, cl_profiling_info which) {
  cl_ulong time = 0;
  return clGetEventProfilingInfo(event, which, sizeof time, &time, nullptr) == CL_SUCCESS ? time : 0;
}

}  // namespace

Kernels::Kernels(const Device& device, const std::filesystem::path& binary, const std::vector<std::string>& names)
    : device_(device) {
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

/// Kernels get the payload alone, so that get_global_id and pointer arithmetic start where the judge's fences end.
void Kernels::allocate(std::span<const SharedBuffer> buffers) {
  for (const Buffer& buffer : buffers_) {
    if (buffer.payload != buffer.pages) clReleaseMemObject(buffer.payload);
    clReleaseMemObject(buffer.pages);
  }
  buffers_.clear();
  for (const SharedBuffer& shared : buffers) {
    const cl_mem_flags access = shared.is_output ? CL_MEM_READ_WRITE : CL_MEM_READ_ONLY;
    cl_int status = CL_SUCCESS;
    const auto end = shared.pages + shared.page_bytes;
    if (device_.shares_memory()) {
      cl_mem memory = clCreateBuffer(context_, access | CL_MEM_USE_HOST_PTR, static_cast<std::size_t>(end - shared.payload),
                                     shared.payload, &status);
      check(status, "clCreateBuffer");
      buffers_.push_back({shared, memory, memory});
      continue;
    }
    cl_mem pages = clCreateBuffer(context_, access, shared.page_bytes, nullptr, &status);
    check(status, "clCreateBuffer");
    const cl_buffer_region region{static_cast<std::size_t>(shared.payload - shared.pages),
                                  static_cast<std::size_t>(end - shared.payload)};
    cl_mem payload = region.origin == 0 ? pages
                                        : clCreateSubBuffer(pages, access, CL_BUFFER_CREATE_TYPE_REGION, &region, &status);
    check(status, "clCreateSubBuffer");
    buffers_.push_back({shared, pages, payload});
  }
}

void Kernels::upload() {
  for (const Buffer& buffer : buffers_)
    check(clEnqueueWriteBuffer(queue_, buffer.pages, CL_FALSE, 0, buffer.shared.page_bytes, buffer.shared.pages, 0, nullptr, nullptr),
          "clEnqueueWriteBuffer");
  check(clFinish(queue_), "clFinish");
}

void Kernels::download() {
  for (const Buffer& buffer : buffers_)
    if (buffer.shared.is_output)
      check(clEnqueueReadBuffer(queue_, buffer.pages, CL_FALSE, 0, buffer.shared.page_bytes, buffer.shared.pages, 0, nullptr, nullptr),
            "clEnqueueReadBuffer");
  check(clFinish(queue_), "clFinish");
}

void Kernels::set_argument(cl_kernel kernel, cl_uint index, const wire::Argument& argument) const {
  cl_int status = CL_SUCCESS;
  switch (argument.kind) {
    case wire::Argument::kBuffer:
      status = clSetKernelArg(kernel, index, sizeof(cl_mem), &buffers_.at(argument.buffer).payload);
      break;
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
    case wire::Argument::kLocal:
      status = clSetKernelArg(kernel, index, static_cast<std::size_t>(argument.value), nullptr);
      break;
  }
  if (status != CL_SUCCESS)
    throw Error("kernel '" + name_of(kernel) + "': argument " + std::to_string(index + 1) + " of its launch is not what it declares (" +
                status_text(status) + ")");
}

std::uint64_t Kernels::run(std::span<const wire::Launch> launches) {
  std::vector<cl_event> events(launches.size());
  for (std::size_t i = 0; i < launches.size(); ++i) {
    const wire::Launch& launch = launches[i];
    cl_kernel kernel = kernels_.at(launch.kernel);
    for (cl_uint a = 0; a < launch.argument_count; ++a) set_argument(kernel, a, launch.arguments[a]);
    std::size_t global[3], local[3];
    std::copy(launch.global, launch.global + 3, global);
    std::copy(launch.local, launch.local + 3, local);
    check(clEnqueueNDRangeKernel(queue_, kernel, launch.rank, nullptr, global, local[0] == 0 ? nullptr : local, 0, nullptr, &events[i]),
          "clEnqueueNDRangeKernel");
  }
  check(clFinish(queue_), "clFinish");
  const std::uint64_t nanoseconds =
      device_clock(events.back(), CL_PROFILING_COMMAND_END) - device_clock(events.front(), CL_PROFILING_COMMAND_START);
  for (cl_event event : events) clReleaseEvent(event);
  return nanoseconds;
}

}  // namespace assay::opencl
