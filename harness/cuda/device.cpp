// SPDX-License-Identifier: Apache-2.0
#include "device.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "assay/box/device_program.h"
#include "driver.h"

namespace assay::cuda {
namespace {

constexpr const char* kDefaultArchitecture = "sm_90a";
/// Of every device so far; shared memory differs, and 0 is unknown.
constexpr int kMostThreads = 1024;
constexpr std::array<int, 3> kBlock = {1024, 1024, 64};

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

int attribute(const Device& device, CUdevice_attribute which) {
  int value = 0;
  check(driver().cuDeviceGetAttribute(&value, which, device.id), "cuDeviceGetAttribute");
  return value;
}

/// From Hopper on, 'a' brings what only that generation has: wgmma, setmaxnreg.
std::string architecture_of(const Device& device) {
  const int major = attribute(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
  const int minor = attribute(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
  return "sm_" + std::to_string(major) + std::to_string(minor) + (major >= 9 ? "a" : "");
}

std::string uuid_of(CUdevice id) {
  CUuuid uuid{};
  check(driver().cuDeviceGetUuid(&uuid, id), "cuDeviceGetUuid");
  std::string text = "GPU-";
  for (int i = 0; i < 16; ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    std::array<char, 3> digits{};
    std::snprintf(digits.data(), digits.size(), "%02x", static_cast<unsigned char>(uuid.bytes[i]));
    text += digits.data();
  }
  return text;
}

/// "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.82.07  ..."
std::string driver_version() {
  std::ifstream file("/proc/driver/nvidia/version");
  for (std::string word; file >> word;)
    if (std::isdigit(static_cast<unsigned char>(word.front())) != 0 && word.find('.') != word.npos) return word;
  return "unknown";
}

/// "13.0" of 13000.
std::string version_text(int version) { return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10); }

/// `asked` as "<part>#<index>"; no index is -1.
std::pair<std::string, int> split(const std::string& asked) {
  const std::size_t digits = asked.find_last_not_of("0123456789") + 1;
  if (digits == 0 || digits == asked.size() || asked[digits - 1] != '#') return {asked, -1};
  return {asked.substr(0, digits - 1), std::atoi(asked.c_str() + digits)};
}

bool fits(const Device& device, const std::string& part, int index) {
  const std::string text = lower(device.name + "/" + device.architecture);
  return (index < 0 || index == device.index) && (text.find(part) != text.npos || lower(device.uuid).starts_with(part));
}

std::string list(const std::vector<Device>& devices) {
  std::string text;
  for (const Device& device : devices) text += "\n  " + device.selector() + " " + device.uuid;
  return text;
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// "sm_80", "sm_90a". What NVRTC makes of another one is no cubin.
bool is_architecture(const std::string& text) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  return text.starts_with("sm_") && text.size() > 4 && std::all_of(text.begin() + 3, text.end() - 1, is_digit) &&
         (is_digit(text.back()) || text.back() == 'a');
}

bool has_device() {
  try {
    return !list_devices().empty();
  } catch (const Error&) {
    return false;
  }
}

/// What is loaded, and what lies beside the driver and is its own: it loads more when it is asked for more.
std::vector<std::string> driver_libraries(bool has_driver) {
  namespace fs = std::filesystem;
  std::vector<std::string> files;
  if (!has_driver) return files;
  const auto is_drivers = [](const std::string& name) { return name.starts_with("libcuda.so") || name.starts_with("libnvidia-"); };
  std::set<fs::path> folders;
  for (const std::string& file : box::loaded_libraries()) {
    files.push_back(file);
    if (is_drivers(fs::path(file).filename().string())) folders.insert(fs::path(file).parent_path());
  }
  std::error_code error;
  for (const fs::path& folder : folders)
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
      if (is_drivers(entry.path().filename().string())) files.push_back(entry.path().string());
  return files;
}

Device architecture_alone(const std::string& architecture) {
  Device none;
  none.name = none.architecture = architecture;
  return none;
}

}  // namespace

std::vector<Device> list_devices() {
  int count = 0;
  check(driver().cuDeviceGetCount(&count), "cuDeviceGetCount");
  std::vector<Device> devices;
  for (int i = 0; i < count; ++i) {
    Device device;
    device.index = i;
    check(driver().cuDeviceGet(&device.id, i), "cuDeviceGet");
    std::array<char, 256> name{};
    check(driver().cuDeviceGetName(name.data(), static_cast<int>(name.size()) - 1, device.id), "cuDeviceGetName");
    device.name = name.data();
    device.uuid = uuid_of(device.id);
    device.architecture = architecture_of(device);
    devices.push_back(device);
  }
  return devices;
}

Device choose_device(const std::string& asked) {
  const std::vector<Device> all = list_devices();
  if (all.empty()) throw Error("no CUDA device. do: check that nvidia-smi lists one");
  if (asked.empty()) return all.front();
  const auto [part, index] = split(asked);
  std::vector<Device> fit;
  for (const Device& device : all)
    if (fits(device, lower(part), index)) fit.push_back(device);
  if (fit.size() == 1) return fit.front();
  const bool built = is_architecture(asked);  // by a compilation that had no device
  throw Error((built ? "what is built for " + asked : "ASSAY_CUDA_DEVICE='" + asked + "'") +
              (fit.empty() ? " fits none of the devices" : " fits several devices") +
              (built ? ". do: set ASSAY_CUDA_DEVICE, unset ASSAY_CUDA_ARCH and build again. got:" : ". do: set it to a part of one of:") +
              list(fit.empty() ? all : fit));
}

Device compiled_for() {
  const std::string architecture = variable("ASSAY_CUDA_ARCH"), asked = variable("ASSAY_CUDA_DEVICE");
  if (!architecture.empty()) {
    if (is_architecture(architecture)) return architecture_alone(architecture);
    throw Error("ASSAY_CUDA_ARCH must be like sm_90 or sm_90a. got: '" + architecture + "'");
  }
  return asked.empty() && !has_device() ? architecture_alone(kDefaultArchitecture) : choose_device(asked);
}

std::string describe(const Device& device) {
  nlohmann::json description = {{"platform", "NVIDIA CUDA"},
                                {"name", device.name},
                                {"kind", "gpu"},
                                {"selector", device.selector()},
                                {"architecture", device.architecture},
                                {"work_group", kMostThreads},
                                {"work_items", kBlock},
                                {"local_bytes", 0},
                                {"libraries", driver_libraries(device.index >= 0)}};
  if (device.index < 0) {
    description["version"] = version_text(CUDA_VERSION);
    description["driver"] = "none";
  } else {
    int version = 0;
    check(driver().cuDriverGetVersion(&version), "cuDriverGetVersion");
    description["version"] = version_text(version);
    description["driver"] = driver_version();
    description["uuid"] = device.uuid;
    description["work_group"] = attribute(device, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
    description["work_items"] = {attribute(device, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X),
                                 attribute(device, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y),
                                 attribute(device, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z)};
    description["cache_bytes"] = attribute(device, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
    description["reads_host_memory"] = attribute(device, CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS) != 0;
    description["local_bytes"] = attribute(device, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
  }
  return description.dump() + "\n";
}

void make_current(const Device& device) {
  CUcontext context = nullptr;
  check(driver().cuDevicePrimaryCtxSetFlags(device.id, CU_CTX_SCHED_SPIN), "cuDevicePrimaryCtxSetFlags");
  check(driver().cuDevicePrimaryCtxRetain(&context, device.id), "cuDevicePrimaryCtxRetain");
  check(driver().cuCtxSetCurrent(context), "cuCtxSetCurrent");
}

}  // namespace assay::cuda
