// SPDX-License-Identifier: Apache-2.0
#include "build.h"

#include <cstdio>
#include <fstream>
#include <iterator>
#include <vector>

namespace assay::opencl {
namespace {

std::string read(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw Error("cannot read " + file.string());
  return {std::istreambuf_iterator<char>(in), {}};
}

void write(const std::filesystem::path& file, const char* data, std::size_t bytes) {
  std::ofstream out(file, std::ios::binary);
  out.write(data, static_cast<std::streamsize>(bytes));
  if (!out.flush()) throw Error("cannot write " + file.string());
}

void print_log(cl_program program, cl_device_id device) {
  std::size_t bytes = 0;
  if (clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &bytes) != CL_SUCCESS) return;
  std::vector<char> log(bytes + 1, '\0');
  clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, bytes, log.data(), nullptr);
  std::fputs(log.data(), stderr);
}

std::vector<unsigned char> binary_of(cl_program program) {
  std::size_t bytes = 0;
  check(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, nullptr), "clGetProgramInfo");
  std::vector<unsigned char> binary(bytes);
  unsigned char* data = binary.data();
  check(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof data, &data, nullptr), "clGetProgramInfo");
  return binary;
}

}  // namespace

bool build(const Device& device, const std::filesystem::path& source, const std::string& options,
           const std::filesystem::path& output) {
  cl_int status = CL_SUCCESS;
  cl_context context = clCreateContext(nullptr, 1, &device.id, nullptr, nullptr, &status);
  check(status, "clCreateContext");
  const std::string text = read(source);
  const std::string name = "#line 1 \"" + source.filename().string() + "\"\n";  // for the log: compilers work on a copy
  const char* parts[] = {name.data(), text.data()};
  const std::size_t bytes[] = {name.size(), text.size()};
  cl_program program = clCreateProgramWithSource(context, 2, parts, bytes, &status);
  check(status, "clCreateProgramWithSource");
  status = clBuildProgram(program, 1, &device.id, options.c_str(), nullptr, nullptr);
  print_log(program, device.id);
  if (status == CL_BUILD_PROGRAM_FAILURE) return false;
  check(status, "clBuildProgram");
  const std::vector<unsigned char> binary = binary_of(program);
  write(output, reinterpret_cast<const char*>(binary.data()), binary.size());
  const std::string description = describe(device);
  write(output.string() + ".json", description.data(), description.size());
  return true;
}

}  // namespace assay::opencl
