// SPDX-License-Identifier: Apache-2.0
// assay-box <library>: the only program that loads a candidate. It is started confined, and confines itself to what a kernel
// needs before the library's first instruction runs, be it a constructor's or an IFUNC resolver's.
#include <dlfcn.h>

#include "assay/box/worker.h"

int main(int argc, char** argv) {
  assay::box::Worker worker;
  if (argc != 2) worker.fail_to_load("usage: assay-box <library>");
  worker.report_faults();
  worker.confine();
  void* library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) worker.fail_to_load(dlerror());
  using Kernel = void (*)(void* const*, const std::int64_t*, void*);
  const auto kernel = reinterpret_cast<Kernel>(dlsym(library, "assay_call"));
  if (kernel == nullptr) worker.fail_to_load("the library does not contain the task's stub");
  worker.serve([kernel](const assay::box::KernelCall& call) {
    kernel(call.tensors, call.dims, nullptr);
    return std::uint64_t{0};
  });
}
