// SPDX-License-Identifier: Apache-2.0
#include "build.h"

#include <cstdio>
#include <nlohmann/json.hpp>
#include <vector>

#include "assay/box/device_program.h"

namespace assay::opencl {
namespace {

/// Of a build, a failure that no source can bring about. A driver has its own opinion on what the others mean.
bool blames_device(cl_int status) { return status == CL_DEVICE_NOT_AVAILABLE || status == CL_COMPILER_NOT_AVAILABLE; }

void print_log(cl_program program, cl_device_id device) {
  std::size_t bytes = 0;
  if (clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &bytes) != CL_SUCCESS) return;
  std::vector<char> log(bytes + 1, '\0');
  clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, bytes, log.data(), nullptr);
  std::fputs(log.data(), stderr);
}

std::string binary_of(cl_program program) {
  std::size_t bytes = 0;
  check(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, nullptr), "clGetProgramInfo");
  std::string binary(bytes, '\0');
  auto* data = reinterpret_cast<unsigned char*>(binary.data());
  check(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof data, &data, nullptr), "clGetProgramInfo");
  return binary;
}

/// {"<kernel>": <number of its parameters>, ...}
std::string kernels_of(cl_program program) {
  cl_uint count = 0;
  check(clCreateKernelsInProgram(program, 0, nullptr, &count), "clCreateKernelsInProgram");
  std::vector<cl_kernel> kernels(count);
  if (count > 0) check(clCreateKernelsInProgram(program, count, kernels.data(), nullptr), "clCreateKernelsInProgram");
  auto described = nlohmann::json::object();
  for (cl_kernel kernel : kernels) {
    cl_uint parameters = 0;
    check(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof parameters, &parameters, nullptr), "clGetKernelInfo");
    described[name_of(kernel)] = parameters;
  }
  return described.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace

bool build(const Device& device, const std::filesystem::path& source, const std::string& options, const std::filesystem::path& output) {
  cl_int status = CL_SUCCESS;
  cl_context context = clCreateContext(nullptr, 1, &device.id, nullptr, nullptr, &status);
  check(status, "clCreateContext");
  const std::string text = box::read_file(source);
  const std::string name = "#line 1 \"" + source.filename().string() + "\"\n";  // for the log: compilers work on a copy
  const char* parts[] = {name.data(), text.data()};
  const std::size_t bytes[] = {name.size(), text.size()};
  cl_program program = clCreateProgramWithSource(context, 2, parts, bytes, &status);
  check(status, "clCreateProgramWithSource");
  status = clBuildProgram(program, 1, &device.id, options.c_str(), nullptr, nullptr);
  print_log(program, device.id);
  if (blames_device(status)) check(status, "clBuildProgram");
  if (status != CL_SUCCESS) {
    std::fprintf(stderr, "error: clBuildProgram: %s\n", status_text(status).c_str());
    return false;
  }
  return box::write_file(output.string() + ".kernels.json", kernels_of(program)) && box::write_file(output, binary_of(program));
}

}  // namespace assay::opencl
