// SPDX-License-Identifier: Apache-2.0
#include "assay/timing/device_monitor.h"

#include <dlfcn.h>

#include <array>
#include <cstdlib>
#include <string>
#include <utility>

#include "assay/plan/confinement.h"

namespace assay::timing {
namespace {

// NVML's interface, by its documentation: 0 is success, a device an opaque pointer.
using Handle = void*;
constexpr unsigned kSmClock = 1, kMemoryClock = 2, kDieTemperature = 0;
constexpr std::pair<unsigned long long, const char*> kReasons[] = {{0x1, "idle"},
                                                                   {0x2, "application clocks"},
                                                                   {0x4, "power cap"},
                                                                   {0x8, "hardware slowdown"},
                                                                   {0x10, "sync boost"},
                                                                   {0x20, "software thermal"},
                                                                   {0x40, "hardware thermal"},
                                                                   {0x80, "power brake"},
                                                                   {0x100, "display clocks"}};

}  // namespace

int number_of(const record::Device& device) {
  const std::size_t mark = device.selector.rfind('#');
  return mark == device.selector.npos || mark + 1 == device.selector.size() ? -1 : std::atoi(device.selector.c_str() + mark + 1);
}

struct DeviceMonitor::Library {
  void* opened = nullptr;
  int (*shut_down)() = nullptr;
  int (*clock)(Handle, unsigned, unsigned*) = nullptr;
  int (*power)(Handle, unsigned*) = nullptr;
  int (*temperature)(Handle, unsigned, unsigned*) = nullptr;
  int (*reasons)(Handle, unsigned long long*) = nullptr;
  Handle device = nullptr;

  template <class Function>
  bool find(Function& function, const char* name) {
    function = reinterpret_cast<Function>(dlsym(opened, name));
    return function != nullptr;
  }

  bool open(const record::Device& wanted) {
    const std::string library = "libnvidia-ml.so.1";
    for (const std::string& file : {library, plan::kContainerDriver + ("/" + library)})
      if (opened == nullptr) opened = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    int (*initialise)() = nullptr;
    int (*by_number)(unsigned, Handle*) = nullptr;
    int (*name)(Handle, char*, unsigned) = nullptr;
    const int number = number_of(wanted);
    if (opened == nullptr || number < 0 || !find(initialise, "nvmlInit_v2") || initialise() != 0) return false;
    std::array<char, 96> called{};
    return find(shut_down, "nvmlShutdown") && find(by_number, "nvmlDeviceGetHandleByIndex_v2") && find(name, "nvmlDeviceGetName") &&
           find(clock, "nvmlDeviceGetClockInfo") && find(power, "nvmlDeviceGetPowerUsage") &&
           find(temperature, "nvmlDeviceGetTemperature") && find(reasons, "nvmlDeviceGetCurrentClocksThrottleReasons") &&
           by_number(static_cast<unsigned>(number), &device) == 0 && name(device, called.data(), called.size() - 1) == 0 &&
           wanted.name == called.data();
  }

  ~Library() {
    if (shut_down != nullptr) shut_down();
    if (opened != nullptr) dlclose(opened);
  }
};

DeviceMonitor::DeviceMonitor(const record::Device& device) : library_(std::make_unique<Library>()) {
  if (!library_->open(device)) library_.reset();
}

DeviceMonitor::~DeviceMonitor() = default;

std::optional<record::DeviceState> DeviceMonitor::read() const {
  if (!library_) return {};
  unsigned sm = 0, memory = 0, milliwatts = 0, celsius = 0;
  unsigned long long bits = 0;
  const Library& of = *library_;
  if (of.clock(of.device, kSmClock, &sm) != 0 || of.clock(of.device, kMemoryClock, &memory) != 0 || of.power(of.device, &milliwatts) != 0 ||
      of.temperature(of.device, kDieTemperature, &celsius) != 0 || of.reasons(of.device, &bits) != 0)
    return {};
  record::DeviceState state{static_cast<double>(sm), static_cast<double>(memory), milliwatts / 1000.0, static_cast<double>(celsius), {}};
  for (const auto& [bit, reason] : kReasons)
    if ((bits & bit) != 0) state.throttled.emplace_back(reason);
  return state;
}

}  // namespace assay::timing
