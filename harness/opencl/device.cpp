// SPDX-License-Identifier: Apache-2.0
#include "device.h"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <nlohmann/json.hpp>

#include "assay/box/device_program.h"

namespace assay::opencl {
namespace {

constexpr const char* kDefaultPlatform = "Portable Computing Language";

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

/// What a clGet...Info says in words, up to its first NUL.
template <class Get, class Object>
std::string text_of(Get get, const char* call, Object object, cl_uint key) {
  std::size_t bytes = 0;
  check(get(object, key, 0, nullptr, &bytes), call);
  std::string text(bytes, '\0');
  check(get(object, key, bytes, text.data(), nullptr), call);
  return text.c_str();
}

void add_devices(cl_platform_id platform, std::vector<Device>& devices) {
  cl_uint count = 0;
  if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count) != CL_SUCCESS) return;
  std::vector<cl_device_id> ids(count);
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, ids.data(), nullptr), "clGetDeviceIDs");
  for (const cl_device_id id : ids) {
    Device device{platform, id, text_of(clGetPlatformInfo, "clGetPlatformInfo", platform, CL_PLATFORM_NAME), "", "", "", false, 0, false};
    device.name = device.text(CL_DEVICE_NAME);
    device.version = device.text(CL_DEVICE_VERSION);
    device.driver = device.text(CL_DRIVER_VERSION);
    device.is_cpu = (device.number<cl_device_type>(CL_DEVICE_TYPE) & CL_DEVICE_TYPE_CPU) != 0;
    devices.push_back(device);
  }
}

/// Numbers those of one platform and name. Two platforms of one name are counted through: their devices have one selector, too.
void tell_apart(std::vector<Device>& devices) {
  for (Device& device : devices) {
    const auto same = [&](const Device& other) { return other.platform_name == device.platform_name && other.name == device.name; };
    device.index = static_cast<int>(std::count_if(devices.data(), &device, same));
    device.has_twin = std::ranges::count_if(devices, same) > 1;
  }
}

/// Those of this process, and what kernels may be linked with beside: calls of mathematical functions are vectorised into libmvec.
std::vector<std::string> libraries() {
  dlopen("libmvec.so.1", RTLD_LAZY);
  return box::loaded_libraries();
}

std::string list(const std::vector<Device>& devices) {
  std::string text;
  for (const Device& device : devices) text += "\n  " + device.selector();
  return text.empty() ? " none" : text;
}

}  // namespace

std::string status_text(cl_int status) {
  switch (status) {
    case CL_DEVICE_NOT_AVAILABLE: return "CL_DEVICE_NOT_AVAILABLE";
    case CL_COMPILER_NOT_AVAILABLE: return "CL_COMPILER_NOT_AVAILABLE";
    case CL_MEM_OBJECT_ALLOCATION_FAILURE: return "CL_MEM_OBJECT_ALLOCATION_FAILURE";
    case CL_OUT_OF_RESOURCES: return "CL_OUT_OF_RESOURCES";
    case CL_OUT_OF_HOST_MEMORY: return "CL_OUT_OF_HOST_MEMORY";
    case CL_BUILD_PROGRAM_FAILURE: return "CL_BUILD_PROGRAM_FAILURE";
    case CL_INVALID_BINARY: return "CL_INVALID_BINARY";
    case CL_INVALID_BUILD_OPTIONS: return "CL_INVALID_BUILD_OPTIONS";
    case CL_INVALID_ARG_INDEX: return "CL_INVALID_ARG_INDEX";
    case CL_INVALID_ARG_VALUE: return "CL_INVALID_ARG_VALUE";
    case CL_INVALID_ARG_SIZE: return "CL_INVALID_ARG_SIZE";
    case CL_INVALID_KERNEL_ARGS: return "CL_INVALID_KERNEL_ARGS";
    case CL_INVALID_WORK_DIMENSION: return "CL_INVALID_WORK_DIMENSION";
    case CL_INVALID_WORK_GROUP_SIZE: return "CL_INVALID_WORK_GROUP_SIZE";
    case CL_INVALID_WORK_ITEM_SIZE: return "CL_INVALID_WORK_ITEM_SIZE";
    case CL_INVALID_BUFFER_SIZE: return "CL_INVALID_BUFFER_SIZE";
    case CL_INVALID_GLOBAL_WORK_SIZE: return "CL_INVALID_GLOBAL_WORK_SIZE";
    default: return "OpenCL status " + std::to_string(status);
  }
}

void check(cl_int status, const char* call) {
  if (status != CL_SUCCESS) throw Error(std::string(call) + ": " + status_text(status));
}

std::string name_of(cl_kernel kernel) { return text_of(clGetKernelInfo, "clGetKernelInfo", kernel, CL_KERNEL_FUNCTION_NAME); }

std::string Device::text(cl_device_info key) const { return text_of(clGetDeviceInfo, "clGetDeviceInfo", id, key); }

std::vector<Device> list_devices() {
  cl_uint count = 0;
  if (clGetPlatformIDs(0, nullptr, &count) != CL_SUCCESS) return {};  // the loader's code for "no platform" is an error
  std::vector<cl_platform_id> platforms(count);
  check(clGetPlatformIDs(count, platforms.data(), nullptr), "clGetPlatformIDs");
  std::vector<Device> devices;
  for (const cl_platform_id platform : platforms) add_devices(platform, devices);
  tell_apart(devices);
  return devices;
}

Device choose_device(const std::string& asked) {
  const std::vector<Device> all = list_devices();
  if (all.empty()) throw Error("no OpenCL device. do: install an OpenCL driver (pocl-opencl-icd runs on every processor)");
  if (asked.empty() && all.size() == 1) return all.front();
  for (const Device& device : all)  // "#1" is a part of "#10"
    if (lower(device.indexed()) == lower(asked)) return device;
  std::vector<Device> fit;
  for (const Device& device : all) {
    const bool named = lower(device.selector()).find(lower(asked)) != std::string::npos;
    if (asked.empty() ? device.platform_name == kDefaultPlatform : named) fit.push_back(device);
  }
  if (fit.size() == 1) return fit.front();
  const std::string got = asked.empty() ? "ASSAY_OPENCL_DEVICE is not set, and " + std::string(kDefaultPlatform) + " has"
                                        : "ASSAY_OPENCL_DEVICE='" + asked + "' matches";
  throw Error(got + (fit.empty() ? " no device" : " several devices") +
              ". do: set it to a part of one of:" + list(fit.empty() ? all : fit));
}

std::string describe(const Device& device) {
  std::array<std::size_t, 3> items{};
  check(clGetDeviceInfo(device.id, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof items, items.data(), nullptr), "clGetDeviceInfo");
  const auto type = device.number<cl_device_type>(CL_DEVICE_TYPE);
  return nlohmann::json{{"platform", device.platform_name},
                        {"name", device.name},
                        {"version", device.version},
                        {"driver", device.driver},
                        {"selector", device.selector()},
                        {"kind", device.is_cpu                      ? "cpu"
                                 : (type & CL_DEVICE_TYPE_GPU) != 0 ? "gpu"
                                                                    : "other"},
                        {"work_group", device.number<std::size_t>(CL_DEVICE_MAX_WORK_GROUP_SIZE)},
                        {"work_items", items},
                        {"local_bytes", device.number<cl_ulong>(CL_DEVICE_LOCAL_MEM_SIZE)},
                        {"libraries", libraries()}}
             .dump() +
         "\n";
}

}  // namespace assay::opencl
