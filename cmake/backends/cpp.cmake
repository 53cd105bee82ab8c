# SPDX-License-Identifier: Apache-2.0
# C++20 on this machine's processor, with OpenMP where the compiler has it; candidates are <NNN>.cpp.
option(KERNELASSAY_NATIVE "Compile for this machine's instruction set" ON)
get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
if(CXX IN_LIST languages)
  find_package(OpenMP QUIET COMPONENTS CXX)
endif()
# -fno-math-errno: no kernel reads errno, and GCC vectorises no loop with sqrtf() while it might.
set(flags -std=c++20 -O3 -fno-math-errno ${OpenMP_CXX_FLAGS})
if(KERNELASSAY_NATIVE)
  list(APPEND flags -march=native)
endif()

# --no-undefined: a candidate without the task's function is a COMPILE_ERROR that names it.
kernel_backend(cpp SUFFIX .cpp LANGUAGE CXX FLAGS ${flags} -shared -fPIC -Wl,--no-undefined)
unset(flags)
unset(languages)
