# SPDX-License-Identifier: Apache-2.0
# The nvcc in PATH is often a script. The sandbox shows candidates' compilations the toolkit that it starts, not the script.
include("${CMAKE_CURRENT_LIST_DIR}/../scenario.cmake")
set(toolkit "${WORK}/toolkit")
foreach(file IN ITEMS bin/nvcc include/cuda_runtime.h lib64/libcudart.so)
  file(WRITE "${toolkit}/${file}" "")
endforeach()
file(CHMOD "${toolkit}/bin/nvcc" PERMISSIONS OWNER_READ OWNER_EXECUTE)
file(WRITE "${WORK}/bin/nvcc" "#!/bin/sh\necho '#$ TOP=${toolkit}' >&2\necho 'Cuda compilation tools, release 13.0, V13.0.48'\n")
file(CHMOD "${WORK}/bin/nvcc" PERMISSIONS OWNER_READ OWNER_EXECUTE)
set(ENV{PATH} "${WORK}/bin:$ENV{PATH}")
configure(-DKERNELASSAY_CUDA_HOST=ON)
expect_said("-- backend cuda_host: off .no libcudart.so in '${toolkit}/lib64'.")

file(WRITE "${toolkit}/lib64/libcudart.so.13" "")
configure(-DKERNELASSAY_CUDA_HOST=ON)
expect_said("-- backend cuda_host: ${toolkit}/bin/nvcc")
file(READ "${build}/kernelassay/cuda_host.toolchain.json" toolchain)
string(JSON compiler GET "${toolchain}" compile 0)
expect_same("compiler" "${compiler}" "${toolkit}/bin/nvcc")

configure(-DKERNELASSAY_CUDA_HOST=ON -DCMAKE_DISABLE_FIND_PACKAGE_CUDAToolkit=ON)
expect_said("-- backend cuda_host: off .package CUDAToolkit not found.")
