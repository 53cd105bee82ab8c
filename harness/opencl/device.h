// SPDX-License-Identifier: Apache-2.0
// The one device that a process works with.
#pragma once

#include <CL/cl.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace assay::opencl {

/// An OpenCL call that failed: "clBuildProgram: CL_OUT_OF_HOST_MEMORY".
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// "CL_INVALID_KERNEL_ARGS"; others as a number.
std::string status_text(cl_int status);
/// Throws Error that names `call` unless `status` is CL_SUCCESS.
void check(cl_int status, const char* call);

/// What its source calls it.
std::string name_of(cl_kernel kernel);

struct Device {
  cl_platform_id platform = nullptr;
  cl_device_id id = nullptr;
  std::string platform_name, name, version, driver;
  bool is_cpu = false;
  int index = 0;          ///< among the devices of its platform and name, in the driver's order
  bool has_twin = false;  ///< there are others of that platform and name

  /// "Portable Computing Language/pthread-skylake-avx512", with "#<index>" where that names several; choose_device() finds it again.
  std::string selector() const { return has_twin ? indexed() : platform_name + "/" + name; }
  std::string indexed() const { return platform_name + "/" + name + "#" + std::to_string(index); }
  /// The memory of the host is the device's own: nothing need be copied.
  bool shares_memory() const { return is_cpu; }
  std::string text(cl_device_info key) const;
  template <class T>
  T number(cl_device_info key) const {
    T value{};
    check(clGetDeviceInfo(id, key, sizeof value, &value, nullptr), "clGetDeviceInfo");
    return value;
  }
};

/// All devices of all platforms; empty where there is none.
std::vector<Device> list_devices();

/// The device that is `asked` as "<platform>/<name>#<index>", else the only one whose selector contains `asked`, in any case. An empty
/// `asked` is the only device there is, else PoCL's. Throws Error with the list where none or several match.
Device choose_device(const std::string& asked);

/// JSON: platform, name, version, driver, selector, kind (cpu, gpu, other), the limits work_group, work_items, local_bytes, and the
/// libraries that a process with this device has loaded.
std::string describe(const Device& device);

}  // namespace assay::opencl
