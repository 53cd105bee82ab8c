// SPDX-License-Identifier: Apache-2.0
// assay-cuda: all that knows CUDA.
#include "assay/box/device_program.h"
#include "build.h"
#include "device.h"
#include "host_function.h"
#include "kernels.h"
#include "measure.h"

namespace {

namespace fs = std::filesystem;
using assay::cuda::Device;

class Cuda : public assay::box::DeviceProgram {
 public:
  bool build(const std::vector<std::string>& options, const fs::path& source, const fs::path& output) override {
    return assay::cuda::build(options, source, output);
  }

  void open(const std::string& selector, const fs::path&) override {
    device_ = assay::cuda::choose_device(selector);
    make_current(device_);
  }

  std::unique_ptr<assay::box::DeviceKernels> load(const fs::path& binary, const std::vector<std::string>& kernels) override {
    return std::make_unique<assay::cuda::Kernels>(device_, binary, kernels);
  }

  std::unique_ptr<assay::box::DeviceKernels> load_function(const fs::path& library) override {
    return std::make_unique<assay::cuda::HostFunction>(device_, library);
  }

  std::string measure() override { return assay::cuda::measure(device_); }

  std::string devices() override {
    std::string lines;
    for (const Device& device : assay::cuda::list_devices()) lines += describe(device);
    return lines;
  }

  std::string target() override { return assay::cuda::describe(assay::cuda::compiled_for()); }

 private:
  Device device_;
};

}  // namespace

int main(int argc, char** argv) {
  Cuda program;
  return run(program, argc, argv);
}
