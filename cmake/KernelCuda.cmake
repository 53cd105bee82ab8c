# SPDX-License-Identifier: Apache-2.0
# What the backends of NVIDIA GPUs have in common.
include_guard(GLOBAL)
cmake_policy(VERSION 3.25...4.0)

# Sets <out> to arguments of kernel_backend(): which device a candidate runs on, if any.
function(_kernel_cuda_device out)
  set(choices DEVICES /dev/nvidia* ENVIRONMENT ASSAY_CUDA_DEVICE ASSAY_CUDA_ARCH)
  if(NOT EXISTS /dev/nvidiactl)
    list(APPEND choices COMPILE_ONLY "there is no NVIDIA GPU")
  elseif(NOT KERNELASSAY_CUDA_DEVICE)
    list(APPEND choices COMPILE_ONLY "KERNELASSAY_CUDA_DEVICE is OFF")
  elseif(NOT KERNELASSAY_CUDA_RESOURCES STREQUAL "")
    list(APPEND choices RESOURCES ${KERNELASSAY_CUDA_RESOURCES})
  endif()
  set(${out} "${choices}" PARENT_SCOPE)
endfunction()

option(KERNELASSAY_CUDA_HOST "Judge CUDA candidates that bring host code (.host.cu, .vendor.cu), which is trusted less" OFF)

# Sets <out> to arguments of kernel_backend() for host code that nvcc compiles: a function that gets the device's memory and a stream. It may
# be linked with CUDA's run time and the toolkit's libraries ARGN, which it finds in the folder of the toolkit.
function(_kernel_cuda_host out)
  if(NOT KERNELASSAY_CUDA_HOST)
    set(${out} LANGUAGE CXX OFF "KERNELASSAY_CUDA_HOST is OFF" PARENT_SCOPE)
    return()
  endif()
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  if(CXX IN_LIST languages)
    find_package(CUDAToolkit QUIET)
  endif()
  if(NOT CUDAToolkit_FOUND OR NOT CUDAToolkit_NVCC_EXECUTABLE)
    set(${out} LANGUAGE CXX REQUIRES CUDAToolkit COMPILER nvcc PARENT_SCOPE)
    return()
  endif()
  set(nvcc "${CUDAToolkit_BIN_DIR}/nvcc")  # what the one in PATH, often a script, starts
  if(NOT EXISTS "${nvcc}")
    set(nvcc "${CUDAToolkit_NVCC_EXECUTABLE}")
  endif()
  file(REAL_PATH "${nvcc}" nvcc)
  cmake_path(GET nvcc PARENT_PATH programs)
  cmake_path(SET intermediate NORMALIZE "${programs}/../nvvm")
  file(REAL_PATH /bin/sh shell)
  file(GLOB started "${programs}/*" "${intermediate}/bin/*")
  list(FILTER started EXCLUDE REGEX "/(crt|nvcc\\.profile)$")
  _kernel_shared_libraries(loaded ${started} "${shell}")
  set(parts "${programs}" "${intermediate}" /bin/sh "${shell}" ${loaded})
  file(REAL_PATH "${CUDAToolkit_LIBRARY_DIR}" folder)
  set(include "")
  foreach(path IN LISTS CUDAToolkit_INCLUDE_DIRS)
    file(REAL_PATH "${path}" path)
    list(APPEND include "${path}")
  endforeach()
  set(files "")
  set(link "")
  foreach(library IN LISTS ARGN ITEMS cudart)
    file(GLOB found "${folder}/lib${library}.so*" "${folder}/lib${library}_*.so*")  # cuDNN is one library of many
    list(APPEND files ${found})
    if(EXISTS "${folder}/lib${library}.so" AND NOT library STREQUAL "cudart")
      list(APPEND link -l${library})
    endif()
  endforeach()
  set(libraries ${files})
  list(FILTER libraries INCLUDE REGEX "\\.so\\.[0-9]+$")
  if(NOT libraries MATCHES "/libcudart[.]so[.]")
    set(${out} LANGUAGE CXX OFF "no libcudart.so.<number> in '${folder}'" PARENT_SCOPE)
    return()
  endif()
  _kernel_shared_libraries(needed ${libraries})
  set(folders ${include} ${include}/cccl)
  list(TRANSFORM folders PREPEND -I)
  # As of C++ candidates: --no-undefined, -Bsymbolic-functions. --as-needed: a library that nothing is called of is none. NVTX, with which CUB
  # and Thrust mark ranges for profilers, loads code.
  set(flags -std=c++20 ${folders} -DNVTX_DISABLE -DCCCL_DISABLE_NVTX -O3 -arch={architecture} -shared -cudart shared -Xcompiler -fPIC,-fopenmp -Xlinker --no-undefined
            -Xlinker -Bsymbolic-functions -Xlinker --as-needed "-L${folder}" ${link})
  _kernel_cuda_device(device)
  _kernel_nvidia_driver_files(driver)
  set(${out} LANGUAGE CXX COMPILER "${nvcc}" MEMORY cuda STREAM cudaStream_t REQUIRES CUDAToolkit ${device}
    TYPES float16=__half bfloat16=__nv_bfloat16 float8_e4m3=__nv_fp8_e4m3 float8_e5m2=__nv_fp8_e5m2
    HEADERS cuda_runtime.h cuda_fp16.h cuda_bf16.h cuda_fp8.h
    INCLUDE ${include}
    READABLE ${parts} ${include} "${folder}/libcudadevrt.a" ${files}
    BOX_READABLE ${files} ${needed} ${driver}
    LIBRARIES ${libraries}
    FLAGS ${flags} PARENT_SCOPE)
endfunction()
