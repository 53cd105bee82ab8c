// SPDX-License-Identifier: Apache-2.0
// assay-opencl: all that knows OpenCL. It is started confined, by the judge.
//   assay-opencl build [<compiler option>...] <source> -o <binary>
//     1: the source does not build; 2: usage; 3: no device, or it fails. <binary>.json, the device, is written before the source is read.
//   assay-opencl box --device <selector> --cache <folder> <binary> <kernel>...
//   assay-opencl measure --device <selector> --cache <folder>
//   assay-opencl devices
#include <dlfcn.h>
#include <signal.h>

#include <cstdio>
#include <cstdlib>
#include <new>

#include "assay/box/kernel_filter.h"
#include "assay/box/worker.h"
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

int build(const std::vector<std::string>& arguments) {
  if (arguments.size() < 3 || arguments[arguments.size() - 2] != "-o") {
    std::fprintf(stderr, "usage: assay-opencl build [<compiler option>...] <source> -o <binary>\n");
    return 2;
  }
  const fs::path source = arguments[arguments.size() - 3], output = arguments.back();
  std::string options;
  for (std::size_t i = 0; i + 3 < arguments.size(); ++i) options += (i == 0 ? "" : " ") + arguments[i];
  configure_drivers(output.parent_path() / "cache", "1");  // which is all that compiling takes
  const Device device = assay::opencl::choose_device(asked_device());
  describe_to(output.string() + ".json", device);
  try {
    return build(device, source, options, output) ? 0 : 1;
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "error: the compiler needs more memory than it may have\n");
    return 1;
  }
}

/// PoCL would load each from its file when it is launched, in the timed call.
void load_compiled_kernels(const fs::path& folder) {
  std::error_code none;
  for (const auto& entry : fs::recursive_directory_iterator(folder, none))
    if (entry.path().extension() == ".so" && dlopen(entry.path().c_str(), RTLD_NOW | RTLD_LOCAL) == nullptr)
      throw assay::opencl::Error(dlerror());
}

/// A device that is missing, or a driver that crashes, is no candidate's failure: nothing of one has been read yet.
Device find_device(const std::vector<std::string>& arguments, std::size_t fewest) {
  if (arguments.size() < fewest || arguments[0] != "--device" || arguments[2] != "--cache")
    throw assay::opencl::Error("usage: assay-opencl box|measure --device <selector> --cache <folder> [<binary> <kernel>...]");
  configure_drivers(arguments[3], std::getenv("OMP_NUM_THREADS"));
  return assay::opencl::choose_device(arguments[1]);
}

[[noreturn]] void serve(assay::box::Worker& worker, const Device& device, const std::vector<std::string>& arguments) {
  const fs::path cache = arguments[3];
  assay::opencl::Kernels kernels(device, arguments[4], {arguments.begin() + 5, arguments.end()});
  worker.report_faults();    // a driver has handlers of its own
  signal(SIGXFSZ, SIG_IGN);  // LLVM has taken it: what a kernel prints beyond the limit is lost, and no more than that
  worker.confine(assay::box::FileProbes::allowed);
  load_compiled_kernels(cache);
  try {
    worker.serve([&](const assay::box::KernelCall& call) { return kernels.run(call.launches); }, &kernels);
  } catch (const std::exception& error) {
    worker.fail_call(error.what());
  }
}

int serve(const std::vector<std::string>& arguments) {
  Device device;
  assay::box::Worker worker([&] { device = find_device(arguments, 6); });
  unsetenv("LD_PRELOAD");  // of this process, and not of the programs that a driver's compiler starts
  worker.report_faults();
  try {
    serve(worker, device, arguments);
  } catch (const std::exception& error) {
    worker.fail_to_load(error.what());
  }
}

int measure(const std::vector<std::string>& arguments) {
  std::fputs(assay::opencl::measure(find_device(arguments, 4)).c_str(), stdout);
  return 0;
}

int list() {
  for (const Device& device : assay::opencl::list_devices()) std::fputs(describe(device).c_str(), stdout);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string command = argc > 1 ? argv[1] : "";
  const std::vector<std::string> arguments(argv + (argc > 1 ? 2 : 1), argv + argc);
  try {
    if (command == "build") return build(arguments);
    if (command == "box") return serve(arguments);
    if (command == "measure") return measure(arguments);
    if (command == "devices") return list();
    std::fprintf(stderr, "usage: assay-opencl build|box|measure|devices ...\n");
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "assay-opencl: %s\n", error.what());
    return 3;
  }
}
