// SPDX-License-Identifier: Apache-2.0
// assay-opencl: all that knows OpenCL.
#include <dlfcn.h>

#include <cstdlib>

#include "assay/box/device_program.h"
#include "build.h"
#include "kernels.h"
#include "measure.h"

namespace {

namespace fs = std::filesystem;
using assay::opencl::Device;

/// Drivers read their environment at the first call.
void configure_drivers(const fs::path& cache, const char* threads) {
  for (const char* variable : {"POCL_CACHE_DIR", "CUDA_CACHE_PATH"}) setenv(variable, cache.c_str(), 1);
  if (threads != nullptr) setenv("POCL_MAX_PTHREAD_COUNT", threads, 1);
  // By default hwloc visits each processor to ask it what it is.
  setenv("HWLOC_COMPONENTS", "linux,stop", 1);
}

std::string asked_device() {
  const char* asked = std::getenv("ASSAY_OPENCL_DEVICE");
  return asked == nullptr ? "" : asked;
}

class OpenCl : public assay::box::DeviceProgram {
 public:
  bool build(const std::vector<std::string>& options, const fs::path& source, const fs::path& output) override {
    std::string joined;
    for (const std::string& option : options) joined += (joined.empty() ? "" : " ") + option;
    configure_drivers(output.parent_path() / "cache", "1");  // which is all that compiling takes
    const Device device = assay::opencl::choose_device(asked_device());
    assay::box::write_file(output.string() + ".json", describe(device));
    return assay::opencl::build(device, source, joined, output);
  }

  void open(const std::string& selector, const fs::path& cache) override {
    cache_ = cache;
    configure_drivers(cache, std::getenv("OMP_NUM_THREADS"));
    device_ = assay::opencl::choose_device(selector);
  }

  std::unique_ptr<assay::box::DeviceKernels> load(const fs::path& binary, const std::vector<std::string>& kernels) override {
    return std::make_unique<assay::opencl::Kernels>(device_, binary, kernels);
  }

  /// PoCL would load each compiled kernel from its file when it is launched, in the timed call.
  void after_confinement() override {
    std::error_code none;
    for (const auto& entry : fs::recursive_directory_iterator(cache_, none))
      if (entry.path().extension() == ".so" && dlopen(entry.path().c_str(), RTLD_NOW | RTLD_LOCAL) == nullptr)
        throw assay::opencl::Error(dlerror());
  }

  std::string measure() override { return assay::opencl::measure(device_); }

  std::string devices() override {
    std::string lines;
    for (const Device& device : assay::opencl::list_devices()) lines += describe(device);
    return lines;
  }

 private:
  Device device_;
  fs::path cache_;
};

}  // namespace

int main(int argc, char** argv) {
  OpenCl program;
  return run(program, argc, argv);
}
