# SPDX-License-Identifier: Apache-2.0
# CUDA device code on one GPU, compiled by the toolkit's NVRTC; candidates are <NNN>.cu with a launch block (docs/launch.md). Where no GPU
# is they are compiled for ASSAY_CUDA_ARCH (sm_90a). ASSAY_CUDA_DEVICE chooses among several.
include("${CMAKE_CURRENT_LIST_DIR}/../KernelCuda.cmake")
option(KERNELASSAY_CUDA_DEVICE "Judge CUDA candidates on the GPU of this machine, where one is; OFF: they are compiled alone" ON)
set(KERNELASSAY_CUDA_RESOURCES "" CACHE STRING "CTest resources that a test on a CUDA device takes (gpus:1); ids are the devices' numbers")
get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
if(CXX IN_LIST languages)
  find_package(CUDAToolkit QUIET)
  file(REAL_PATH "${CUDAToolkit_LIBRARY_DIR}" readable)
  file(GLOB readable ${readable}/libnvrtc*.so*)
  file(REAL_PATH "${CUDAToolkit_LIBRARY_DIR}/libnvrtc.so" nvrtc)
  if(CUDAToolkit_FOUND AND NOT EXISTS "${nvrtc}")
    set(off OFF "no libnvrtc.so in '${CUDAToolkit_LIBRARY_DIR}'")
  endif()
endif()
set(folders ${CUDAToolkit_INCLUDE_DIRS} ${CUDAToolkit_INCLUDE_DIRS}/cccl)
list(TRANSFORM folders PREPEND -I)
_kernel_cuda_device(choices)
_kernel_nvidia_driver_files(driver)
kernel_backend(cuda SUFFIX .cu ${off} INTERFACE launch_block MEMORY cuda REQUIRES CUDAToolkit ${choices}
  TYPES float16=__half bfloat16=__nv_bfloat16 float8_e4m3=__nv_fp8_e4m3 float8_e5m2=__nv_fp8_e5m2
  HEADERS cuda_fp16.h cuda_bf16.h cuda_fp8.h
  READABLE ${CUDAToolkit_INCLUDE_DIRS} ${readable} ${driver}
  FLAGS --nvrtc=${nvrtc} -std=c++20 ${folders})
unset(choices)
unset(driver)
unset(nvrtc)
unset(off)
unset(folders)
unset(readable)
unset(languages)
