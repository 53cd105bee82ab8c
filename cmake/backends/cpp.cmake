# SPDX-License-Identifier: Apache-2.0
# C++20 on this machine's processor, with OpenMP where the compiler has it; candidates are <NNN>.cpp.
option(KERNELASSAY_NATIVE "Compile for this machine's instruction set" ON)
get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
set(types "")
if(CXX IN_LIST languages)
  find_package(OpenMP QUIET COMPONENTS CXX)
  include(CheckCXXSourceCompiles)
  check_cxx_source_compiles("_Float16 twice(_Float16 x) { return x + x; } int main() { return twice(0) > 0; }" KERNELASSAY_CXX_HAS_FLOAT16)
  check_cxx_source_compiles("__bf16 twice(__bf16 x) { return x + x; } int main() { return twice(0) > 0; }" KERNELASSAY_CXX_HAS_BFLOAT16)
  if(KERNELASSAY_CXX_HAS_FLOAT16)
    list(APPEND types float16=_Float16)
  endif()
  if(KERNELASSAY_CXX_HAS_BFLOAT16)
    list(APPEND types bfloat16=__bf16)
  endif()
  if(types)
    list(PREPEND types TYPES)
  endif()
endif()
# -fno-math-errno: no kernel reads errno, and GCC vectorises no loop with sqrtf() while it might.
set(flags -std=c++20 -O3 -fno-math-errno ${OpenMP_CXX_FLAGS})
if(KERNELASSAY_NATIVE)
  list(APPEND flags -march=native)
endif()

# --no-undefined: a candidate without the task's function is a COMPILE_ERROR that names it. -Bsymbolic-functions: a function that it defines
# is its own, though the C library has one of that name that no header declares any more (step, advance).
kernel_backend(cpp SUFFIX .cpp LANGUAGE CXX ${types} FLAGS ${flags} -shared -fPIC -Wl,--no-undefined -Wl,-Bsymbolic-functions)
unset(flags)
unset(types)
unset(languages)
