// SPDX-License-Identifier: Apache-2.0
// assay-box <library>: the only program that loads a candidate. It is started confined, so a static constructor already runs
// under every limit; once the library is loaded, a stricter filter leaves it what a kernel needs.
#include <dlfcn.h>

#include "assay/box/kernel_filter.h"
#include "assay/box/worker.h"

int main(int argc, char** argv) {
  assay::Worker worker;
  worker.report_faults();
  if (argc != 2) worker.fail_to_load("usage: assay-box <library>");
  void* library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) worker.fail_to_load(dlerror());
  using Kernel = void (*)(void* const*, const std::int64_t*);
  const auto kernel = reinterpret_cast<Kernel>(dlsym(library, "assay_call"));
  if (kernel == nullptr) worker.fail_to_load("the library does not contain the task's stub");
  worker.report_faults();  // a constructor may have put other handlers in place
  if (worker.is_filtered() && !assay::restrict_to_kernel_calls())
    worker.fail_to_load("the filter for loaded kernels cannot be installed", assay::wire::kResisted);
  worker.serve([kernel](const assay::KernelCall& call) {
    kernel(call.tensors, call.dims);
    return std::uint64_t{0};
  });
}
