// SPDX-License-Identifier: Apache-2.0
#include "nvrtc.h"

#include <dlfcn.h>
#include <nvrtc.h>

#include <algorithm>
#include <cstdlib>
#include <new>

#include "driver.h"

namespace assay::cuda {
namespace {

struct Nvrtc {
  decltype(&::nvrtcGetErrorString) error_string;
  decltype(&::nvrtcGetNumSupportedArchs) architecture_count;
  decltype(&::nvrtcGetSupportedArchs) architectures;
  decltype(&::nvrtcCreateProgram) create;
  decltype(&::nvrtcCompileProgram) compile;
  decltype(&::nvrtcGetProgramLogSize) log_size;
  decltype(&::nvrtcGetProgramLog) log;
  decltype(&::nvrtcGetCUBINSize) cubin_size;
  decltype(&::nvrtcGetCUBIN) cubin;
  decltype(&::nvrtcGetPTXSize) ptx_size;
  decltype(&::nvrtcGetPTX) ptx;
};

Nvrtc nvrtc{};

/// NVRTC looks for its built-in functions by the name of their library when it compiles: it finds a library that is loaded.
void* open_library(const std::filesystem::path& path) {
  constexpr std::string_view kName = "libnvrtc";
  const std::string file = path.filename();
  if (!file.starts_with(kName)) throw Error("NVRTC must be a file libnvrtc.so*. got: '" + path.string() + "'");
  for (const std::string& ending : {file.substr(kName.size()), std::string(".so")})
    if (dlopen((path.parent_path() / ("libnvrtc-builtins" + ending)).c_str(), RTLD_NOW | RTLD_GLOBAL) != nullptr) break;
  if (void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL); library != nullptr) return library;
  throw Error(std::string("no NVRTC: ") + dlerror() + ". do: install the CUDA toolkit, and configure again");
}

void check_nvrtc(nvrtcResult result, const char* call) {
  if (result == NVRTC_ERROR_OUT_OF_MEMORY) throw std::bad_alloc();
  if (result != NVRTC_SUCCESS) throw Error(std::string(call) + ": " + nvrtc.error_string(result));
}

void require_known(const std::string& architecture) {
  const std::vector<int> known = known_architectures();
  if (std::ranges::find(known, std::atoi(architecture.c_str() + 3)) != known.end()) return;
  std::string list;
  for (const int each : known) list += " sm_" + std::to_string(each);
  throw Error("this toolkit's NVRTC does not compile for " + architecture + ". known:" + list + ". do: install another CUDA toolkit");
}

/// Device code is compiled without the C library: its types and limits, as the toolkit's own headers define them.
constexpr const char* kIntegers = R"(#pragma once
using int8_t = signed char;
using int16_t = signed short;
using int32_t = signed int;
using int64_t = signed long long;
using uint8_t = unsigned char;
using uint16_t = unsigned short;
using uint32_t = unsigned int;
using uint64_t = unsigned long long;
using intptr_t = int64_t;
using uintptr_t = uint64_t;
using intmax_t = int64_t;
using uintmax_t = uint64_t;
#define INT8_MIN (-128)
#define INT16_MIN (-32768)
#define INT32_MIN (-2147483647 - 1)
#define INT64_MIN (-9223372036854775807LL - 1)
#define INT8_MAX 127
#define INT16_MAX 32767
#define INT32_MAX 2147483647
#define INT64_MAX 9223372036854775807LL
#define UINT8_MAX 255
#define UINT16_MAX 65535
#define UINT32_MAX 4294967295U
#define UINT64_MAX 18446744073709551615ULL
)";
constexpr const char* kLimits = R"(#pragma once
#define CHAR_BIT 8
#define SCHAR_MIN (-128)
#define SCHAR_MAX 127
#define UCHAR_MAX 255
#define SHRT_MIN (-32768)
#define SHRT_MAX 32767
#define USHRT_MAX 65535
#define INT_MIN (-2147483647 - 1)
#define INT_MAX 2147483647
#define UINT_MAX 4294967295U
#define LONG_MIN (-9223372036854775807L - 1)
#define LONG_MAX 9223372036854775807L
#define ULONG_MAX 18446744073709551615UL
#define LLONG_MIN (-9223372036854775807LL - 1)
#define LLONG_MAX 9223372036854775807LL
#define ULLONG_MAX 18446744073709551615ULL
)";
constexpr const char* kFloats = R"(#pragma once
#define FLT_MAX 3.402823466e+38F
#define FLT_MIN 1.175494351e-38F
#define FLT_EPSILON 1.192092896e-07F
#define DBL_MAX 1.7976931348623157e+308
#define DBL_MIN 2.2250738585072014e-308
#define DBL_EPSILON 2.2204460492503131e-16
)";
constexpr const char* kMath = R"(#pragma once
#define INFINITY __int_as_float(0x7f800000)
#define NAN __int_as_float(0x7fffffff)
#define HUGE_VALF INFINITY
#define M_PI 3.14159265358979323846
#define M_SQRT1_2 0.70710678118654752440
#define M_SQRT2 1.41421356237309504880
)";
constexpr const char* kNothing = "#pragma once\n";  // the compiler has what it would declare

constexpr const char* kNames[] = {"stdint.h", "cstdint",  "limits.h", "climits",   "float.h", "cfloat", "math.h",
                                  "cmath",    "stddef.h", "cstddef",  "stdbool.h", "stdio.h", "cstdio"};
constexpr const char* kHeaders[] = {kIntegers, kIntegers, kLimits,  kLimits,  kFloats,  kFloats, kMath,
                                    kMath,     kNothing,  kNothing, kNothing, kNothing, kNothing};
static_assert(std::size(kNames) == std::size(kHeaders));

/// Texts of NVRTC come with their NUL.
template <class Size, class Get>
std::string text_of(nvrtcProgram program, Size size, Get get, const char* call) {
  std::size_t bytes = 0;
  check_nvrtc(size(program, &bytes), call);
  std::string text(bytes, '\0');
  if (bytes > 0) check_nvrtc(get(program, text.data()), call);
  return text;
}

nvrtcResult compile_program(const std::string& source, const std::string& name, const std::string& architecture,
                            const std::vector<std::string>& options, nvrtcProgram& program) {
  check_nvrtc(nvrtc.create(&program, source.c_str(), name.c_str(), std::size(kNames), kHeaders, kNames), "nvrtcCreateProgram");
  const std::string target = "-arch=" + architecture;
  std::vector<const char*> all = {target.c_str()};
  for (const std::string& option : options) all.push_back(option.c_str());
  return nvrtc.compile(program, static_cast<int>(all.size()), all.data());
}

/// Whether NVRTC compiles a source of our own: then one that it fails on is to blame itself.
bool compiles_another(const std::string& architecture) {
  nvrtcProgram program = nullptr;
  return compile_program("extern \"C\" __global__ void scale(float* x) { x[threadIdx.x] = fmaf(x[threadIdx.x], 2.0f, expf(1.0f)); }",
                         "scale.cu", architecture, {}, program) == NVRTC_SUCCESS;
}

}  // namespace

void load_nvrtc(const std::filesystem::path& file) {
  void* library = open_library(file);
  const auto look_up = [library](auto& function, const char* name) {
    function = reinterpret_cast<std::decay_t<decltype(function)>>(dlsym(library, name));
    if (function == nullptr) throw Error(std::string("NVRTC has no ") + name + ". do: install CUDA 12.4 or later");
  };
  look_up(nvrtc.error_string, "nvrtcGetErrorString");
  look_up(nvrtc.architecture_count, "nvrtcGetNumSupportedArchs");
  look_up(nvrtc.architectures, "nvrtcGetSupportedArchs");
  look_up(nvrtc.create, "nvrtcCreateProgram");
  look_up(nvrtc.compile, "nvrtcCompileProgram");
  look_up(nvrtc.log_size, "nvrtcGetProgramLogSize");
  look_up(nvrtc.log, "nvrtcGetProgramLog");
  look_up(nvrtc.cubin_size, "nvrtcGetCUBINSize");
  look_up(nvrtc.cubin, "nvrtcGetCUBIN");
  look_up(nvrtc.ptx_size, "nvrtcGetPTXSize");
  look_up(nvrtc.ptx, "nvrtcGetPTX");
}

std::vector<int> known_architectures() {
  int count = 0;
  check_nvrtc(nvrtc.architecture_count(&count), "nvrtcGetNumSupportedArchs");
  std::vector<int> known(static_cast<std::size_t>(count));
  check_nvrtc(nvrtc.architectures(known.data()), "nvrtcGetSupportedArchs");
  return known;
}

Compiled compile(const std::string& source, const std::string& name, const std::string& architecture,
                 const std::vector<std::string>& options) {
  require_known(architecture);
  nvrtcProgram program = nullptr;
  const nvrtcResult result = compile_program(source, name, architecture, options, program);
  Compiled compiled;
  compiled.log = text_of(program, nvrtc.log_size, nvrtc.log, "nvrtcGetProgramLog").c_str();
  compiled.good = result == NVRTC_SUCCESS;
  if (result != NVRTC_SUCCESS && result != NVRTC_ERROR_COMPILATION) {
    if (!compiles_another(architecture)) check_nvrtc(result, "nvrtcCompileProgram");
    compiled.log += name + ": error: the compiler fails on it: " + nvrtc.error_string(result) + "\n";
  }
  if (!compiled.good) return compiled;
  compiled.cubin = text_of(program, nvrtc.cubin_size, nvrtc.cubin, "nvrtcGetCUBIN");
  compiled.ptx = text_of(program, nvrtc.ptx_size, nvrtc.ptx, "nvrtcGetPTX").c_str();
  return compiled;
}

}  // namespace assay::cuda
