// SPDX-License-Identifier: Apache-2.0
// An OpenCL driver with one platform, Twins, and two devices: `first` aborts when it is to build a program, `second` says that
// it has gone away. With another name for SECOND both are called alike. Only what `assay-opencl build` calls is there.
#include <CL/cl_icd.h>

#include <cstdlib>
#include <cstring>
#include <string_view>

/// The loader finds the driver's functions by an object's first word.
struct _cl_platform_id {
  const cl_icd_dispatch* dispatch;
};
struct _cl_device_id {
  const cl_icd_dispatch* dispatch;
  const char* name;
};
struct _cl_context {
  const cl_icd_dispatch* dispatch;
  cl_device_id device;
};
struct _cl_program {
  const cl_icd_dispatch* dispatch;
};

#ifndef SECOND
#define SECOND "second"
#endif

namespace {

extern const cl_icd_dispatch kDispatch;
_cl_platform_id platform{&kDispatch};
_cl_device_id devices[] = {{&kDispatch, "first"}, {&kDispatch, SECOND}};
_cl_context context{&kDispatch, nullptr};
_cl_program program{&kDispatch};

cl_int give(const void* value, std::size_t bytes, std::size_t room, void* out, std::size_t* size) {
  if (size != nullptr) *size = bytes;
  if (out == nullptr) return CL_SUCCESS;
  if (room < bytes) return CL_INVALID_VALUE;
  std::memcpy(out, value, bytes);
  return CL_SUCCESS;
}

cl_int give(const char* text, std::size_t room, void* out, std::size_t* size) { return give(text, std::strlen(text) + 1, room, out, size); }

cl_int CL_API_CALL get_platforms(cl_uint room, cl_platform_id* out, cl_uint* count) {
  if (count != nullptr) *count = 1;
  if (out != nullptr && room > 0) *out = &platform;
  return CL_SUCCESS;
}

cl_int CL_API_CALL get_platform_info(cl_platform_id, cl_platform_info key, std::size_t room, void* out, std::size_t* size) {
  switch (key) {
    case CL_PLATFORM_PROFILE: return give("FULL_PROFILE", room, out, size);
    case CL_PLATFORM_VERSION: return give("OpenCL 1.2", room, out, size);
    case CL_PLATFORM_NAME: return give("Twins", room, out, size);
    case CL_PLATFORM_EXTENSIONS: return give("cl_khr_icd", room, out, size);
    case CL_PLATFORM_ICD_SUFFIX_KHR: return give("TWIN", room, out, size);
    default: return give("", room, out, size);
  }
}

cl_int CL_API_CALL get_devices(cl_platform_id, cl_device_type, cl_uint room, cl_device_id* out, cl_uint* count) {
  if (count != nullptr) *count = 2;
  for (cl_uint i = 0; out != nullptr && i < 2 && i < room; ++i) out[i] = &devices[i];
  return CL_SUCCESS;
}

cl_int CL_API_CALL get_device_info(cl_device_id device, cl_device_info key, std::size_t room, void* out, std::size_t* size) {
  const cl_device_type type = CL_DEVICE_TYPE_ACCELERATOR;
  const std::size_t items[] = {8, 8, 8};
  const cl_ulong local = 1024;
  switch (key) {
    case CL_DEVICE_NAME: return give(device->name, room, out, size);
    case CL_DEVICE_TYPE: return give(&type, sizeof type, room, out, size);
    case CL_DEVICE_MAX_WORK_ITEM_SIZES: return give(items, sizeof items, room, out, size);
    case CL_DEVICE_MAX_WORK_GROUP_SIZE: return give(items, sizeof items[0], room, out, size);
    case CL_DEVICE_LOCAL_MEM_SIZE: return give(&local, sizeof local, room, out, size);
    default: return give("1", room, out, size);
  }
}

cl_context CL_API_CALL create_context(const cl_context_properties*, cl_uint, const cl_device_id* chosen,
                                      void(CL_CALLBACK*)(const char*, const void*, std::size_t, void*), void*, cl_int* status) {
  context.device = *chosen;
  *status = CL_SUCCESS;
  return &context;
}

cl_program CL_API_CALL create_program(cl_context, cl_uint, const char**, const std::size_t*, cl_int* status) {
  *status = CL_SUCCESS;
  return &program;
}

cl_int CL_API_CALL build_program(cl_program, cl_uint, const cl_device_id* chosen, const char*, void(CL_CALLBACK*)(cl_program, void*),
                                 void*) {
  if (*chosen == &devices[0]) std::abort();
  return CL_DEVICE_NOT_AVAILABLE;
}

cl_int CL_API_CALL get_build_info(cl_program, cl_device_id, cl_program_build_info, std::size_t room, void* out, std::size_t* size) {
  return give("", room, out, size);
}

const cl_icd_dispatch kDispatch = [] {
  cl_icd_dispatch table{};
  table.clGetPlatformIDs = get_platforms;
  table.clGetPlatformInfo = get_platform_info;
  table.clGetDeviceIDs = get_devices;
  table.clGetDeviceInfo = get_device_info;
  table.clCreateContext = create_context;
  table.clCreateProgramWithSource = create_program;
  table.clBuildProgram = build_program;
  table.clGetProgramBuildInfo = get_build_info;
  return table;
}();

}  // namespace

extern "C" void* CL_API_CALL clGetExtensionFunctionAddress(const char* name) {
  if (std::string_view(name) == "clIcdGetPlatformIDsKHR") return reinterpret_cast<void*>(get_platforms);
  if (std::string_view(name) == "clGetPlatformInfo") return reinterpret_cast<void*>(get_platform_info);
  return nullptr;
}
