// verdict: POLICY
// stage: compile
#include <dlfcn.h>

#include "histogram.h"

std::size_t count_values(const std::int32_t*, std::size_t, std::int32_t, std::uint64_t*) { return dlopen("libm.so.6", RTLD_NOW) != nullptr; }
