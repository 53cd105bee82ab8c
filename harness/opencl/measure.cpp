// SPDX-License-Identifier: Apache-2.0
#include "measure.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace assay::opencl {
namespace {

constexpr std::size_t kCopied = std::size_t{512} << 20, kWritten = std::size_t{16} << 20, kItems = std::size_t{1} << 18;
constexpr int kRuns = 10, kChains = 8, kSteps = 1024;

/// Eight independent chains of multiply-adds hide the latency of any current device.
constexpr const char* kSource = R"(
__kernel void copy(__global const float4* from, __global float4* to) { to[get_global_id(0)] = from[get_global_id(0)]; }
__kernel void fill(__global float4* to) { to[get_global_id(0)] = (float4)(1.0f); }
__kernel void multiply_add(__global float* to) {
  float8 chains = (float8)(get_global_id(0));
  for (int step = 0; step < STEPS; ++step) chains = fma(chains, (float8)(0.999f), (float8)(0.001f));
  float4 half_sum = chains.lo + chains.hi;
  to[get_global_id(0)] = half_sum.x + half_sum.y + half_sum.z + half_sum.w;
})";

class Measurement {
 public:
  explicit Measurement(const Device& device) {
    cl_int status = CL_SUCCESS;
    context_ = clCreateContext(nullptr, 1, &device.id, nullptr, nullptr, &status);
    check(status, "clCreateContext");
    queue_ = clCreateCommandQueue(context_, device.id, CL_QUEUE_PROFILING_ENABLE, &status);
    check(status, "clCreateCommandQueue");
    const char* source = kSource;
    program_ = clCreateProgramWithSource(context_, 1, &source, nullptr, &status);
    check(status, "clCreateProgramWithSource");
    const std::string options = "-D STEPS=" + std::to_string(kSteps);
    check(clBuildProgram(program_, 1, &device.id, options.c_str(), nullptr, nullptr), "clBuildProgram");
  }

  cl_mem buffer(std::size_t bytes) const {
    cl_int status = CL_SUCCESS;
    cl_mem memory = clCreateBuffer(context_, CL_MEM_READ_WRITE, bytes, nullptr, &status);
    check(status, "clCreateBuffer");
    const cl_float zero = 0;
    check(clEnqueueFillBuffer(queue_, memory, &zero, sizeof zero, 0, bytes, 0, nullptr, nullptr), "clEnqueueFillBuffer");
    return memory;
  }

  /// Of `amount` done by a launch.
  double best_rate(double amount, const char* name, std::size_t items, std::initializer_list<cl_mem> arguments) const {
    cl_int status = CL_SUCCESS;
    cl_kernel kernel = clCreateKernel(program_, name, &status);
    check(status, "clCreateKernel");
    cl_uint index = 0;
    for (cl_mem memory : arguments) check(clSetKernelArg(kernel, index++, sizeof memory, &memory), "clSetKernelArg");
    double best = 0;
    for (int run = 0; run < kRuns; ++run) best = std::max(best, amount / seconds_of(kernel, items));
    return best;
  }

 private:
  double seconds_of(cl_kernel kernel, std::size_t items) const {
    cl_event event = nullptr;
    check(clEnqueueNDRangeKernel(queue_, kernel, 1, nullptr, &items, nullptr, 0, nullptr, &event), "clEnqueueNDRangeKernel");
    check(clFinish(queue_), "clFinish");
    cl_ulong start = 0, end = 0;
    check(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, nullptr), "clGetEventProfilingInfo");
    check(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, nullptr), "clGetEventProfilingInfo");
    clReleaseEvent(event);
    return static_cast<double>(std::max<cl_ulong>(end - start, 1)) * 1e-9;
  }

  cl_context context_ = nullptr;
  cl_command_queue queue_ = nullptr;
  cl_program program_ = nullptr;
};

}  // namespace

std::string measure(const Device& device) {
  const Measurement on(device);
  cl_mem from = on.buffer(kCopied), to = on.buffer(kCopied), small = on.buffer(kWritten);
  const double copied = on.best_rate(2.0 * kCopied, "copy", kCopied / sizeof(cl_float4), {from, to});
  const double filled = on.best_rate(1.0 * kWritten, "fill", kWritten / sizeof(cl_float4), {small});
  const double written = std::max(filled, copied);  // what moves that much may also write it
  const double computed = on.best_rate(2.0 * kItems * kChains * kSteps, "multiply_add", kItems, {to});
  return nlohmann::json{{"flops", computed}, {"bandwidth", copied}, {"writing", written}, {"native", true}}.dump() + "\n";
}

}  // namespace assay::opencl
